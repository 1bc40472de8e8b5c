import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from './temporary-folder.ts';

/** An issue as an export spells it; tests bend it as they like. */
export interface RawIssue {
  id: string;
  key: string;
  fields: Record<string, unknown>;
  changelog?: RawChangelog;
}

export interface RawChangelog {
  startAt?: number;
  maxResults?: number;
  total?: number;
  histories: RawHistory[];
}

export interface RawHistory {
  id?: string;
  author?: Record<string, unknown>;
  created: string | number;
  items: Record<string, unknown>[];
}

/** What happened to an issue in one changelog entry, told so far; `at` adds the next entry. */
interface JiraStory {
  at(instant: string, ...deeds: Deed[]): JiraStory;
  /** As Jira Cloud exports it: newest entry first, account ids, field ids. */
  onCloud(): RawIssue;
  /** As Jira Data Center exports it: oldest entry first, user keys, fields by title. */
  onDataCenter(): RawIssue;
}

type SetField = 'components' | 'fixVersions' | 'versions';

interface State {
  status: string;
  assignee: string | null;
  labels: string[];
  components: string[];
  fixVersions: string[];
  versions: string[];
}

/** Changes the state and tells the item that Jira logs for it. */
type Deed = (state: State) => Item;

interface Item {
  readonly field: string;
  readonly fieldId: string;
  readonly from: readonly [id: string, name: string] | null;
  readonly to: readonly [id: string, name: string] | null;
}

export const movesTo =
  (status: string): Deed =>
  (state) => {
    const from = state.status;
    state.status = status;
    return { field: 'status', fieldId: 'status', from: [idOf(from), from], to: [idOf(status), status] };
  };

export const isAssignedTo =
  (user: string | null): Deed =>
  (state) => {
    const from = state.assignee;
    state.assignee = user;
    const named = (one: string | null) => (one === null ? null : ([one, titleCase(one)] as const));
    return { field: 'assignee', fieldId: 'assignee', from: named(from), to: named(user) };
  };

export const adds =
  (field: SetField, name: string): Deed =>
  (state) => {
    state[field].push(name);
    return { field: titles[field], fieldId: field, from: null, to: [idOf(name), name] };
  };

export const removes =
  (field: SetField, name: string): Deed =>
  (state) => {
    state[field] = state[field].filter((one) => one !== name);
    return { field: titles[field], fieldId: field, from: [idOf(name), name], to: null };
  };

export const isLabelled =
  (...labels: string[]): Deed =>
  (state) => {
    const from = state.labels;
    state.labels = labels;
    return { field: 'labels', fieldId: 'labels', from: ['', from.join(' ')], to: ['', labels.join(' ')] };
  };

/** An issue as it was created, in To Do and with nobody working on it unless said otherwise. */
export function jiraIssue(
  key: string,
  { created = '2026-03-02T09:00:00.000Z', ...start }: Partial<State & { created: string }> = {},
): JiraStory {
  return story(key, created, start, []);
}

interface Told {
  readonly instant: string;
  readonly deeds: readonly Deed[];
}

function story(key: string, created: string, start: Partial<State>, entries: readonly Told[]): JiraStory {
  return {
    at: (instant, ...deeds) => story(key, created, start, [...entries, { instant, deeds }]),
    onCloud: () => tell(key, created, start, entries, 'cloud'),
    onDataCenter: () => tell(key, created, start, entries, 'data center'),
  };
}

function tell(
  key: string,
  created: string,
  start: Partial<State>,
  entries: readonly Told[],
  edition: 'cloud' | 'data center',
): RawIssue {
  const state: State = {
    ...{ status: 'To Do', assignee: null, labels: [], components: [], fixVersions: [], versions: [] },
    ...structuredClone(start),
  };
  const cloud = edition === 'cloud';
  const histories = entries.map(({ instant, deeds }, i) => ({
    id: String(10_001 + i),
    author: person('grace', cloud),
    created: spelled(instant),
    items: deeds.map((deed) => {
      const { field, fieldId, from, to } = deed(state);
      return {
        field,
        fieldtype: 'jira',
        ...(cloud ? { fieldId } : {}),
        from: from?.[0] ?? null,
        fromString: from?.[1] ?? null,
        to: to?.[0] ?? null,
        toString: to?.[1] ?? null,
      };
    }),
  }));
  const named = (names: readonly string[]) => names.map((name) => ({ id: idOf(name), name }));
  return {
    id: String(20_000 + Number(key.split('-').at(-1))),
    key,
    fields: {
      summary: `What ${key} is about`,
      created: spelled(created),
      updated: spelled(entries.at(-1)?.instant ?? created),
      resolutiondate: null,
      status: { id: idOf(state.status), name: state.status, statusCategory: categoryOf(state.status) },
      project: { id: '10', key: key.split('-')[0], name: 'Demonstration' },
      assignee: state.assignee === null ? null : person(state.assignee, cloud),
      labels: state.labels,
      components: named(state.components),
      fixVersions: named(state.fixVersions),
      versions: named(state.versions),
    },
    changelog: {
      startAt: 0,
      maxResults: histories.length,
      total: histories.length,
      histories: cloud ? histories.toReversed() : histories,
    },
  };
}

/** The issue as an export has it that kept only the newest entries. */
export function keepNewest(issue: RawIssue, count: number): RawIssue {
  return keep(issue, (entries) => entries.slice(Math.max(0, entries.length - count)));
}

/** The issue as an export has it that kept only the oldest entries. */
export function keepOldest(issue: RawIssue, count: number): RawIssue {
  return keep(issue, (entries) => entries.slice(0, count));
}

/** `choose` gets the entries oldest first; they stay in the order they were in. */
function keep(issue: RawIssue, choose: (entries: RawHistory[]) => RawHistory[]): RawIssue {
  const { changelog } = issue;
  if (changelog === undefined) return issue;
  const oldestFirst = changelog.histories.toSorted((a, b) => Number(a.id) - Number(b.id));
  const kept = new Set(choose(oldestFirst));
  return {
    ...issue,
    changelog: { ...changelog, histories: changelog.histories.filter((entry) => kept.has(entry)) },
  };
}

/** A page of Jira's search result. */
export function searchResult(...issues: unknown[]) {
  return { expand: 'schema,names', startAt: 0, maxResults: issues.length, total: issues.length, issues };
}

/** A user of Jira Cloud as an export has them; `ada` has the id `ada`. */
export function jiraUser(id: string) {
  return { accountId: id, displayName: id, emailAddress: `${id}@example.com` };
}

/** Writes a file into a new folder and returns its path; a name that ends in .gz has it gzipped. */
export function exportFile(content: unknown, name = 'issues.json'): string {
  const path = join(temporaryFolder(), name);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

const titles = { components: 'Component', fixVersions: 'Fix Version', versions: 'Version' } as const;

const ids = ['To Do', 'In Progress', 'In Review', 'Done', 'Web', 'Backend', 'Docs', '1.0', '2.0', '3.0'];

/** Known names have an id of their own; an unknown one is its own id. */
function idOf(name: string): string {
  const index = ids.indexOf(name);
  return index === -1 ? name : String(index + 7);
}

function categoryOf(status: string) {
  const key = { 'To Do': 'new', Done: 'done' }[status] ?? 'indeterminate';
  return { id: 2, key, name: status };
}

function person(id: string, cloud: boolean) {
  const displayName = titleCase(id);
  return cloud ? { accountId: id, displayName } : { key: id, name: id, displayName };
}

function titleCase(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Jira's spelling of an instant, with an offset that lacks its colon. */
function spelled(instant: string): string {
  return new Date(instant).toISOString().replace('Z', '+0000');
}
