import {
  type AccessRule,
  type Directory,
  emptyDirectory,
  type FieldName,
  type Group,
} from '../model/directory.ts';
import type { FieldValue, Instant, Issue, Status, User } from '../model/issue.ts';
import { compareIds } from '../model/issues/ids-and-names.ts';
import type { Membership, Tracker, TrackerEntry } from '../trackers/tracker.ts';
import { createHistoryValues } from './history-values.ts';
import type { TrackerIssues } from './lists/tracker-issues.ts';
import type { StatusClash } from './lists/tracker-lists.ts';
import { mergeSnapshots } from './merge-snapshots.ts';
import type { SyncRecords } from './sync/sync-records.ts';
import { countChanged, createFieldTitles, type FieldTitles, useFieldIds } from './use-field-ids.ts';

/** Issues written at once: large enough to make the disk wait rarely, small enough to lose little when killed. */
const BATCH_ISSUES = 500;

/** A batch with long histories ends earlier, for all of it is held in memory. */
const BATCH_CHANGES = 20_000;

type Rejected = Extract<TrackerEntry, { kind: 'rejected' }>;
type Unreadable = Extract<TrackerEntry, { kind: 'unreadable' }>;

/** What a fill has done so far. An issue that came several times counts once, with the changes that are now kept. */
export interface FillSummary {
  issues: number;
  changes: number;
  /** Issues of which nothing new came. */
  unchanged: number;
  /** Why the history of an issue, by its key, is not whole in the store either. */
  readonly cut: Map<string, string>;
  /** Statuses in the lists that came. */
  statuses: number;
  sprints: number;
  filters: number;
  groups: number;
  /** Fields whose names came. */
  fields: number;
  /** What those lists call otherwise than other lists or issues do; known when all is in. */
  readonly clashes: StatusClash[];
  /** Statuses that issues mention and no list has, where there is a list; known when all is in. */
  readonly unlisted: FieldValue[];
  /** Titles of custom fields in changelogs that are no known field's; known when all is in. */
  readonly unmatched: string[];
  readonly rejected: Rejected[];
  readonly unreadable: Unreadable[];
}

/**
 * What became of issues so far, by key: twice the number of changes that are kept, and one more when any telling of the
 * issue was news. A number each, for there may be a million.
 */
type Outcomes = Map<string, number>;

interface Batch {
  readonly issues: Issue[];
  changes: number;
  readonly statuses: Map<string, Status>;
  readonly users: Map<string, User>;
}

/** What is remembered from one batch to the next. */
interface Course {
  readonly store: TrackerIssues;
  readonly titles: FieldTitles;
  readonly summary: FillSummary;
  readonly outcomes: Outcomes;
  /** Statuses and people as they were put last: most are mentioned in every batch. */
  readonly statuses: Map<string, Status>;
  readonly users: Map<string, User>;
  /** By which the changes of these issues call fields. */
  readonly changedFields: Set<string>;
  /** The ids of the fields that these issues have. */
  readonly ownFields: Set<string>;
  /** How often an issue was changed in the store. */
  changed: number;
}

/**
 * Takes everything a tracker has into the store, batch by batch: each issue whole or not at all, and safe to
 * repeat after any interruption. What belongs to the issues follows them, so that their changes name fields by id
 * wherever the fields' names are known; the moment of filling is noted only when all of it is in.
 */
export async function fill(
  tracker: Tracker,
  store: TrackerIssues,
  now: () => Instant,
  onProgress: (summary: FillSummary) => void = () => {},
): Promise<FillSummary> {
  const summary = emptySummary();
  const lists = new Set<string>();
  const listed = new Set<string>();
  const knownValues = await store.historyValues();
  const titles = createFieldTitles(createHistoryValues(knownValues), (await store.directory()).fields);
  const { values } = titles;
  const revision = await store.revision();
  const course: Course = {
    store,
    titles,
    summary,
    outcomes: new Map(),
    statuses: new Map(),
    users: new Map(),
    changedFields: new Set(),
    ownFields: new Set(),
    changed: 0,
  };
  const parts: Partial<Directory>[] = [];
  const memberships: Membership[] = [];
  const guesses: FieldName[] = [];
  let batch = emptyBatch();
  for await (const entry of tracker.entries()) {
    if (entry.kind === 'rejected') summary.rejected.push(entry);
    if (entry.kind === 'unreadable') summary.unreadable.push(entry);
    if (entry.kind === 'users') for (const user of entry.users) batch.users.set(user.id, user);
    if (entry.kind === 'membership') memberships.push(entry.membership);
    if (entry.kind === 'guess') guesses.push(entry.field);
    if (entry.kind === 'directory') {
      parts.push(entry.part);
      titles.note(entry.part.fields ?? []);
    }
    if (entry.kind === 'statuses') {
      if (entry.list === null) for (const status of entry.statuses) remember(batch.statuses, status);
      else {
        await store.putStatuses(entry.statuses, entry.list);
        // What was put of a list before may be put as a mention now.
        course.statuses.clear();
        lists.add(entry.list);
        for (const { id } of entry.statuses) listed.add(id);
        summary.statuses = listed.size;
      }
    }
    if (entry.kind === 'issue') {
      batch.issues.push(entry.issue);
      batch.changes += entry.issue.changes.length;
      if (batch.issues.length >= BATCH_ISSUES || batch.changes >= BATCH_CHANGES) {
        await write(batch, course);
        batch = emptyBatch();
        onProgress(summary);
      }
    }
  }
  await write(batch, course);
  let directory = directoryOf(parts);
  const named = new Set([...(await store.directory()).fields, ...directory.fields].map(({ id }) => id));
  const fields = guesses.filter(({ id }) => !named.has(id));
  directory = addToDirectory(directory, { fields });
  titles.note(fields);
  const written = revision + course.changed;
  // With a higher revision, something else has changed issues meanwhile.
  if (values.seenTo() === revision && (await store.revision()) === written) values.setSeenTo(written);
  // An earlier version has not learnt from the issues that are kept.
  const isUnread = knownValues === null && revision > 0;
  // Names that came behind issues, or after an earlier import, speak of those issues as well.
  if (isUnread || titles.isNew() || values.hasNews()) await useFieldIds(store, titles);
  if (knownValues === null || values.version() > 0) await store.putHistoryValues(values.text());
  const { groups: stored } = await store.directory();
  await store.putDirectory({ ...directory, groups: joinGroups(stored, directory.groups, memberships) });
  countDirectory(directory, memberships, summary);
  for (const list of lists) noteClashes(await store.clashes(list), summary);
  for (const { id, name, unlisted } of (await store.statuses()).values()) {
    if (unlisted) summary.unlisted.push({ id, name });
  }
  summary.unmatched.push(...titles.unmatched(course.changedFields, course.ownFields));
  if (summary.issues > 0) await store.putFilledAt(now());
  onProgress(summary);
  return summary;
}

/** What a fill has done before it begins. */
export function emptySummary(): FillSummary {
  return {
    issues: 0,
    changes: 0,
    unchanged: 0,
    cut: new Map(),
    statuses: 0,
    sprints: 0,
    filters: 0,
    groups: 0,
    fields: 0,
    clashes: [],
    unlisted: [],
    unmatched: [],
    rejected: [],
    unreadable: [],
  };
}

/** Two lists that contradict each other both say so; one word about an id is enough. */
function noteClashes(found: readonly StatusClash[], { clashes }: FillSummary): void {
  for (const clash of found) if (!clashes.some(({ id }) => id === clash.id)) clashes.push(clash);
}

function countDirectory(
  { sprints, filters, groups, fields }: Directory,
  memberships: readonly Membership[],
  summary: FillSummary,
): void {
  const received = [...groups, ...memberships.flatMap((one) => one.groups)];
  summary.sprints = sprints.length;
  summary.filters = filters.length;
  summary.groups = new Set(received.map(({ id }) => id)).size;
  summary.fields = fields.length;
}

function emptyBatch(): Batch {
  return { issues: [], changes: 0, statuses: new Map(), users: new Map() };
}

/** A bare name from a change must not hide a category learnt from an issue in the same batch. */
function remember(statuses: Map<string, Status>, status: Status): void {
  if (status.category === 'Undefined' && statuses.has(status.id)) return;
  statuses.set(status.id, status);
}

async function write(batch: Batch, course: Course): Promise<void> {
  const { store, titles, summary, outcomes } = course;
  const statuses = changedEntries(batch.statuses, course.statuses);
  const users = changedEntries(batch.users, course.users);
  if (statuses.length > 0) await store.putStatuses(statuses, null);
  if (users.length > 0) await store.putUsers(users);
  if (batch.issues.length === 0) return;
  titles.noteValues(batch.issues);
  for (const { changes, fields } of batch.issues) {
    for (const { field } of changes) course.changedFields.add(field);
    for (const id in fields) course.ownFields.add(id);
  }
  const merge = (stored: Issue, incoming: Issue) => mergeSnapshots(titles.useIds(stored), incoming);
  const stored = await store.putIssues(batch.issues.map(titles.useIds), merge);
  course.changed += countChanged(stored);
  for (const { issue, changed } of stored) {
    const before = outcomes.get(issue.key);
    const wasChanged = before !== undefined && before % 2 === 1;
    const isChanged = changed || wasChanged;
    const { length } = issue.changes;
    outcomes.set(issue.key, 2 * length + Number(isChanged));
    summary.issues += before === undefined ? 1 : 0;
    summary.changes += length - Math.floor((before ?? 0) / 2);
    summary.unchanged += Number(!isChanged) - Number(before !== undefined && !wasChanged);
    if (issue.history.complete) summary.cut.delete(issue.key);
    else summary.cut.set(issue.key, issue.history.reason);
  }
}

/** Those that are not as they were put last; from now on they are. */
function changedEntries<Entry extends { readonly id: string }>(
  received: ReadonlyMap<string, Entry>,
  last: Map<string, Entry>,
): Entry[] {
  return [...received.values()].filter((entry) => {
    const before = last.get(entry.id);
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(entry)) return false;
    last.set(entry.id, entry);
    return true;
  });
}

/** What parts of a directory are together; of entries with one id the last counts. */
export function directoryOf(parts: readonly Partial<Directory>[]): Directory {
  return addToDirectory(emptyDirectory, {
    sprints: parts.flatMap((part) => part.sprints ?? []),
    filters: parts.flatMap((part) => part.filters ?? []),
    groups: parts.flatMap((part) => part.groups ?? []),
    fields: parts.flatMap((part) => part.fields ?? []),
    issueTypes: parts.flatMap((part) => part.issueTypes ?? []),
    priorities: parts.flatMap((part) => part.priorities ?? []),
    versions: parts.flatMap((part) => part.versions ?? []),
    access: parts.flatMap((part) => part.access ?? []),
    calendars: parts.flatMap((part) => part.calendars ?? []),
    parameterSets: parts.flatMap((part) => part.parameterSets ?? []),
    categories: parts.flatMap((part) => part.categories ?? []),
    delegations: parts.flatMap((part) => part.delegations ?? []),
  });
}

/** Issues that came into a store, are not as they were, or went out of it. */
interface Written {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}

/** The same stores, counting what is written by way of them. */
export function countWritten<Issues extends TrackerIssues>(
  issues: Issues,
  sync: SyncRecords,
): { readonly issues: Issues; readonly sync: SyncRecords; readonly written: () => Written } {
  let [added, updated, removed] = [0, 0, 0];
  const counting: Issues = {
    ...issues,
    async putIssues(incoming, merge) {
      const known = new Set<Issue>();
      const stored = await issues.putIssues(incoming, (before, received) => {
        known.add(received);
        return merge(before, received);
      });
      for (const [place, issue] of incoming.entries()) {
        if (stored[place]?.changed !== true) continue;
        if (known.has(issue)) updated += 1;
        else added += 1;
      }
      return stored;
    },
  };
  return {
    issues: counting,
    sync: {
      ...sync,
      async removeIssues(ids) {
        const before = await issues.count();
        await sync.removeIssues(ids);
        removed += Math.max(0, before - (await issues.count()));
      },
    },
    written: () => ({ added, updated, removed }),
  };
}

/** The directory with these entries in it, each list by id; an entry of the same id is replaced. */
export function addToDirectory(directory: Directory, part: Partial<Directory>): Directory {
  const byId = ({ id }: { readonly id: string | number | null }) => String(id);
  return {
    sprints: replaced(directory.sprints, part.sprints, byId),
    filters: replaced(directory.filters, part.filters, byId),
    groups: replaced(directory.groups, part.groups, byId),
    fields: replaced(directory.fields, part.fields, byId),
    issueTypes: replaced(directory.issueTypes, part.issueTypes, byId),
    priorities: replaced(directory.priorities, part.priorities, byId),
    versions: replaced(directory.versions, part.versions, byId),
    access: replaced(directory.access, part.access, ({ kind, id }: AccessRule) => `${kind} ${id}`),
    calendars: replaced(directory.calendars, part.calendars, byId),
    parameterSets: replaced(directory.parameterSets, part.parameterSets, byId),
    categories: replaced(directory.categories, part.categories, byId),
    delegations: replaced(directory.delegations, part.delegations, byId),
  };
}

function replaced<Entry>(
  entries: readonly Entry[],
  added: readonly Entry[] = [],
  idOf: (entry: Entry) => string,
): readonly Entry[] {
  if (added.length === 0) return entries;
  const byId = new Map([...entries, ...added].map((entry) => [idOf(entry), entry]));
  return [...byId].sort(([a], [b]) => compareIds(a, b)).map(([, entry]) => entry);
}

/**
 * The groups from now on. A group that came replaces the kept one; a membership adds its person to the groups it
 * names and, when it is whole, takes the person out of every other kept one. What comes together adds up.
 */
export function joinGroups(
  stored: readonly Group[],
  received: readonly Group[],
  memberships: readonly Membership[],
): Group[] {
  const leaving = new Set(memberships.flatMap(({ user, whole }) => (whole ? [user] : [])));
  const groups = new Map<string, { readonly name: string; readonly members: Set<string> }>();
  for (const { id, name, members } of stored) {
    groups.set(id, { name, members: new Set(members.filter((member) => !leaving.has(member))) });
  }
  for (const { id, name, members } of received) groups.set(id, { name, members: new Set(members) });
  for (const { user, groups: joined } of memberships) {
    for (const { id, name } of joined) {
      const members = groups.get(id)?.members ?? new Set();
      groups.set(id, { name, members: members.add(user) });
    }
  }
  return [...groups].map(([id, { name, members }]) => ({ id, name, members: [...members] }));
}
