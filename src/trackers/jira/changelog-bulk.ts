import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { idText } from '../jira-json/jira-schema.ts';
import { type Changelog, changelogOf } from './changelog.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraOverload, JiraRefusal } from './jira-failures.ts';
import { createPageSize } from './page-size.ts';

/** A few MB. */
const ENTRIES_PAGE = 2000;
const MOST_ISSUES = 1000;

/** So many issues in a row that fail by themselves: it is not the issues. */
const MOST_FAILED_IN_A_ROW = 3;

/** A site that refuses these goes on doing so; any other refusal is about the issues asked for. */
const notOffered: readonly number[] = [403, 404, 405, 410];

const page = z.object({
  issueChangeLogs: z.array(z.object({ issueId: idText, changeHistories: z.array(z.unknown()) })),
  nextPageToken: z.string().nullish(),
});

/**
 * The changelogs of many issues of Jira Cloud at once, by issue id, one without entries included; those that Jira will
 * not tell, or fails to tell, that way are left out.
 */
export type AskBulk = (ids: readonly string[]) => Promise<ReadonlyMap<string, Changelog>>;

/** Asks for changelogs in bulk as long as Jira offers that, and for fewer at once where one of them is too much for it. */
export function createChangelogBulk(client: JiraClient): AskBulk {
  const portions = createPageSize(MOST_ISSUES);
  let offered = true;
  return async (ids) => {
    const told = new Map<string, Changelog>();
    let inARow = 0;
    for (let start = 0; offered && start < ids.length; ) {
      let chunk: readonly string[] = [];
      try {
        const read = await portions(ids.length - start, ({ size }) => {
          chunk = ids.slice(start, start + size);
          return readPages(client, chunk);
        });
        for (const id of chunk) told.set(id, read.get(id) ?? changelogOf([]));
        inARow = 0;
      } catch (error) {
        if (error instanceof JiraRefusal) {
          if (notOffered.includes(error.status)) offered = false;
        } else if (error instanceof JiraOverload) {
          inARow += 1;
        } else throw error;
        if (inARow === MOST_FAILED_IN_A_ROW) break;
      }
      start += chunk.length;
    }
    return told;
  };
}

async function readPages(client: JiraClient, ids: readonly string[]): Promise<Map<string, Changelog>> {
  const histories = new Map<string, unknown[]>();
  const tokens = new Set<string>();
  let token: string | null = null;
  do {
    const body = {
      issueIdsOrKeys: ids,
      maxResults: ENTRIES_PAGE,
      ...(token === null ? {} : { nextPageToken: token }),
    };
    // There is always another way to ask, so nobody insists on this one.
    const told: z.output<typeof page> = await client.ask(
      { method: 'POST', path: '/changelog/bulkfetch', body, tries: 'few' },
      page,
    );
    for (const { issueId, changeHistories } of told.issueChangeLogs) {
      const known = histories.get(issueId) ?? [];
      known.push(...changeHistories);
      histories.set(issueId, known);
    }
    const next: string | null = told.nextPageToken || null;
    if (next !== null && tokens.has(next)) {
      throw new AppError('unavailable', "Jira's '/changelog/bulkfetch' leads from page to page in a circle.");
    }
    if (next !== null) tokens.add(next);
    token = next;
  } while (token !== null);
  return new Map([...histories].map(([id, told]) => [id, changelogOf(told)]));
}
