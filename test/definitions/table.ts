import type { Issue } from '../../src/model/issue.ts';
import type { Statistic } from '../../src/model/request.ts';
import type { Cell, Cells, Column, IssueFacts, Row } from '../../src/model/table.ts';
import {
  columnsOf,
  described,
  isGone,
  isMember,
  isShown,
  type Measured,
  nameInAnswer,
  statusesIn,
} from './columns.ts';
import { valueAt } from './history.ts';
import type { DefinedColumn, DefinedIssue, DefinedQuestion } from './question.ts';
import { definitions } from './reports.ts';
import { figureFor } from './statistics.ts';

/** A list, as far as it follows from the issues and their order. Statuses are ids in the order of text. */
export interface DefinedTable {
  readonly columns: readonly Omit<Column, 'part'>[];
  readonly rows: readonly Pick<Row, 'issueKey' | 'cells' | 'states'>[];
  readonly issues: readonly Pick<
    IssueFacts,
    'key' | 'created' | 'history' | 'current' | 'unknown' | 'contradictions' | 'leftOut'
  >[];
  readonly statuses: Readonly<Record<'included' | 'excluded' | 'deleted', readonly string[]>>;
}

/** A group of issues: the ids of the values they have in common, or their texts where there is no id; null is empty. */
export interface DefinedGroup {
  readonly of: readonly (string | null)[];
  readonly issueCount: number;
  readonly cells: Cells;
}

/** The list of some issues, in their order. */
export function defineTable(issues: readonly Issue[], question: DefinedQuestion): DefinedTable {
  const all = measured(issues, question);
  const columns = columnsOf(all, question);
  const shown = columns.filter((column) => isShown(column, question));
  return {
    columns: shown.map((column) => described(column, all, question)),
    rows: all.flatMap(({ issue, defined: { lines, states } }) =>
      lines.map((cells) => ({
        issueKey: issue.key,
        cells: cellsIn(cells, shown),
        ...(states === undefined ? {} : { states }),
      })),
    ),
    issues: all.map(({ issue, defined }) => ({
      ...{ key: issue.key, created: issue.created, history: issue.history },
      ...{ current: defined.current, unknown: defined.unknown, contradictions: defined.contradictions },
      leftOut: leftOut(defined, columns, all, question),
    })),
    statuses: statusesOf(all, columns, question),
  };
}

/** The columns of figures of groups, in their order, and the groups, in no order. */
export interface DefinedFigures {
  readonly columns: readonly Omit<Column, 'part'>[];
  readonly groups: readonly DefinedGroup[];
}

/** The figures of groups of issues. An issue with several values in a field counts in a group of each. */
export function defineFigures(
  issues: readonly Issue[],
  statistic: Statistic,
  question: DefinedQuestion,
): DefinedFigures {
  const all = measured(issues, question);
  const columns = columnsOf(all, question, false).filter((column) => isShown(column, question));
  const members = all.flatMap((one) =>
    combinations(question.request.groupBy.map((field) => groupValues(one.issue, field, question))).map(
      (of) => ({ ...one, of }),
    ),
  );
  const groups = [...Map.groupBy(members, ({ of }) => JSON.stringify(of)).values()].map((group) => ({
    of: group[0]?.of ?? [],
    issueCount: group.length,
    cells: figuresOf(group, columns, statistic),
  }));
  return { columns: columns.map((column) => described(column, all, question)), groups };
}

function figuresOf(
  group: readonly Measured[],
  columns: readonly DefinedColumn[],
  statistic: Statistic,
): Cells {
  const cells = columns.flatMap(({ id }): [string, Cell][] => {
    const own = group.flatMap(({ defined }) => defined.lines.flatMap((line) => line[id] ?? []));
    const values = own.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
    // Whether an issue with unknown time was there no one knows, so it is no zero.
    const zeros = group.filter(
      ({ defined }) => defined.unknown === null && defined.lines.every((line) => line[id] === undefined),
    );
    const value = figureFor(values, zeros.length, statistic);
    if (value === null) return [];
    const visits = own.flatMap((cell) => cell.visits ?? []);
    return [
      [id, visits.length === 0 ? { value } : { value, visits: visits.reduce((sum, one) => sum + one, 0) }],
    ];
  });
  return Object.fromEntries(cells);
}

/** The cells of a line that are in some columns. */
export function cellsIn(cells: Cells, columns: readonly { readonly id: string }[]): Cells {
  return Object.fromEntries(Object.entries(cells).filter(([id]) => columns.some((one) => one.id === id)));
}

function measured(issues: readonly Issue[], question: DefinedQuestion): readonly Measured[] {
  const define = definitions[question.request.reportType];
  if (define === undefined) throw new Error(`There is no definition of ${question.request.reportType}.`);
  return issues.map((issue) => ({ issue, defined: define(issue, question) }));
}

/** Whether a status is left out by default: it is gone, and the request neither names it nor includes deleted statuses. */
function isLeftOut(status: string, question: DefinedQuestion): boolean {
  const { statuses, includeDeletedStatuses } = question.request;
  const isNamed = statuses !== null || isMember(status, question);
  return isGone(status, question) && !isNamed && !includeDeletedStatuses;
}

/** Names of the statuses of an issue that are left out by default, those of columns as the answer calls them. */
function leftOut(
  defined: DefinedIssue,
  columns: readonly DefinedColumn[],
  all: readonly Measured[],
  question: DefinedQuestion,
): string[] {
  const own = columns.filter(({ id }) => defined.columns.some((column) => column.id === id));
  const named = [
    ...statusesIn(own).map((status) => ({ id: status.id, name: nameInAnswer(status, all, question) })),
    ...defined.otherStatuses,
  ];
  return [...new Set(named.filter(({ id }) => isLeftOut(id, question)).map(({ name }) => name))];
}

/** The statuses of an answer: those that count, those that the request leaves out, and those that are gone. */
function statusesOf(
  all: readonly Measured[],
  columns: readonly DefinedColumn[],
  question: DefinedQuestion,
): DefinedTable['statuses'] {
  const { reportType, statuses: chosen } = question.request;
  const isOfVisits = reportType === 'statusDurationExpanded';
  const ids = isOfVisits
    ? all.flatMap(({ defined }) => defined.lines.flatMap((line) => line.value?.id ?? []))
    : [...statusesIn(columns), ...all.flatMap(({ defined }) => defined.otherStatuses)].map(({ id }) => id);
  const each = [...new Set(ids)].toSorted();
  const isCounted = (id: string) =>
    isOfVisits || chosen === null || chosen.includes(id) || isMember(id, question);
  const counted = isOfVisits ? each : each.filter((id) => !isLeftOut(id, question));
  return {
    included: counted.filter(isCounted),
    excluded: counted.filter((id) => !isCounted(id)),
    deleted: each.filter((id) => isGone(id, question)),
  };
}

/** The values of an issue in a field to group by, as ids or texts; null is empty. */
function groupValues(issue: Issue, field: string, question: DefinedQuestion): readonly (string | null)[] {
  if (field === 'calc:projectKey') return [issue.key.split('-')[0] ?? ''];
  const value = valueAt(issue, field, question.asOf);
  if (value === null) return [null];
  // Nothing is added to a list or taken from it in the issues of tests.
  const content = issue.fields[field];
  return Array.isArray(content) ? [...new Set(content.map(({ id }) => id))] : [value.id];
}

/** Every choice of one value from each list. */
function combinations<Value>(lists: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  const [list, ...others] = lists;
  if (list === undefined) return [[]];
  return list.flatMap((value) => combinations(others).map((tail) => [value, ...tail]));
}
