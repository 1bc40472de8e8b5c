import type { Change, FieldValue, History, Issue, Status } from '../../model/issue.ts';
import { joinValues } from '../../model/issues/value-sets.ts';
import type { FoundIssue } from '../live-tracker.ts';
import type { TrackerEntry } from '../tracker.ts';
import { CYCLE, ESTIMATE, type LinearNames } from './linear-lists.ts';
import type { HistoryEntry, LinearIssue } from './linear-schema.ts';

/**
 * The reason for missing entries of a history. Linear refuses them (`isFinal`), or failed to show them, so that another
 * reading may have them.
 */
interface HistoryCut {
  readonly reason: string;
  readonly isFinal: boolean;
}

/** An issue with its history, as far as it could be read. */
export interface WholeLinearIssue {
  readonly issue: LinearIssue;
  /** Entries in Linear's order, the newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly cut: HistoryCut | null;
}

/** The parts that an issue is read with. `parents` are the identifiers of issues by id, as far as they are known. */
interface ReadParts {
  readonly names: LinearNames;
  readonly parents: ReadonlyMap<string, string>;
}

/** Reads an issue in Dwell's nouns, after the statuses, people and sprints that it mentions. */
export function readLinearIssue(whole: WholeLinearIssue, parts: ReadParts): TrackerEntry[] {
  const { issue, entries } = whole;
  const { names } = parts;
  const value = valuesBy(parts);
  // Entries of one instant keep their order.
  const inOrder = isNewestFirst(entries) ? entries.toReversed() : entries;
  const oldestFirst = inOrder.toSorted((a, b) => a.createdAt - b.createdAt);
  const changes = changesOf(oldestFirst, whole, value);
  const status = value.state(issue.state.id) ?? { id: issue.state.id, name: issue.state.id };
  const team = names.teams.get(issue.team.id) ?? { id: issue.team.id, name: issue.team.id };
  const project = { id: team.id, name: team.name };
  const assignee = value.user(issue.assignee?.id);
  const creator = value.user(issue.creator?.id);
  const resolved = issue.completedAt ?? issue.canceledAt;
  const read: Issue = {
    id: issue.id,
    key: issue.identifier,
    project,
    summary: issue.title,
    created: issue.createdAt,
    updated: Math.max(issue.updatedAt, changes.at(-1)?.at ?? 0),
    resolved,
    status,
    assignee,
    fields: {
      summary: issue.title,
      created: issue.createdAt,
      updated: issue.updatedAt,
      resolutiondate: resolved,
      status,
      project,
      assignee,
      creator,
      reporter: creator,
      duedate: issue.dueDate,
      resolution: value.resolution(issue.state.id),
      priority: value.priority(issue.priority),
      labels: issue.labelIds.map(value.label),
      parent: issue.parent === null ? null : { id: issue.parent.id, name: issue.parent.identifier },
      [CYCLE]: [value.cycle(issue.cycle?.id)].filter((cycle) => cycle !== null),
      [ESTIMATE]: issue.estimate,
    },
    changes,
    history: historyOf(oldestFirst, whole, value.state),
    link: issue.url,
  };
  const statuses = mentionedStates(whole, names);
  const users = [...mentionedUsers(whole)].flatMap((id) => names.users.get(id) ?? []);
  const sprint = names.cycles.get(issue.cycle?.id ?? '');
  return [
    { kind: 'statuses', statuses, list: null },
    { kind: 'users', users },
    ...(sprint === undefined ? [] : [{ kind: 'directory', part: { sprints: [sprint] } } as const]),
    { kind: 'issue', issue: read },
  ];
}

/** The resolution of an issue by the type of its state; in a state of any other type it has none. */
const resolutions: Readonly<Record<string, FieldValue>> = {
  completed: { id: 'completed', name: 'Done' },
  canceled: { id: 'canceled', name: 'Canceled' },
  duplicate: { id: 'duplicate', name: 'Duplicate' },
};

/** Looks up values by Linear's ids. A value without a name has its id for one, and null or undefined is no value. */
function valuesBy({ names, parents }: ReadParts) {
  const by = (list: ReadonlyMap<string, FieldValue>) => (id: string | null | undefined) => {
    if (id === null || id === undefined) return null;
    const { name = id } = list.get(id) ?? {};
    return { id, name };
  };
  const numbered = by(names.priorities);
  return {
    state: by(names.states),
    user: by(names.users),
    team: by(names.teams),
    cycle: by(names.cycles),
    /** A label is known by its name, in JQL and to people. */
    label(id: string): FieldValue {
      const { name = id } = names.labels.get(id) ?? {};
      return { id: name, name };
    },
    resolution: (state: string | null) => resolutions[names.states.get(state ?? '')?.type ?? ''] ?? null,
    parent: (id: string | null) => (id === null ? null : { id, name: parents.get(id) ?? id }),
    /** 0 is no priority. */
    priority: (number: number | null) => numbered(number ? String(number) : null),
  };
}

/** The changes of history entries, which are in order of time. */
function changesOf(
  entries: readonly HistoryEntry[],
  whole: WholeLinearIssue,
  value: ReturnType<typeof valuesBy>,
): Change[] {
  const labels = endsUnknown(whole) ? null : labelsAround(entries, whole.issue);
  const labelSet = (ids: Labels) => joinValues(ids.map(value.label));
  return entries.flatMap((entry) => {
    const { id, createdAt: at, actorId: by, fromStateId, toStateId } = entry;
    const changes: Change[] = [];
    const add = (field: string, from: FieldValue | null, to: FieldValue | null) => {
      if (from?.id === to?.id) return;
      changes.push({ entry: id, item: changes.length, at, field, from, to, by });
    };
    // The first entry of a history may show where an issue was put when it was created: that is no change.
    if (fromStateId !== null && toStateId !== null) {
      add('status', value.state(fromStateId), value.state(toStateId));
      add('resolution', value.resolution(fromStateId), value.resolution(toStateId));
    }
    add('assignee', value.user(entry.fromAssigneeId), value.user(entry.toAssigneeId));
    add('project', value.team(entry.fromTeamId), value.team(entry.toTeamId));
    add(CYCLE, value.cycle(entry.fromCycleId), value.cycle(entry.toCycleId));
    add('priority', value.priority(entry.fromPriority), value.priority(entry.toPriority));
    add(ESTIMATE, textValue(entry.fromEstimate), textValue(entry.toEstimate));
    add('duedate', textValue(entry.fromDueDate), textValue(entry.toDueDate));
    add('parent', value.parent(entry.fromParentId), value.parent(entry.toParentId));
    if (entry.fromTitle !== null) add('summary', textValue(entry.fromTitle), textValue(entry.toTitle));
    const [before, after] = labels?.get(entry) ?? [[], []];
    add('labels', labelSet(before), labelSet(after));
    return changes;
  });
}

function isNewestFirst(entries: readonly HistoryEntry[]): boolean {
  return (entries[0]?.createdAt ?? 0) >= (entries.at(-1)?.createdAt ?? 0);
}

/** Returns true where the entries that could not be read are the newest, which Linear gives first. */
function endsUnknown({ entries, cut }: WholeLinearIssue): boolean {
  return cut !== null && !isNewestFirst(entries);
}

function textValue(content: string | number | null): FieldValue | null {
  return content === null ? null : { id: String(content), name: String(content) };
}

type Labels = readonly string[];

/** The labels before and after each entry, which shows only those that came and went: found back from those of today. */
function labelsAround(
  entries: readonly HistoryEntry[],
  { labelIds }: LinearIssue,
): ReadonlyMap<HistoryEntry, readonly [Labels, Labels]> {
  const found = new Map<HistoryEntry, readonly [Labels, Labels]>();
  let after: Labels = labelIds;
  for (const entry of entries.toReversed()) {
    const { addedLabelIds: added, removedLabelIds: removed } = entry;
    if (added.length + removed.length === 0) continue;
    const before = [...new Set([...after.filter((id) => !added.includes(id)), ...removed])];
    found.set(entry, [before, after]);
    after = before;
  }
  return found;
}

/**
 * Returns whether the history is complete: not where older entries could not be read, nor where its last status differs
 * from the issue's, since Linear shows entries some time after the issue.
 */
function historyOf(
  entries: readonly HistoryEntry[],
  whole: WholeLinearIssue,
  state: (id: string) => FieldValue | null,
): History {
  const { issue, cut } = whole;
  if (cut !== null) {
    const unknownFrom = endsUnknown(whole) ? (entries.at(-1)?.createdAt ?? null) : null;
    // An issue whose gap has an end is not read again before it changes.
    const unknownUntil = endsUnknown(whole) || !cut.isFinal ? null : (entries[0]?.createdAt ?? null);
    return { complete: false, unknownFrom, unknownUntil, reason: cut.reason };
  }
  const last = entries.findLast(({ toStateId }) => toStateId !== null);
  if (last === undefined || last.toStateId === issue.state.id) return { complete: true };
  const [shown, logged] = [issue.state.id, last.toStateId ?? ''].map((id) => state(id)?.name);
  return {
    complete: false,
    unknownFrom: last.createdAt,
    unknownUntil: null,
    reason: `Linear shows the issue in ${shown}, and its history ends in ${logged}`,
  };
}

function mentionedStates({ issue, entries }: WholeLinearIssue, names: LinearNames): Status[] {
  const ids = new Set(
    [issue.state.id, ...entries.flatMap((one) => [one.fromStateId, one.toStateId])].filter(
      (id) => id !== null,
    ),
  );
  return [...ids].map((id) => {
    const state = names.states.get(id);
    if (state === undefined) return { id, name: id, category: 'Undefined', deleted: false };
    const { type: _, ...status } = state;
    return status;
  });
}

function mentionedUsers({ issue, entries }: WholeLinearIssue): Set<string> {
  const ids = entries.flatMap((one) => [one.actorId, one.fromAssigneeId, one.toAssigneeId]);
  return new Set([issue.assignee?.id, issue.creator?.id, ...ids].filter((id) => typeof id === 'string'));
}

/** Yields the ids that issues mention and that have no name. */
export function* namelessIn(wholes: readonly WholeLinearIssue[], names: LinearNames): Generator<string> {
  const { states, users, teams, labels, cycles } = names;
  function* without(list: ReadonlyMap<string, unknown>, ...ids: readonly (string | null | undefined)[]) {
    for (const id of ids) if (id !== null && id !== undefined && !list.has(id)) yield id;
  }
  for (const { issue, entries } of wholes) {
    yield* without(states, issue.state.id);
    yield* without(teams, issue.team.id);
    yield* without(cycles, issue.cycle?.id);
    yield* without(users, issue.assignee?.id, issue.creator?.id);
    yield* without(labels, ...issue.labelIds);
    for (const entry of entries) {
      yield* without(states, entry.fromStateId, entry.toStateId);
      yield* without(users, entry.actorId, entry.fromAssigneeId, entry.toAssigneeId);
      yield* without(cycles, entry.fromCycleId, entry.toCycleId);
      yield* without(teams, entry.fromTeamId, entry.toTeamId);
      yield* without(labels, ...entry.addedLabelIds, ...entry.removedLabelIds);
    }
  }
}

/** An issue as a search shows it. */
export function foundLinear({
  id,
  identifier,
  updatedAt,
}: Pick<LinearIssue, 'id' | 'identifier' | 'updatedAt'>): FoundIssue {
  return { id, key: identifier.toUpperCase(), updated: updatedAt };
}
