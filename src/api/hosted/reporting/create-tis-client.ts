import { Pool } from 'undici';
import type { z } from 'zod';
import { isSuccess, mediaTypeOf } from '../../../http-client/answer-head.ts';
import { type HttpAnswer, type HttpRequest, sendOnce, TOO_SLOW } from '../../../http-client/send-once.ts';
import { shown } from '../../../http-client/shown.ts';
import type { Instant } from '../../../model/issue.ts';
import { readAnswer } from '../read-answer.ts';
import { sendAgain } from '../send-again.ts';
import { unavailable, whySilent } from '../why-refused.ts';
import { readTisRefusal } from './read-tis-refusal.ts';
import { type TisAccess, tisAccess } from './tis-access.ts';
import { TookTooLong, UnknownPlace } from './tis-failures.ts';
import { type TisPlace, takesForm, tisPlaces } from './tis-places.ts';
import { whyTisRefused } from './why-tis-refused.ts';

export type { TisAccess };

const CONNECTIONS = 8;

/** The service ends every question after a minute; a little more, so that its own word arrives. */
const TRY_MS = 75_000;
const CONNECT_MS = 10_000;

/** An aggregation of somebody else's may be under way for a minute: it is waited for with growing pauses. */
const AGGREGATION_PATIENCE = { tries: 6, longestPauseMs: 60_000 };

/** Longer addresses are cut or refused by some proxies. */
const LONGEST_QUERY = 1800;

/** What the outside world hands in. */
export interface TisSurroundings {
  readonly now: () => Instant;
  /** Resolves after so many ms. */
  readonly wait: (ms: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Aborts after so many ms. */
  readonly deadline: (ms: number) => AbortSignal;
}

/** A question to the service: a place, what of it, and with which parameters or body. */
export interface TisQuestion {
  readonly place: TisPlace;
  /** Follows on the path of the place. */
  readonly below?: string;
  /** Whatever is no GET changes something, unless it is a report sent as a form. */
  readonly method?: HttpRequest['method'];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
  /** Begins when the one before has ended. */
  readonly alone?: boolean;
}

/** Speaks the REST of a time-in-status service. Every failure is an AppError that tells what came. */
export interface TisClient {
  /** The answer in the shape it should have. */
  ask<Shape extends z.ZodType>(question: TisQuestion, shape: Shape): Promise<z.output<Shape>>;
  /** The answer as it is, with its media type. */
  fetch(question: TisQuestion): Promise<{ readonly type: string | null; readonly text: string }>;
  /** Reads a text that was fetched as an answer in a shape. */
  read<Shape extends z.ZodType>(text: string, shape: Shape): z.output<Shape>;
  /** A failure about the service; `what` follows on its name. */
  failure(what: string): Error;
  readonly now: TisSurroundings['now'];
  readonly wait: TisSurroundings['wait'];
  close(): Promise<void>;
}

/** A client with connections of its own, which keep no process alive. */
export function createTisClient(
  given: TisAccess,
  { now, wait, random, deadline }: TisSurroundings,
): TisClient {
  const access = tisAccess(given);
  const { authorization, mostMegabytes } = access;
  const mostBytes = mostMegabytes * 1_000_000;
  const pool = new Pool(access.origin, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: TRY_MS,
    bodyTimeout: TRY_MS,
    maxResponseSize: mostBytes,
  });
  const working = new Map<TisPlace, string>();
  let lastAggregation: Promise<unknown> = Promise.resolve();

  async function send(question: TisQuestion, path: string): Promise<HttpAnswer> {
    const { place, signal } = question;
    const request = { ...requestOf(question, `${access.origin}${access.path}${path}`), authorization };
    const repeatable = isReading(question);
    const once = () => {
      const late = deadline(TRY_MS);
      return sendOnce(request, {
        dispatcher: pool,
        now,
        deadline: signal === undefined ? late : AbortSignal.any([late, signal]),
        mostBytes,
      });
    };
    const patience = place === 'aggregation' ? AGGREGATION_PATIENCE : {};
    const outcome = await sendAgain(
      async () => {
        signal?.throwIfAborted();
        const one = await once();
        signal?.throwIfAborted();
        return one;
      },
      { repeatable, whenSlow: false, ...patience },
      { now, wait, random },
    );
    if (outcome.kind === 'answer') return outcome;
    const silent = whySilent(outcome, access, { tryMs: TRY_MS, maybeSaved: !repeatable });
    throw outcome.code === TOO_SLOW ? new TookTooLong(silent) : silent;
  }

  async function answerTo(question: TisQuestion): Promise<HttpAnswer> {
    const { place, below = '' } = question;
    const known = working.get(place);
    const paths: readonly string[] = tisPlaces[place];
    const order = known === undefined ? paths : [known, ...paths.filter((path) => path !== known)];
    let page = false;
    let refused: HttpAnswer | null = null;
    for (const path of order) {
      const answer = await send(question, `${path}${below}`);
      if (isElsewhere(answer)) {
        page ||= isSuccess(answer);
        continue;
      }
      // In its own words, too, the service may mean that it has no such path; behind one that has answered, it is the id.
      if (answer.status === 404 && (below === '' || known === undefined)) {
        // The word of the path that is known to be one; else that of the running product.
        refused = known === undefined ? answer : (refused ?? answer);
        continue;
      }
      // What a gateway says tells nothing about the path.
      if (isSuccess(answer) || readTisRefusal(answer) !== null) working.set(place, path);
      if (isSuccess(answer)) return answer;
      throw whyTisRefused(answer, access, { maybeDone: !isReading(question) && answer.status >= 500 });
    }
    if (refused !== null) throw whyTisRefused(refused, access, { maybeDone: false });
    const tried = paths.map((path) => `${access.path}${path}`);
    const what = page
      ? `answers ${tried.join(' and ')} with a page where JSON was asked for`
      : `has ${tried.length > 1 ? 'neither' : 'no'} ${tried.join(' nor ')} (HTTP 404)`;
    throw new UnknownPlace(unavailable(`${what}; is ${access.addressSetting} right?`, access));
  }

  /** The product refuses a second aggregation of one user. */
  async function inTurn(question: TisQuestion): Promise<HttpAnswer> {
    if (question.alone !== true) return answerTo(question);
    const before = lastAggregation;
    const own = (async () => {
      await before;
      question.signal?.throwIfAborted();
      return answerTo(question);
    })();
    lastAggregation = own.catch(() => null);
    return own;
  }

  const read = <Shape extends z.ZodType>(text: string, shape: Shape, maybeSaved = false) =>
    readAnswer(text, shape, access, { tryMs: TRY_MS, maybeSaved });

  return {
    async ask(question, shape) {
      const { text } = await inTurn(question);
      return read(text, shape, !isReading(question));
    },
    async fetch(question) {
      const answer = await inTurn(question);
      return { type: mediaTypeOf(answer), text: answer.text };
    },
    read: (text, shape) => read(text, shape),
    failure: (what) => unavailable(shown(what, access), access),
    now,
    wait,
    close: () => pool.destroy(),
  };
}

function requestOf(
  { method, parameters = {}, json, place }: TisQuestion,
  address: string,
): Omit<HttpRequest, 'authorization'> {
  const pairs = new URLSearchParams(parameters).toString();
  const accept = 'application/json, text/csv;q=0.9, */*;q=0.1';
  const isLong = pairs.length > LONGEST_QUERY && (takesForm(place) || method === 'POST');
  if (isLong && json === undefined) {
    const bodyType = 'application/x-www-form-urlencoded';
    return { method: 'POST', url: address, body: pairs, bodyType, accept };
  }
  return {
    method: method ?? 'GET',
    url: pairs === '' ? address : `${address}?${pairs}`,
    body: json === undefined ? null : JSON.stringify(json),
    accept,
  };
}

/** A report changes nothing, however its parameters are sent. */
function isReading({ method = 'GET' }: TisQuestion): boolean {
  return method === 'GET';
}

/** Nothing of the service's is found under the path; some servers show their start page instead. */
function isElsewhere(answer: HttpAnswer): boolean {
  if (isSuccess(answer)) return mediaTypeOf(answer) === 'text/html';
  return [404, 405, 410].includes(answer.status) && readTisRefusal(answer) === null;
}
