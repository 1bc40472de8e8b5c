import type { Directory, FieldName } from '../model/directory.ts';
import type { FieldValue, Instant, Issue, Status, User } from '../model/issue.ts';
import type { Membership, Tracker, TrackerEntry } from '../trackers/tracker.ts';
import { createHistoryValues } from './history-values.ts';
import type { TrackerIssues } from './lists/tracker-issues.ts';
import { joinDirectory, joinGroups, type StatusClash } from './lists/tracker-lists.ts';
import { mergeSnapshots } from './merge-snapshots.ts';
import type { SyncRecords } from './sync/sync-records.ts';
import { countChanged, createFieldTitles, type FieldTitles, useFieldIds } from './use-field-ids.ts';

/** Issues written at once: large enough to make the disk wait rarely, small enough to lose little when killed. */
const BATCH_ISSUES = 500;

/** A batch with long histories ends earlier, for all of it is in memory. */
const BATCH_CHANGES = 20_000;

/** The counts of a fill so far. An issue that came several times counts once, with the changes that are now stored. */
export interface FillSummary {
  issues: number;
  changes: number;
  /** The number of issues of which nothing new came. */
  unchanged: number;
  /** The reasons why histories are not whole in the store either, by issue key. */
  readonly cut: Map<string, string>;
  /** The number of statuses in the lists that came. */
  statuses: number;
  sprints: number;
  filters: number;
  groups: number;
  /** The number of fields whose names came. */
  fields: number;
  /** Statuses that those lists name otherwise than other lists or issues do; known at the end. */
  readonly clashes: StatusClash[];
  /** Statuses that issues mention and no list has, where there is a list; known at the end. */
  readonly unlisted: FieldValue[];
  /** Titles of custom fields in changelogs that are no known field's; known at the end. */
  readonly unmatched: string[];
  readonly rejected: Extract<TrackerEntry, { kind: 'rejected' }>[];
  readonly unreadable: Extract<TrackerEntry, { kind: 'unreadable' }>[];
}

/** Entries that are written together. */
interface Batch {
  readonly issues: Issue[];
  changes: number;
  readonly statuses: Map<string, Status>;
  readonly users: Map<string, User>;
}

/** The state that a fill has from one batch to the next. */
interface Course {
  readonly store: TrackerIssues;
  readonly titles: FieldTitles;
  readonly summary: FillSummary;
  /**
   * The outcomes of issues by key: twice the number of changes that are stored, and one more when anything of the issue
   * was news. An outcome is a number, for there may be a million.
   */
  readonly outcomes: Map<string, number>;
  /** Statuses and people as they were put last: most are mentioned in every batch. */
  readonly statuses: Map<string, Status>;
  readonly users: Map<string, User>;
  /** The names or ids by which the changes of these issues call fields. */
  readonly changedFields: Set<string>;
  /** The ids of the fields that these issues have. */
  readonly ownFields: Set<string>;
  /** The number of changes of issues in the store. */
  changed: number;
}

/**
 * Takes everything a tracker has into the store, batch by batch: each issue whole or not at all, and safe to
 * repeat after any interruption. What belongs to the issues follows them, so that their changes name fields by id
 * wherever the fields' names are known; the instant of the fill is noted only when all of it is in the store.
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
      if (entry.list === null) for (const status of entry.statuses) addStatus(batch.statuses, status);
      else {
        await store.putStatuses(entry.statuses, entry.list);
        // A status that was put as one of a list before may be put as a mention now.
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
  const namedFields = [...(await store.directory()).fields, ...parts.flatMap((part) => part.fields ?? [])];
  const named = new Set(namedFields.map(({ id }) => id));
  const fields = guesses.filter(({ id }) => !named.has(id));
  const directory = joinDirectory([...parts, { fields }]);
  titles.note(fields);
  const written = revision + course.changed;
  // With a higher revision, something else has changed issues meanwhile.
  if (values.seenTo() === revision && (await store.revision()) === written) values.setSeenTo(written);
  // An earlier version has not learnt from the stored issues.
  const isUnread = knownValues === null && revision > 0;
  // Names that came behind issues, or after an earlier import, speak of those issues as well.
  if (isUnread || titles.isNew() || values.hasNews()) await useFieldIds(store, titles);
  if (knownValues === null || values.version() > 0) await store.putHistoryValues(values.text());
  const { groups: stored } = await store.directory();
  await store.putDirectory({ ...directory, groups: joinGroups(stored, directory.groups, memberships) });
  const receivedGroups = [...directory.groups, ...memberships.flatMap((one) => one.groups)];
  summary.sprints = directory.sprints.length;
  summary.filters = directory.filters.length;
  summary.groups = new Set(receivedGroups.map(({ id }) => id)).size;
  summary.fields = directory.fields.length;
  for (const list of lists) {
    // Two lists that contradict each other both say so; one word about an id is enough.
    for (const clash of await store.clashes(list))
      if (!summary.clashes.some(({ id }) => id === clash.id)) summary.clashes.push(clash);
  }
  for (const { id, name, unlisted } of (await store.statuses()).values()) {
    if (unlisted) summary.unlisted.push({ id, name });
  }
  summary.unmatched.push(...titles.unmatched(course.changedFields, course.ownFields));
  if (summary.issues > 0) await store.putFilledAt(now());
  onProgress(summary);
  return summary;
}

/** The summary of a fill that has not begun. */
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

function emptyBatch(): Batch {
  return { issues: [], changes: 0, statuses: new Map(), users: new Map() };
}

/** Adds a status to others. A bare name from a change must not hide a category that was learnt from an issue. */
export function addStatus(statuses: Map<string, Status>, status: Status): void {
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

/** The entries that are not as they were put last; from now on they are. */
function changedEntries<Entry extends { readonly id: string }>(
  received: ReadonlyMap<string, Entry>,
  last: Map<string, Entry>,
): Entry[] {
  return [...received.values()].filter((entry) => {
    if (JSON.stringify(last.get(entry.id)) === JSON.stringify(entry)) return false;
    last.set(entry.id, entry);
    return true;
  });
}

/**
 * The same stores, and the numbers of issues that were added, updated and removed by way of them; `onWritten` gets those
 * that were added or updated together.
 */
export function countWritten(
  issues: TrackerIssues,
  sync: SyncRecords,
  onWritten: (issues: readonly Issue[]) => void = () => {},
) {
  let [added, updated, removed] = [0, 0, 0];
  const countingIssues: TrackerIssues = {
    ...issues,
    async putIssues(incoming, merge) {
      const known = new Set<Issue>();
      const stored = await issues.putIssues(incoming, (before, received) => {
        known.add(received);
        return merge(before, received);
      });
      const written = incoming.filter((_, i) => stored[i]?.changed === true);
      const again = written.filter((issue) => known.has(issue)).length;
      updated += again;
      added += written.length - again;
      if (written.length > 0) onWritten(written);
      return stored;
    },
  };
  const countingSync: SyncRecords = {
    ...sync,
    async removeIssues(ids) {
      const before = await issues.count();
      await sync.removeIssues(ids);
      removed += Math.max(0, before - (await issues.count()));
    },
  };
  return {
    issues: countingIssues,
    sync: countingSync,
    written: () => ({ added, updated, removed }),
  };
}
