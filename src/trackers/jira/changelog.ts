import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import { isRecord } from '../jira-json/json-members.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import { idText } from '../jira-json/read-references.ts';
import { askIssue, createPageSize } from './issues-by-id.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraOverload, JiraRefusal } from './jira-failures.ts';

const entryHead = z.object({ id: idText, created: z.union([z.string(), z.number()]) });
const embedded = z.object({ histories: z.array(z.unknown()), total: z.number() });

/** An entry of a changelog as Jira sends it; an unreadable one is identified by its whole text. */
interface ChangelogEntry {
  readonly id: string;
  readonly at: Instant | null;
  readonly raw: unknown;
}

/** The entries of one answer, or of all pages, each once; `total`: their number according to Jira. */
export interface Changelog {
  readonly entries: ReadonlyMap<string, ChangelogEntry>;
  readonly total: number;
}

/** Repeated entries, as on overlapping pages, count once. */
export function changelogOf(histories: readonly unknown[], total = 0): Changelog {
  const entries = histories.map(readEntry).map((entry) => [entry.id, entry] as const);
  return { entries: new Map(entries), total };
}

/** The changelog that came along with an issue; null when it carries none, or none that says how long it is. */
export function embeddedChangelog(raw: unknown): Changelog | null {
  const parsed = embedded.safeParse(raw);
  return parsed.success ? changelogOf(parsed.data.histories, parsed.data.total) : null;
}

/** The entries as Jira sends them, oldest first, in whatever order they came. */
export function oldestFirst({ entries }: Changelog): unknown[] {
  return [...entries.values()]
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || compareIds(a.id, b.id))
    .map(({ raw }) => raw);
}

/**
 * The known gaps: entries that were counted, or that came with the issue before, or their times; null where there are
 * none.
 */
export function lackOf(fetched: Changelog, along: Changelog | null): string | null {
  const { entries } = fetched;
  const total = Math.max(fetched.total, along?.total ?? 0);
  if (entries.size < total) return `Jira counts ${total} changelog entries and hands out ${entries.size}`;
  const missing = [...(along?.entries.keys() ?? [])].filter((id) => !entries.has(id)).length;
  if (missing > 0) return `${missing} changelog entries that came with the issue are not in its changelog`;
  const others = [...(along?.entries ?? [])].filter(([id, { at }]) => isApart(entries.get(id)?.at ?? at, at));
  return others.length === 0
    ? null
    : `Jira gives other times for ${others.length} changelog entries than with the issue`;
}

/** An instant in seconds is less exact than that of the issue's own changelog. */
function isApart(one: Instant | null, other: Instant | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) >= 1000;
}

/** Both together; of an entry in both, the instant of `b` is taken where it has one. */
export function joinChangelogs(a: Changelog, b: Changelog): Changelog {
  const better = [...b.entries].filter(([id, { at }]) => at !== null || !a.entries.has(id));
  return { entries: new Map([...a.entries, ...better]), total: Math.max(a.total, b.total) };
}

function readEntry(raw: unknown): ChangelogEntry {
  // As Jira writes them, which the schema need not look at.
  if (isRecord(raw) && typeof raw.id === 'string' && typeof raw.created === 'string') {
    return { id: raw.id, at: parseInstant(raw.created), raw };
  }
  const head = entryHead.safeParse(raw);
  if (!head.success) return { id: JSON.stringify(raw), at: null, raw };
  return { id: head.data.id, at: parseInstant(head.data.created), raw };
}

/** A few MB. */
const ENTRIES_PAGE = 2000;
const MAX_ISSUES = 1000;

/** After this many issues in a row that fail alone, the issues are not the cause. */
const MAX_FAILED_IN_A_ROW = 3;

/** A site that refuses these goes on doing so; any other refusal is about the issues asked for. */
const notOffered: readonly number[] = [403, 404, 405, 410];

const bulkPage = z.object({
  issueChangeLogs: z.array(z.object({ issueId: idText, changeHistories: z.array(z.unknown()) })),
  nextPageToken: z.string().nullish(),
});

/**
 * The changelogs of many issues of Jira Cloud at once, by issue id, including empty ones; those that Jira refuses or
 * fails to send that way are left out.
 */
type AskBulk = (ids: readonly string[]) => Promise<ReadonlyMap<string, Changelog>>;

/** Reads changelogs in bulk as long as Jira offers that, and fewer at once where one of them is too large for it. */
export function createChangelogBulk(client: JiraClient): AskBulk {
  const portions = createPageSize(MAX_ISSUES);
  let offered = true;
  return async (ids) => {
    const changelogs = new Map<string, Changelog>();
    let inARow = 0;
    for (let start = 0; offered && start < ids.length; ) {
      let chunk: readonly string[] = [];
      try {
        const read = await portions(ids.length - start, ({ size }) => {
          chunk = ids.slice(start, start + size);
          return readBulkPages(client, chunk);
        });
        for (const id of chunk) changelogs.set(id, read.get(id) ?? changelogOf([]));
        inARow = 0;
      } catch (error) {
        if (error instanceof JiraRefusal) {
          if (notOffered.includes(error.status)) offered = false;
        } else if (error instanceof JiraOverload) {
          inARow += 1;
        } else throw error;
        if (inARow === MAX_FAILED_IN_A_ROW) break;
      }
      start += chunk.length;
    }
    return changelogs;
  };
}

async function readBulkPages(client: JiraClient, ids: readonly string[]): Promise<Map<string, Changelog>> {
  const histories = new Map<string, unknown[]>();
  const tokens = new Set<string>();
  let token: string | null = null;
  do {
    const body = {
      issueIdsOrKeys: ids,
      maxResults: ENTRIES_PAGE,
      ...(token === null ? {} : { nextPageToken: token }),
    };
    // There is another way to read them, so this one is tried seldom.
    const answer: z.output<typeof bulkPage> = await client.ask(
      { method: 'POST', path: '/changelog/bulkfetch', body, tries: 'few' },
      bulkPage,
    );
    for (const { issueId, changeHistories } of answer.issueChangeLogs) {
      const known = histories.get(issueId) ?? [];
      known.push(...changeHistories);
      histories.set(issueId, known);
    }
    const next: string | null = answer.nextPageToken || null;
    if (next !== null && tokens.has(next)) {
      throw new AppError(
        'tracker-unavailable',
        "Jira's '/changelog/bulkfetch' leads from page to page in a circle.",
      );
    }
    if (next !== null) tokens.add(next);
    token = next;
  } while (token !== null);
  return new Map([...histories].map(([id, entries]) => [id, changelogOf(entries)]));
}

const PAGE = 100;

const counted = z.object({ total: z.number() });
const page = z.object({ total: z.number(), isLast: z.boolean().nullish(), values: z.array(z.unknown()) });

/**
 * The changelog of one issue, read to its end; or the issue is gone, or Jira refuses, or it fails, possibly because of
 * this issue.
 */
type ReadChangelog =
  | { readonly kind: 'read'; readonly changelog: Changelog }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: JiraOverload };

/** Reads the changelog of one issue page by page. */
export async function askChangelogPages(client: JiraClient, id: string): Promise<ReadChangelog> {
  try {
    return { kind: 'read', changelog: await readPages(client, id) };
  } catch (error) {
    if (error instanceof JiraOverload) return { kind: 'failed', failure: error };
    if (!(error instanceof JiraRefusal)) throw error;
    if ((await client.kind()) === 'dataCenter') return askWithIssue(client, id);
    if (error.status === 404) return { kind: 'gone' };
    return { kind: 'refused', reason: `Jira does not give the whole changelog: ${error.message}` };
  }
}

/** The number of changelog entries that Jira counts for an issue; null where it does not say. One small request. */
export async function askChangelogTotal(client: JiraClient, id: string): Promise<number | null> {
  const path = `/issue/${encodeURIComponent(id)}/changelog`;
  try {
    return (await client.ask({ method: 'GET', path, query: { maxResults: '1' }, tries: 'few' }, counted))
      .total;
  } catch (error) {
    if (error instanceof JiraRefusal || error instanceof JiraOverload) return null;
    throw error;
  }
}

async function readPages(client: JiraClient, id: string): Promise<Changelog> {
  const path = `/issue/${encodeURIComponent(id)}/changelog`;
  const histories: unknown[] = [];
  for (;;) {
    const query = { startAt: String(histories.length), maxResults: String(PAGE) };
    const { total, isLast, values } = await client.ask({ method: 'GET', path, query }, page);
    histories.push(...values);
    // An issue may go on changing meanwhile: the newest total counts.
    if (values.length === 0 || (histories.length >= total && isLast !== false))
      return changelogOf(histories, total);
  }
}

/** Older versions of Data Center send a changelog with its issue only, and then all of it. */
async function askWithIssue(client: JiraClient, id: string): Promise<ReadChangelog> {
  const answer = await askIssue(client, id);
  if ('failed' in answer) return { kind: 'refused', reason: answer.failed.reason };
  if (answer.issue === null) return { kind: 'gone' };
  const changelog = embeddedChangelog(answer.issue.changelog);
  if (changelog === null) return { kind: 'refused', reason: 'Jira gives no changelog with the issue' };
  return { kind: 'read', changelog };
}
