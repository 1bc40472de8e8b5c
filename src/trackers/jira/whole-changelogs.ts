import { mapLimited } from '../../http-client/map-limited.ts';
import type { Instant } from '../../model/issue.ts';
import { type JiraItem, jiraHistory } from '../jira-json/jira-schema.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import {
  askChangelogPages,
  askChangelogTotal,
  type Changelog,
  changelogOf,
  createChangelogBulk,
  embeddedChangelog,
  joinChangelogs,
  lackOf,
  oldestFirst,
} from './changelog.ts';
import type { JiraClient, JiraKind } from './jira-client.ts';
import type { JiraSearch } from './jira-search.ts';
import type { IssueJson } from './listed-issues.ts';

/** Cloud cuts a changelog that comes with an issue at this many entries at the least, and its total may not say so. */
const MIN_CUT = 40;
const CONCURRENCY = 8;
const TRIES = 2;

/** After this many issues that fail alone while none succeeds, Jira is the cause. */
const MAX_FAILED = 3;

/** An issue and its changelog of one time, oldest entry first. `lack`: what is missing of it; null: nothing. */
export interface WholeIssue {
  readonly issue: IssueJson;
  readonly histories: readonly unknown[];
  readonly lack: string | null;
}

interface Read {
  readonly changelog: Changelog;
  readonly lack: string | null;
}

interface LoadedIssue {
  readonly issue: IssueJson;
  readonly read: Read;
}

/** The successes and failures among the issues of one page. */
interface Outcomes {
  told: number;
  failed: number;
}

/** The origin of issues. `askedAt`: the time of the request, by Jira's clock. */
interface WholeOf {
  readonly search: JiraSearch;
  readonly kind: JiraKind;
  readonly askedAt: Instant;
}

/** Completes the changelogs that came with issues. Issues that are gone meanwhile are left out. */
export function createWholeChangelogs(
  client: JiraClient,
): (issues: readonly IssueJson[], of: WholeOf) => Promise<WholeIssue[]> {
  const askBulk = createChangelogBulk(client);

  /** The issues as they are by now, with their earlier changelogs, which may have gone on. */
  async function reload(
    earlier: readonly LoadedIssue[],
    { search, kind }: WholeOf,
    luck: Outcomes,
  ): Promise<readonly LoadedIssue[]> {
    const { issues, failed } = await search.byIds(earlier.map(({ issue }) => issue.id));
    const known = new Map(earlier.map((one) => [one.issue.id, one]));
    const again = await mapLimited(CONCURRENCY, issues, async (issue): Promise<LoadedIssue | null> => {
      const whole = wholeAlready(kind, issue);
      if (whole !== null) return { issue, read: { changelog: whole, lack: null } };
      const read = await verify(client, issue, known.get(issue.id)?.read.changelog ?? null, luck);
      return read && { issue, read };
    });
    const asBefore = failed.flatMap(({ id }) => known.get(id) ?? []);
    return [...again.filter((one) => one !== null), ...asBefore];
  }

  return async (issues, of) => {
    const { kind, askedAt } = of;
    const already = new Map(issues.map((issue) => [issue, wholeAlready(kind, issue)]));
    const cut = kind === 'cloud' ? issues.filter((issue) => already.get(issue) === null) : [];
    const bulk = await askBulk(cut.map(({ id }) => id));
    const luck = { told: bulk.size, failed: 0 };
    const read = await mapLimited(CONCURRENCY, issues, async (issue): Promise<LoadedIssue | null> => {
      const whole = already.get(issue) ?? null;
      if (whole !== null) return { issue, read: { changelog: whole, lack: null } };
      const read = await verify(client, issue, bulk.get(issue.id) ?? null, luck);
      return read && { issue, read };
    });
    const complete = read.filter((one) => one !== null);
    const late = complete.filter(({ issue, read }) => changedSince(issue, read.changelog, askedAt));
    if (late.length === 0) return complete.map(wholeIssue);
    const again = new Map((await reload(late, of, luck)).map((one) => [one.issue.id, one]));
    return complete
      .flatMap((one) => (late.includes(one) ? (again.get(one.issue.id) ?? []) : one))
      .map(wholeIssue);
  };
}

/** The changelog that came with the issue, where it is complete for certain. */
function wholeAlready(kind: JiraKind, issue: IssueJson): Changelog | null {
  // An unusable issue is reported as such, whatever its changelog.
  if (issue.unlike !== null) return changelogOf([]);
  const along = embeddedChangelog(issue.changelog);
  if (along === null || along.entries.size < along.total) return null;
  return kind === 'dataCenter' || along.entries.size < MIN_CUT ? along : null;
}

/** The changelog so far if it has no gaps, else the one of its pages; null: the issue is gone. */
async function verify(
  client: JiraClient,
  issue: IssueJson,
  bulk: Changelog | null,
  luck: Outcomes,
): Promise<Read | null> {
  const along = embeddedChangelog(issue.changelog);
  // Without a changelog that came with the issue, nothing was counted yet.
  if (bulk !== null && along !== null && lackOf(bulk, along) === null) {
    const counted = mayBeCut(along) ? await askChangelogTotal(client, issue.id) : null;
    if (counted === null || bulk.entries.size >= counted) {
      return { changelog: joinChangelogs(bulk, along), lack: null };
    }
  }
  const known = along ?? changelogOf([]);
  let read: Read = { changelog: known, lack: 'Jira was not asked' };
  for (let tries = 0; tries < TRIES && read.lack !== null; tries += 1) {
    const paged = await askChangelogPages(client, issue.id);
    if (paged.kind === 'failed') {
      luck.failed += 1;
      if (luck.told === 0 && luck.failed >= MAX_FAILED) throw paged.failure;
      return { changelog: known, lack: `Jira fails to give the changelog: ${paged.failure.message}` };
    }
    luck.told += 1;
    if (paged.kind === 'gone') return null;
    if (paged.kind === 'refused') return { changelog: known, lack: paged.reason };
    const { changelog } = paged;
    read = { changelog: joinChangelogs(changelog, known), lack: lackOf(changelog, along) };
  }
  return read;
}

/**
 * Returns true where the changelog that came with the issue is long enough to be cut, and its total no more than
 * itself: some sites count only the entries they send, and then nothing shows whether the bulk is complete. The check
 * costs one small request for each issue with 40 entries or more of such a site, and where totals are true for those
 * with exactly as many as fit.
 */
function mayBeCut(along: Changelog): boolean {
  return along.entries.size >= MIN_CUT && along.total <= along.entries.size;
}

function wholeIssue({ issue, read: { changelog, lack } }: LoadedIssue): WholeIssue {
  return { issue, histories: oldestFirst(changelog), lack };
}

/** Jira writes an entry down some ms after it has written the issue, and some databases keep no part of a second. */
const USUALLY_LATER_MS = 2_000;

/** An entry this shortly before the request may be of a change that the fields do not show yet. */
const JUST_NOW_MS = 60_000;

/** Fields with a single value, as the issue and the changelog call them alike. */
const comparable: readonly string[] = [
  'status',
  'assignee',
  'reporter',
  'priority',
  'resolution',
  'issuetype',
];

/** Members by which one of these values is known in some place or other. */
const names: readonly string[] = ['id', 'accountId', 'key', 'name', 'displayName'];

/**
 * Returns true where the changelog has a change that the fields lack. An entry later than `updated` is no proof by
 * itself: a change of the workflow, for one, is written into changelogs only. `askedAt`: the time of the request, by
 * Jira's clock.
 */
export function changedSince({ fields }: IssueJson, changelog: Changelog, askedAt: Instant): boolean {
  const updated = parseInstant(fields.updated);
  if (updated === null) return false;
  const late = [...changelog.entries].filter(([, { at }]) => at !== null && at > updated + USUALLY_LATER_MS);
  if (late.length === 0) return false;
  if (late.some(([, { at }]) => at !== null && at > askedAt - JUST_NOW_MS)) return true;
  const newest = new Map<string, JiraItem>();
  for (const entry of oldestFirst({ ...changelog, entries: new Map(late) })) {
    const items = jiraHistory.safeParse(entry).data?.items ?? [];
    for (const item of items) newest.set(item.fieldId ?? item.field, item);
  }
  return comparable.some((field) => {
    const item = newest.get(field);
    return item !== undefined && field in fields && contradicts(item, fields[field]);
  });
}

/** Returns true where the issue shows another value than this item leads to. */
function contradicts({ to, toText }: JiraItem, shown: unknown): boolean {
  const values = [to, toText].filter((value) => Boolean(value));
  if (shown === null || typeof shown !== 'object') return values.length > 0;
  const known = names.map((name): unknown => Reflect.get(shown, name));
  return !values.some((value) => known.includes(value));
}
