import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { FieldContent, FieldValue, Instant, Issue } from '../../../model/issue.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import { type TimePeriod, timePeriods } from '../../../model/request.ts';
import { type Cell, type Cells, type Column, cellOf } from '../../../model/table.ts';
import { type Period, periodAt } from '../../../time/periods.ts';
import { type ColumnArrays, codeThen, IRREGULAR, rowFlag } from '../../columns/column-arrays.ts';
import type { IssueColumns } from '../../columns/issue-columns.ts';
import { placeAfter } from '../../columns/sort-rows.ts';
import { ABSENT, type ValueCodes } from '../../columns/value-codes.ts';
import type { MeasureContext } from '../../reports/measuring/report-type.ts';
import { asValue } from '../../visits/timeline.ts';
import { assertFewRepeats, countCombinations, eachCombination, groupIdentity } from '../collect-groups.ts';
import { computedFields, valueCell } from '../own-cells.ts';
import { NumberIndex } from './kernel-cells.ts';
import { NO_GROUP } from './kernel-plan.ts';

/** The groups of some rows, in the order in which they came up. */
export interface RowGroups {
  /** The rows. A row that belongs to several groups is repeated for each of them, consecutively. */
  readonly rows: Uint32Array;
  /** Number of repetitions in `rows`: a row in n groups has n − 1. */
  readonly repeats: number;
  /** Group by index in `rows`; `NO_GROUP` if only the issue itself shows it. Null means that all rows are one group. */
  readonly groups: Uint32Array | null;
  /** The cells of each group, from its first row. */
  readonly own: Cells[];
  /** Index of each group's first row in `rows`. */
  readonly first: number[];
  /** Each group-by cell that came up, on its own. */
  readonly cells: readonly Cells[];
}

/** The rows and values for which only the issue itself shows the group. */
export interface NeedsIssue {
  /** By field id: codes of contents that the principal cannot read in full, so that columns do not show the value. */
  readonly codes: ReadonlyMap<string, ReadonlySet<number>>;
  /** Rows that were written to after these codes were found; null if that is no longer known. */
  readonly written: () => ReadonlySet<number> | null;
}

const needsNoIssue: NeedsIssue = { codes: new Map(), written: () => new Set() };

/** Number of rows processed between two yields. */
const SLICE_ROWS = 1024;

/**
 * Groups rows by the values of their issues as of the context's instant; null if columns lack a field of `groupBy`.
 * Fails with `MissingColumn` if a field is not loaded into columns yet. The columns must not be written to meanwhile.
 */
export async function groupRows(
  columns: IssueColumns,
  rows: Uint32Array,
  groupBy: readonly Column[],
  context: MeasureContext,
  needsIssue = needsNoIssue,
): Promise<RowGroups | null> {
  if (groupBy.length === 0) return { rows, repeats: 0, groups: null, own: [{}], first: [0], cells: [] };
  const arrays = columns.arrays();
  const written = needsIssue.written();
  if (written === null) return null;
  const parts: GroupPart[] = [];
  for (const column of groupBy) {
    const part = partOf(column, { columns, arrays, rows, context, needsIssue });
    if (part === null) return null;
    parts.push(part);
  }
  const combinations = parts.reduce((product, { size }) => product * size, 1);
  if (combinations > Number.MAX_SAFE_INTEGER) return null;
  const pace = createYieldIfDue();
  const groups = new Uint32Array(rows.length);
  const own: Cells[] = [];
  const first: number[] = [];
  const known = new NumberIndex(combinations);
  const { flags, updated } = arrays;
  const byMeaning = new NumberIndex(combinations);
  for (let from = 0; from < rows.length; from += SLICE_ROWS) {
    await pace();
    for (let position = from; position < Math.min(rows.length, from + SLICE_ROWS); position += 1) {
      const row = rows[position];
      const flag = flags[row] & ~rowFlag.contradicts;
      const isSilent = flag !== 0 && (flag !== rowFlag.cut || context.asOf < updated[row]);
      let key = isSilent || (written.size > 0 && written.has(row)) ? -1 : 0;
      for (let i = 0; i < parts.length && key >= 0; i += 1) {
        const kind = parts[i]?.kindOf(row) ?? NO_GROUP;
        key = kind === NO_GROUP ? -1 : key * (parts[i]?.size ?? 1) + kind;
      }
      if (key < 0) {
        groups[position] = NO_GROUP;
        continue;
      }
      let group = known.find(key);
      if (group < 0) {
        const cells: [string, Cell][] = [];
        let meaning = 0;
        for (const { id, size, kindOf, cellOf, meaningOf } of parts) {
          const cell = cellOf(kindOf(row), row);
          if (cell !== null) cells.push([id, cell]);
          meaning = meaning * size + meaningOf(cell);
        }
        group = byMeaning.find(meaning);
        if (group < 0) {
          group = own.length;
          own.push(Object.fromEntries(cells));
          first.push(position);
          byMeaning.add(meaning, group);
        }
        known.add(key, group);
      }
      groups[position] = group;
    }
  }
  return { rows, repeats: 0, groups, own, first, cells: parts.flatMap(({ observed }) => observed) };
}

/** Maximum number of repeated rows; more would take gigabytes. */
const MAX_REPEATED_ROWS = 2 ** 25;

/**
 * Groups rows like `groupRows`, except that a row with several values in a column belongs to the group of each, as in
 * `collectGroups`. `limit` fails if there are too many groups.
 */
export async function groupRowsByValue(
  fallback: Parameters<typeof groupRows>,
  limit: (groups: number) => Promise<void>,
): Promise<RowGroups | null> {
  const found = await groupRows(...fallback);
  if (found?.groups == null) return found;
  const [, , groupBy] = fallback;
  const { rows, groups: sets, own: ownOfSets } = found;
  if (ownOfSets.every((own) => groupBy.every(({ id }) => cellOf(own, id)?.values === undefined)))
    return found;
  const sizes = ownOfSets.map((cells) => countCombinations(cells, groupBy));
  await limit(sizes.reduce((largest, size) => Math.max(largest, size), 0));
  let count = 0;
  for (const set of sets) count += sizes[set] ?? 1;
  assertFewRepeats(count - rows.length, MAX_REPEATED_ROWS, groupBy);
  const pace = createYieldIfDue();
  const own: Cells[] = [];
  const byIdentity = new Map<string, number>();
  // By set of values: the groups that its rows belong to.
  const groupsOf: Uint32Array[] = [];
  for (const [set, cells] of ownOfSets.entries()) {
    const ofSet = new Uint32Array(sizes[set] ?? 0);
    let i = 0;
    for (const one of eachCombination(cells, groupBy)) {
      await pace();
      const identity = groupIdentity(one, groupBy);
      const group = byIdentity.get(identity) ?? own.push(one) - 1;
      byIdentity.set(identity, group);
      ofSet[i] = group;
      i += 1;
    }
    groupsOf.push(ofSet);
    await limit(own.length);
  }
  const [placed, groups] = [new Uint32Array(count), new Uint32Array(count)];
  const first = own.map(() => count);
  let next = 0;
  for (let position = 0; position < rows.length; position += 1) {
    if (position % SLICE_ROWS === 0) await pace();
    for (const group of groupsOf[sets[position] ?? NO_GROUP] ?? [NO_GROUP]) {
      placed[next] = rows[position];
      groups[next] = group;
      if (group !== NO_GROUP) first[group] = Math.min(first[group] ?? next, next);
      next += 1;
    }
  }
  return { ...found, rows: placed, repeats: count - rows.length, groups, own, first };
}

/** One column to group by; rows of the same kind have the same cell. */
interface GroupPart {
  readonly id: string;
  /** Upper bound of the kinds, which are numbered from 0. */
  readonly size: number;
  /** Each cell that `cellOf` has returned. */
  readonly observed: Cells[];
  /** The kind of a row; `NO_GROUP` if only the issue itself shows it. */
  readonly kindOf: (row: number) => number;
  readonly cellOf: (kind: number, row: number) => Cell | null;
  /** A number below `size` that is equal for cells of the same group; null has a number, too. */
  readonly meaningOf: (cell: Cell | null) => number;
}

interface PartSources {
  readonly columns: IssueColumns;
  readonly arrays: ColumnArrays;
  readonly rows: Uint32Array;
  readonly context: MeasureContext;
  readonly needsIssue: NeedsIssue;
}

function partOf(column: Column, sources: PartSources): GroupPart | null {
  const kinds = kindsOf(column, sources);
  if (kinds === null) return null;
  const observed: Cells[] = [];
  const meanings = new Map<string | number | null, number>();
  const byId = new Map<string, number>();
  let count = 0;
  return {
    id: column.id,
    meaningOf(cell) {
      // Cells are identified as in `groupIdentity`.
      const known = cell?.id === undefined ? meanings.get(cell?.value ?? null) : byId.get(cell.id);
      if (known !== undefined) return known;
      if (cell?.id === undefined) meanings.set(cell?.value ?? null, count);
      else byId.set(cell.id, count);
      count += 1;
      return count - 1;
    },
    size: kinds.size,
    observed,
    kindOf: kinds.kindOf,
    cellOf(kind, row) {
      const cell = kinds.cellOf(kind, row);
      if (cell !== null) observed.push({ [column.id]: cell });
      return cell;
    },
  };
}

type Kinds = Omit<GroupPart, 'id' | 'observed' | 'meaningOf'>;

function kindsOf({ id, kind }: Column, sources: PartSources): Kinds | null {
  const { columns, arrays, context } = sources;
  if (!computedFields.some((field) => field.id === id)) {
    return kind === 'instant' ? null : fieldKinds(id, sources);
  }
  if (id === 'calc:projectKey') {
    const { project } = arrays;
    return {
      size: columns.projectKeys.length,
      // Keys of another form have no project code: `IRREGULAR` equals `NO_GROUP`.
      kindOf: (row) => project[row] ?? IRREGULAR,
      cellOf: (_code, row) => ({ value: projectKeyOf({ key: columns.keyOf(row) }) }),
    };
  }
  if (id === 'calc:projectName') {
    const { codes, values } = columns.field('project');
    return valueKinds(
      values,
      (row) => codes[row],
      ({ id: own, name }) => ({ value: name, id: own }),
    );
  }
  if (id === 'calc:statusCategory') {
    return valueKinds(columns.values('status'), lastKinds('status', sources), ({ id: own }) => ({
      value: context.categoryOf(own),
    }));
  }
  for (const period of timePeriods) {
    if (id === `calc:created${period}`) return periodKinds(period, (row) => arrays.created[row], sources);
    if (id === `calc:resolved${period}`) return periodKinds(period, resolvedAsOf(sources), sources);
  }
  return null;
}

/** Kinds of a field, with the values of `valueAsOf`: the code of its content, or of its history's last visit. */
function fieldKinds(id: string, sources: PartSources): Kinds {
  const { columns, arrays, context, needsIssue } = sources;
  const { codes, values, former } = columns.field(id);
  const fallback = needsIssue.codes.get(id);
  const { accessClass, updated } = arrays;
  const kindOf =
    id === 'status' || id === 'assignee'
      ? lastKinds(id, sources)
      : (row: number) => {
          const code = codes[row];
          if (fallback?.has(code)) return NO_GROUP;
          const isSettled = id === 'project' || (code !== ABSENT && context.asOf >= updated[row]);
          // Without changes of the field, its current value is that of every instant.
          return isSettled || former[accessClass[row]] === undefined ? code : NO_GROUP;
        };
  return valueKinds(values, kindOf, (value, content, row) =>
    valueCell(value, Array.isArray(content) ? content : [], (one) =>
      context.nameOf(statusOf(sources, row), id, one),
    ),
  );
}

/** Kinds that are the codes of values; `cellOf` makes a cell of a value and of the content that it is of. */
function valueKinds(
  values: ValueCodes,
  kindOf: Kinds['kindOf'],
  cellOf: (value: FieldValue, content: FieldContent, row: number) => Cell,
): Kinds {
  return {
    size: values.size,
    kindOf,
    cellOf(code, row) {
      const content = values.at(code) ?? null;
      const value = asValue(content);
      return value === null ? null : cellOf(value, content, row);
    },
  };
}

/** The current status of a row's issue, which decides whether names from status lists apply to it. */
function statusOf({ columns, arrays: { fields } }: PartSources, row: number): Pick<Issue, 'status'> {
  const status = asValue(columns.values('status').at(fields.status?.[row] ?? ABSENT) ?? null);
  return { status: status ?? { id: '', name: '' } };
}

/** The code that the tracker shows or, as of an earlier instant, that of the last visit of the history until then. */
function lastKinds(
  field: 'status' | 'assignee',
  { columns, arrays, context }: PartSources,
): (row: number) => number {
  const { codes } = columns.field(field);
  const { flags, updated } = arrays;
  return (row) => {
    const code = codes[row];
    if (context.asOf >= updated[row]) return code === ABSENT ? NO_GROUP : code;
    const isKnown = (flags[row] & ~rowFlag.contradicts) === 0;
    return isKnown ? codeThen(arrays, field, row, context.asOf) : NO_GROUP;
  };
}

/** Returns `resolvedBy` of a row: NaN if it is unresolved, infinite if only the issue itself shows it. */
function resolvedAsOf({ columns, arrays, context }: PartSources): (row: number) => Instant {
  const { former } = columns.field('resolution');
  const { resolved, updated, accessClass } = arrays;
  return (row) => {
    const isSettled = context.asOf >= updated[row] || former[accessClass[row]] === undefined;
    if (!isSettled) return Number.POSITIVE_INFINITY;
    const at = resolved[row] ?? Number.NaN;
    return at <= context.asOf ? at : Number.NaN;
  };
}

/** Maximum number of periods: more than a century of days. */
const MAX_PERIODS = 50_000;

function periodKinds(
  period: TimePeriod,
  instantOf: (row: number) => Instant,
  { rows, arrays, context }: PartSources,
): Kinds | null {
  let [earliest, latest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const at = (arrays.flags[row] & rowFlag.dead) === 0 ? instantOf(row) : Number.NaN;
    if (!Number.isFinite(at)) continue;
    earliest = Math.min(earliest, at);
    latest = Math.max(latest, at);
  }
  const periods: Period[] = [];
  for (let at = earliest; at <= latest; ) {
    const next = periodAt(at, period, context.timeZone);
    periods.push(next);
    if (periods.length > MAX_PERIODS) return null;
    at = next.end;
  }
  const ends = Float64Array.from(periods, ({ end }) => end);
  return {
    size: periods.length + 1,
    kindOf(row) {
      const at = instantOf(row);
      if (Number.isNaN(at)) return periods.length;
      if (!Number.isFinite(at)) return NO_GROUP;
      return Math.min(placeAfter(ends, at), periods.length - 1);
    },
    cellOf(kind) {
      const found = periods[kind];
      return found === undefined ? null : { value: found.id };
    },
  };
}
