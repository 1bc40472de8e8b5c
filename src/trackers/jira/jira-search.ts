import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { unreadFields } from '../../model/issues/issue-fields.ts';
import { minuteText } from '../../time/date-text.ts';
import { latestSafeMinute } from '../../time/wall-clock.ts';
import type { FailedIssue, SearchPlace, SearchWindow } from '../live-tracker.ts';
import { JiraOverload, JiraRefusal } from './jira-failures.ts';
import type { IssueJson, NamelessJson } from './listed-issues.ts';

/**
 * The requested parts of issues: all, with as much of the changelog as comes along; the time of update and the state;
 * or the identity only.
 */
export type Extent = 'whole' | 'updated' | 'keys';

/** A part of what was found, in order. */
export interface JsonPage {
  readonly issues: readonly IssueJson[];
  readonly nameless: readonly NamelessJson[];
  /** Those of which Jira shows no more than id and key, even by themselves. */
  readonly failed: readonly FailedIssue[];
  readonly next: SearchPlace | null;
}

/** A search, oldest issues first. */
export interface IssueQuery extends Pick<SearchWindow, 'by'> {
  /** The JQL of it, or of as much of it as is not before an instant. */
  jqlFrom(from: Instant | null): Promise<string>;
}

/** Issues asked for by id; those that are not there, or that our account may not see, are neither. */
export interface JsonIssues {
  readonly issues: readonly IssueJson[];
  readonly failed: readonly FailedIssue[];
}

/** Finding issues, which Cloud and Data Center do in different ways. */
export interface JiraSearch {
  /** An expired place is `bad-request`. An issue may be repeated. */
  page(query: IssueQuery, place: SearchPlace | null, extent: Extent): Promise<JsonPage>;
  /** About how many there are; null where that is refused. */
  count(jql: string): Promise<number | null>;
  /** Up to 100 issues by id. */
  byIds(ids: readonly string[]): Promise<JsonIssues>;
}

/** The fields of an extent. */
export function fieldsOf(extent: Extent): readonly string[] {
  if (extent === 'whole') return wholeIssue;
  return extent === 'updated' ? surveyed : bareIssue;
}

/** The fields that change with every fact that reports use; some trackers leave `updated` as it was. */
const surveyed: readonly string[] = ['updated', 'status', 'assignee'];

/** The cheapest fields: Jira reads nothing else for them. */
export const bareIssue: readonly string[] = ['id', 'key'];

/** An issue of which Jira shows no more than this. */
export function unshownIssue({ id, key }: IssueJson, reason: string): FailedIssue {
  return { id, key: key.toUpperCase(), reason };
}

/** The next issue cannot even be shown by id and key, so the search cannot go on: the message says where. */
export function searchStuckAt({ message, cause }: JiraOverload, lastId: string | null): JiraOverload {
  const where = lastId === null ? 'at its first issue' : `right after the issue with the id ${lastId}`;
  return new JiraOverload(`${message} The search is ${where}.`, { cause });
}

/** The fields to read: comments and the like are long, and no report uses them. */
export const wholeIssue: readonly string[] = ['*all', ...unreadFields.map((field) => `-${field}`)];

/** Holds for every issue: Cloud refuses a query that restricts nothing. */
const ANY = 'created >= "1970-01-01 00:00"';

/** The configured issues (JIRA_JQL), all where nothing is configured. */
export function configuredJql(configured: string | null): string {
  return configured === null ? ANY : `(${configured})`;
}

/** The issues of a window in its order; `timeZone` is that of our account, null where it is not known. */
export function windowJql(
  { by, from }: SearchWindow,
  configured: string | null,
  timeZone: string | null,
): string {
  const since = from === null ? null : `${by} >= "${jqlMinute(from, timeZone)}"`;
  const where =
    since === null ? configuredJql(configured) : configured === null ? since : `(${configured}) AND ${since}`;
  return `${where} ORDER BY ${by} ASC, key ASC`;
}

/** The query for those of these ids that the configured query has, all where there is none. */
function amongJql(ids: readonly string[], configured: string | null): string {
  const among = `id in (${ids.join(', ')})`;
  return configured === null ? among : `(${configured}) AND ${among}`;
}

/** Runs a search, and names the setting of its query where Jira does not understand it. */
export async function blameConfiguredJql<Answer>(
  configured: string | null,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (configured === null || !(error instanceof JiraRefusal) || error.status !== 400) throw error;
    const { reason, message, status, messages } = error;
    throw new JiraRefusal(reason, `${message} Is JIRA_JQL right? It is: ${configured}`, status, messages);
  }
}

const CHUNK = 100;

/** Issues to be searched together. `left`: what a refusal named among them before, and was not asked for again. */
interface Chunk {
  readonly ids: readonly string[];
  readonly left: readonly string[];
}

/** The ids of those that are among the configured issues and that a search finds. */
export async function findConfigured(
  search: JiraSearch,
  ids: readonly string[],
  configured: string | null,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let isRefused = false;
  const open: Chunk[] = [];
  for (let start = 0; start < ids.length; start += CHUNK) {
    open.push({ ids: ids.slice(start, start + CHUNK), left: [] });
  }
  for (let chunk = open.pop(); chunk !== undefined; chunk = open.pop()) {
    try {
      for await (const id of idsOf(search, queryOf(amongJql(chunk.ids, configured)))) found.add(id);
    } catch (error) {
      // Jira refuses the whole question for one issue that is gone or archived.
      if (!(error instanceof JiraRefusal) || error.status !== 400) throw error;
      isRefused = true;
      open.push(...parted(chunk, error.messages));
    }
  }
  // Jira may refuse the configured query itself, and then the missing issues are unknown.
  if (isRefused && found.size === 0) await search.page(queryOf(configuredJql(configured)), null, 'keys');
  return found;
}

/** The chunks that are left after a refusal: all but the issues it names, or both halves where it names none. */
function parted({ ids, left }: Chunk, sentences: readonly string[]): Chunk[] {
  const numbers = new Set(sentences.flatMap((sentence) => sentence.match(/\d+/g) ?? []));
  const isNamed = (id: string) => numbers.has(id);
  // A number that is named once more without its issue means something else.
  const wronged = left.filter(isNamed);
  const named = ids.filter(isNamed);
  const others = ids.filter((id) => !isNamed(id));
  const middle = ids.length >> 1;
  const rest =
    named.length > 0
      ? [{ ids: others, left: named }]
      : [ids.slice(0, middle), middle === 0 ? [] : ids.slice(middle)].map((half) => ({
          ids: half,
          left: [],
        }));
  return [{ ids: wronged, left: [] }, ...rest].filter((chunk) => chunk.ids.length > 0);
}

async function* idsOf(search: JiraSearch, query: IssueQuery): AsyncGenerator<string> {
  let place: SearchPlace | null = null;
  do {
    const page = await search.page(query, place, 'keys');
    for (const { id } of [...page.issues, ...page.failed]) yield id;
    place = page.next;
  } while (place !== null);
}

function queryOf(jql: string): IssueQuery {
  return { by: 'created', jqlFrom: async () => jql };
}

/** The configured ones of some issues: one asked for by id may have left them, or never been among them. */
export async function onlyConfigured(
  search: JiraSearch,
  issues: readonly IssueJson[],
  configured: string | null,
): Promise<readonly IssueJson[]> {
  if (configured === null || issues.length === 0) return issues;
  const ids = issues.map(({ id }) => id);
  const found = await findConfigured(search, ids, configured);
  return issues.filter(({ id }) => found.has(id));
}

/**
 * The latest minute of the account's clock that is not read as a later instant. Where its zone is not known, a day before
 * is early enough for all of them.
 */
function jqlMinute(instant: Instant, timeZone: string | null): string {
  return minuteText(timeZone === null ? instant - millisecondsInDay : latestSafeMinute(instant, timeZone));
}
