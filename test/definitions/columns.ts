import type { FieldValue, Issue } from '../../src/model/issue.ts';
import type { Column } from '../../src/model/table.ts';
import { distinctColumns } from './ledger.ts';
import { compareIds, compareText } from './order-of-changes.ts';
import {
  columnAbout,
  consolidatedOf,
  type DefinedColumn,
  type DefinedIssue,
  type DefinedQuestion,
  isListedAsShown,
} from './question.ts';

/** An issue with its outcome. */
export interface Measured {
  readonly issue: Issue;
  readonly defined: DefinedIssue;
}

/** The kinds of things that the levels of columns are about. */
type LevelKind = 'status' | 'person' | 'value' | 'period' | 'metric';

const levelKinds: Readonly<Record<string, readonly LevelKind[]>> = {
  statusDuration: ['status'],
  assigneeDuration: ['person'],
  statusDurationByAssignee: ['person', 'status'],
  assigneeDurationByStatus: ['status', 'person'],
  groupDuration: ['value'],
  durationBetweenStatuses: ['metric'],
  statusDurationByTimePeriod: ['status', 'period'],
  timePeriodDurationByStatus: ['period', 'status'],
  anyFieldDuration: ['value'],
  statusCount: ['status'],
  transitionCount: ['status', 'status'],
  firstTransitionToStatusDate: ['status'],
  lastTransitionToStatusDate: ['status'],
  firstTransitionFromStatusDate: ['status'],
  lastTransitionFromStatusDate: ['status'],
  currentStateAge: ['metric'],
  blockedDuration: ['metric'],
  blockedDurationByStatus: ['status'],
  blockedCount: ['metric'],
};

/** The kinds of columns of the reports with one column per status. */
const kinds: Readonly<Record<string, DefinedColumn['kind']>> = {
  statusDuration: 'duration',
  statusCount: 'count',
  firstTransitionToStatusDate: 'instant',
  lastTransitionToStatusDate: 'instant',
  firstTransitionFromStatusDate: 'instant',
  lastTransitionFromStatusDate: 'instant',
  blockedDurationByStatus: 'duration',
};

/**
 * Every column that an issue has come to, and those of statuses and groups that the request names and no issue has, in the
 * order in which people read them. Those of one issue are in the order in which it came to them, as long as the request
 * names neither.
 */
export function columnsOf(
  all: readonly Measured[],
  question: DefinedQuestion,
  isList = true,
): readonly DefinedColumn[] {
  const { reportType, statuses, groups } = question.request;
  const observed = distinctColumns(all.flatMap(({ defined }) => defined.columns));
  const kind = kinds[reportType];
  const ofStatuses = (kind === undefined ? [] : (statuses ?? [])).flatMap((id) => {
    const name = question.statuses.get(id)?.name;
    return name === undefined || kind === undefined
      ? []
      : [columnAbout({ id, title: name, status: { id, name } }, kind)];
  });
  const ofGroups =
    reportType === 'groupDuration' && groups !== null
      ? question.groups.map(({ id, name }) => columnAbout({ id, title: name }, 'duration'))
      : [];
  const isAsObserved = isList && all.length === 1 && statuses === null && groups === null;
  const columns = distinctColumns([...observed, ...ofStatuses, ...ofGroups]);
  return isAsObserved ? besideOwners(columns) : inReadingOrder(columns, question);
}

/** Columns of those who cover for a person come behind that of the person, by title. */
function besideOwners(columns: readonly DefinedColumn[]): readonly DefinedColumn[] {
  const owners = columns.map(ownerOf);
  return columns.toSorted(
    (a, b) => owners.indexOf(ownerOf(a)) - owners.indexOf(ownerOf(b)) || compareCovers(a, b),
  );
}

function ownerOf({ id, standIn }: DefinedColumn): string {
  return standIn?.owner.id ?? id;
}

function compareCovers(a: DefinedColumn, b: DefinedColumn): number {
  if (a.standIn === undefined || b.standIn === undefined) {
    return Number(a.standIn !== undefined) - Number(b.standIn !== undefined);
  }
  return compareText(lowerTitle(a), lowerTitle(b)) || compareIds(a.id, b.id);
}

function lowerTitle({ levels }: DefinedColumn): string {
  return (levels[0]?.title ?? '').toLowerCase();
}

/**
 * Statuses in the order of the request, then in workflow order, then consolidated ones; people, groups and values by name,
 * periods by time. The columns of visits stay as they are.
 */
function inReadingOrder(
  columns: readonly DefinedColumn[],
  question: DefinedQuestion,
): readonly DefinedColumn[] {
  const { reportType, statuses } = question.request;
  const order = [...new Set([...(statuses ?? []), ...question.statuses.keys()])];
  const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
  const compareAt = (level: number, kind: LevelKind) => (a: DefinedColumn, b: DefinedColumn) => {
    const [one, other] = [a, b].map((column) => column.standIn?.owner ?? column.levels[level]);
    if (one === undefined || other === undefined || kind === 'metric') return 0;
    if (kind === 'status') return rank(one.id) - rank(other.id) || compareIds(one.id, other.id);
    if (kind === 'period') return compareText(one.id, other.id);
    return compareText(one.title.toLowerCase(), other.title.toLowerCase()) || compareIds(one.id, other.id);
  };
  const comparisons = (levelKinds[reportType] ?? []).map((kind, level) => compareAt(level, kind));
  return columns.toSorted(
    (a, b) => comparisons.map((compare) => compare(a, b)).find((one) => one !== 0) ?? compareCovers(a, b),
  );
}

/**
 * Whether a column is shown. Of a status: it is chosen, or, without a choice, no member of a consolidated status and not
 * gone from the tracker. Of two statuses: one of them is chosen, or, without a choice, none of them is gone.
 */
export function isShown({ levels }: DefinedColumn, question: DefinedQuestion): boolean {
  const { statuses: chosen, includeDeletedStatuses } = question.request;
  const statuses = levels.flatMap(({ status }) => status ?? []);
  if (statuses.length === 0) return true;
  if (chosen !== null) return statuses.some(({ id }) => chosen.includes(id));
  const isThere = includeDeletedStatuses || !statuses.some(({ id }) => isGone(id, question));
  return isThere && (statuses.length > 1 || !statuses.some(({ id }) => isMember(id, question)));
}

/** Whether a status is gone from the tracker. */
export function isGone(status: string, { statuses }: DefinedQuestion): boolean {
  return statuses.get(status)?.deleted === true;
}

/** Whether a status is a member of a consolidated one. */
export function isMember(status: string, { request }: DefinedQuestion): boolean {
  return consolidatedOf(request).some(({ statuses }) => statuses.includes(status));
}

/** A column as people see it: its statuses called as the tracker calls them today where it speaks for an issue with them. */
export function described(
  { id, kind, levels, divider, standIn }: DefinedColumn,
  all: readonly Measured[],
  question: DefinedQuestion,
): Omit<Column, 'part'> {
  const titled = levels.map((level) => ({
    id: level.id,
    title: level.status === undefined ? level.title : nameInAnswer(level.status, all, question),
  }));
  const [parent, child] = titled;
  const isConsolidated = levels.some((level) => level.isConsolidated);
  return {
    ...{ id, kind, title: titled.map(({ title }) => title).join(divider) },
    ...(divider === ': ' && parent !== undefined && child !== undefined ? { parent, child } : {}),
    ...(isConsolidated ? { consolidated: true as const } : {}),
    ...(standIn === undefined ? {} : { standIn }),
  };
}

/** A status that only issues had whose own status the lists call otherwise is called as they call it. */
export function nameInAnswer(
  { id, name }: FieldValue,
  all: readonly Measured[],
  question: DefinedQuestion,
): string {
  const having = all.filter(({ defined }) =>
    [...statusesIn(defined.columns), ...defined.otherStatuses].some((status) => status.id === id),
  );
  const isListed =
    having.length === 0 || having.some(({ issue }) => isListedAsShown(issue, question.statuses));
  const known = question.statuses.get(id);
  return known?.listed && isListed ? known.name : name;
}

/** The statuses that columns are about. */
export function statusesIn(columns: readonly DefinedColumn[]): readonly FieldValue[] {
  return columns.flatMap(({ levels }) => levels.flatMap(({ status }) => status ?? []));
}
