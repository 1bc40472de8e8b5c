import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { idText } from '../jira-json/jira-schema.ts';
import { type Changelog, changelogOf } from './changelog.ts';
import { type JiraClient, JiraRefusal } from './jira-client.ts';

/** A few MB. */
const ENTRIES_PAGE = 2000;

/** A site that refuses these goes on doing so; any other refusal is about the issues asked for. */
const notOffered: readonly number[] = [403, 404, 405, 410];

const page = z.object({
  issueChangeLogs: z.array(z.object({ issueId: idText, changeHistories: z.array(z.unknown()) })),
  nextPageToken: z.string().nullish(),
});

/** The changelogs of many issues of Jira Cloud at once, by issue id; null where Jira will not tell them that way. */
export type AskBulk = (ids: readonly string[]) => Promise<ReadonlyMap<string, Changelog> | null>;

/** Asks for changelogs in bulk as long as Jira offers that. */
export function createChangelogBulk(client: JiraClient): AskBulk {
  let offered = true;
  return async (ids) => {
    if (!offered || ids.length === 0) return null;
    try {
      return await readPages(client, ids);
    } catch (error) {
      if (!(error instanceof JiraRefusal)) throw error;
      if (notOffered.includes(error.status)) offered = false;
      return null;
    }
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
    const told: z.output<typeof page> = await client.ask(
      { method: 'POST', path: '/changelog/bulkfetch', body },
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
