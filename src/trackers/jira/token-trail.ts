import { z } from 'zod';
import { readJson } from '../../http-client/read-answer.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { SearchPlace } from '../live-tracker.ts';

const trail = z.tuple([z.string(), z.string(), z.number(), z.number()]);

/**
 * The token of the next page, an earlier one to compare with, how many pages ago that was, and after how many it is
 * exchanged for a later one: circles of tokens are noticed however long they are, and only two tokens are kept.
 */
type Trail = Readonly<z.output<typeof trail>>;

/** A place behind a token. Tokens that lead in a circle are `unavailable`; `asked` is the path that told them. */
export function nextPlace(token: string, place: SearchPlace | null, asked: string): SearchPlace {
  return JSON.stringify(place === null ? [token, token, 0, 1] : goOn(token, readTrail(place), asked));
}

/** The token of a place; one that is none of ours is `bad-request`. */
export function tokenOf(place: SearchPlace): string {
  const [token] = readTrail(place);
  return token;
}

function goOn(token: string, [, compared, steps, most]: Trail, asked: string): Trail {
  if (token === compared) {
    throw new AppError('unavailable', `Jira's '${asked}' leads from page to page in a circle.`);
  }
  return steps + 1 === most ? [token, token, 0, most * 2] : [token, compared, steps + 1, most];
}

function readTrail(place: SearchPlace): Trail {
  const read = trail.safeParse(readJson(place));
  if (!read.success) throw badRequest(`'${place}' is no place of a search.`);
  return read.data;
}
