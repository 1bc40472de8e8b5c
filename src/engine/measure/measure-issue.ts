import type { WorkKind } from '../../model/flow.ts';
import type { FieldValue, Instant, Issue, Status } from '../../model/issue.ts';
import { doneSince, latest } from '../../model/issues/finish-time.ts';
import type { Cell, CurrentValue, MetricState, UnknownTime } from '../../model/table.ts';
import { ValueCodes, valuesOf } from '../columns/value-codes.ts';
import { planMeasure } from '../reports/measuring/report-keys.ts';
import type {
  IssueReport,
  MeasureContext,
  Measured,
  MeasurePlan,
  MeasureSink,
  ReportKeys,
  ReportType,
  ValueColumn,
  VisitReport,
  Vocabulary,
} from '../reports/measuring/report-type.ts';
import { BLOCKED, blockedCodes, blockedTimeline } from '../visits/blocked-visits.ts';
import { VisitCursor, type VisitWindow } from '../visits/field-visits.ts';
import { exitsFrom, openVisit, type Timeline, timeline, type Visit, visitsOf } from '../visits/timeline.ts';
import { calendarClock } from '../visits/work-clock.ts';
import { valueAsOf } from './own-cells.ts';
import { isListed } from './select-columns.ts';

/** Measures a single issue, as a table with one row. */
type MeasureIssue = (issue: Issue) => Measured;

/** Creates a function that measures single issues; `knownStatuses` are those of the tracker's lists, by id. */
export function measurerOf(
  report: ReportType,
  context: MeasureContext,
  knownStatuses: ReadonlyMap<string, Status>,
): MeasureIssue {
  const fields = fieldsOf(report, context);
  const linesOf = report.shape === 'visit' ? visitMeasurer(report, context) : issueMeasurer(report, context);
  // An assignee report without a status level reads statuses, which decide what time counts, but shows none of them: it
  // does not report their contradictions.
  const shown = report.fields === 'assignee' && !report.levels.includes('status') ? ['assignee'] : fields;
  return (issue) => {
    const timelines = new Map(fields.map((field) => [field, timelineOf(issue, field, context)]));
    const all = [...timelines.values()].map(({ visits }) => visits);
    return {
      ...linesOf(issue, timelines, isListed(issue, knownStatuses)),
      unknown: unknownIn(all, context),
      contradictions: shown.reduce((sum, field) => sum + (timelines.get(field)?.contradictions ?? 0), 0),
    };
  };
}

/** Ids of the fields whose visits a report reads; the first is the one whose current value it shows. */
function fieldsOf({ fields, levels }: ReportType, { historyFields }: MeasureContext): readonly string[] {
  if (fields === 'status') return ['status'];
  if (fields === 'blocked') return levels.includes('status') ? [BLOCKED, 'status'] : [BLOCKED];
  return fields === 'assignee' ? ['assignee', 'status'] : historyFields.map(({ id }) => id);
}

function timelineOf(issue: Issue, field: string, context: MeasureContext): Timeline {
  return field === BLOCKED ? blockedTimeline(issue, context) : visitsOf(issue, field, context);
}

/**
 * The period in which at least one field is unknown, with its working time; null if all fields are known. The gaps of
 * all fields have one cause, the cut of the history, and are nested.
 */
function unknownIn(fields: readonly (readonly Visit[])[], { calendar }: MeasureContext): UnknownTime | null {
  const gaps = fields.flatMap((visits) => visits.find(({ known }) => !known) ?? []);
  if (gaps.length === 0) return null;
  const from = Math.min(...gaps.map(({ start }) => start));
  const until = Math.max(...gaps.map(({ end }) => end));
  return { from, until, ms: calendar.between(from, until) };
}

type LinesOf = (
  issue: Issue,
  timelines: ReadonlyMap<string, Timeline>,
  isListed: boolean,
) => Omit<Measured, 'unknown' | 'contradictions'>;

/** Makes one line per known visit: field by field, in order of time. */
function visitMeasurer(report: VisitReport, context: MeasureContext): LinesOf {
  const { calendar, userName, nameOf } = context;
  const lineOf = (issue: Issue, field: string, visit: Visit) => {
    const { value, start, end, open, by } = visit;
    const cells: [string, Cell][] = [['field', { value: field }]];
    if (value !== null) {
      cells.push(['value', { value: nameOf(issue, field, value), id: value.id }]);
      cells.push(['valueId', { value: value.id }]);
    }
    cells.push(['start', { value: start }]);
    if (!open) cells.push(['end', { value: end }]);
    cells.push(['duration', { value: calendar.between(start, end) }]);
    if (by !== null) cells.push(['transitionedBy', { value: userName(by) ?? by, id: by }]);
    return Object.fromEntries(cells);
  };
  return (issue, timelines) => {
    const [[lead, { visits }] = ['', { visits: [] }]] = timelines;
    const last = openVisit(visits);
    return {
      columns: report.columns,
      lines: [...timelines].flatMap(([field, timeline]) =>
        timeline.visits
          .filter(({ known, value }) => known && (field !== BLOCKED || value !== null))
          .map((visit) => lineOf(issue, field, visit)),
      ),
      current:
        last === null || last.value === null
          ? []
          : [
              {
                columnId: last.value.id,
                title: nameOf(issue, lead, last.value),
                since: last.begun ? last.start : null,
              },
            ],
      states: null,
      statuses: [],
    };
  };
}

/**
 * Maximum number of values that issues measured one after the other share a plan for. A plan is made again whenever an issue
 * brings a new value, which for fields of texts each does: its codes mean nothing beyond one issue, so they begin again.
 */
const MAX_VALUES = 128;

/** Makes one line with the amounts that the report's measure adds up. */
function issueMeasurer(report: IssueReport, context: MeasureContext): LinesOf {
  const { asOf, trim, calendar } = context;
  const window: VisitWindow = {
    asOf,
    from: trim.from ?? Number.NEGATIVE_INFINITY,
    to: trim.to ?? Number.POSITIVE_INFINITY,
  };
  let anchor: Instant = 0;
  const clock = calendarClock(calendar, () => anchor);
  const cursor = new VisitCursor(window, clock, context.historyFields.length);
  const newCodes = () => ({
    statuses: new ValueCodes(),
    assignees: new ValueCodes(),
    histories: context.historyFields.map(({ id }) => ({ id, codes: new ValueCodes() })),
    size: 0,
    /** The plan for an issue whose status is not listed, and for one whose status is. */
    plans: [null, null] as [IssuePlan | null, IssuePlan | null],
  });
  let known = newCodes();
  return (issue, timelines, listed) => {
    anchor = issue.created;
    if (known.size > MAX_VALUES) known = newCodes();
    const { statuses, assignees, histories, plans } = known;
    const visitsIn = (field: string) => timelines.get(field)?.visits ?? [];
    cursor.statuses.loadVisits(visitsIn('status'), statuses);
    cursor.assignees.loadVisits(visitsIn('assignee'), assignees);
    cursor.blocked.loadVisits(visitsIn(BLOCKED), blockedCodes);
    for (const [i, { id, codes }] of histories.entries())
      cursor.histories[i]?.loadVisits(visitsIn(id), codes);
    const size = histories.reduce((sum, { codes }) => sum + codes.size, statuses.size + assignees.size);
    known.size = size;
    const last = plans[Number(listed)];
    const plan =
      last?.size === size
        ? last
        : new IssuePlan(report, context, cursor, {
            statuses: valuesOf(statuses),
            assignees: valuesOf(assignees),
            histories: histories.map(({ codes }) => valuesOf(codes)),
            issue,
            size,
          });
    plans[Number(listed)] = plan;
    return plan.measured();
  };
}

/** The amount and visits that an issue has for a key; `isKnown` is false if the amount is unknown. */
interface KeyAmount {
  readonly column: ValueColumn;
  amount: number;
  visits: number;
  isKnown: boolean;
  /** Index of the visit that the last part belongs to; -1 if there is none. */
  visit: number;
}

/** The measure's plan for the values so far, and the sink that builds the row of the issue at the cursor. */
class IssuePlan implements MeasureSink {
  readonly size: number;
  readonly #report: IssueReport;
  readonly #cursor: VisitCursor;
  readonly #keys: ReportKeys;
  readonly #plan: MeasurePlan;
  readonly #run: () => void;
  readonly #vocabulary: Vocabulary;
  readonly #columns = new Map<number, ValueColumn>();
  #amounts = new Map<number, KeyAmount>();
  #states: [string, MetricState][] = [];
  #statuses: FieldValue[] = [];

  constructor(
    report: IssueReport,
    context: MeasureContext,
    cursor: VisitCursor,
    vocabulary: Vocabulary & { readonly size: number },
  ) {
    this.#report = report;
    this.#cursor = cursor;
    this.#vocabulary = vocabulary;
    this.size = vocabulary.size;
    this.#keys = report.keys(vocabulary, context);
    this.#plan = planMeasure(this.#keys, context, vocabulary);
    this.#run = report.measure(cursor, this.#plan, this);
  }

  measured(): Omit<Measured, 'unknown' | 'contradictions'> {
    this.#amounts = new Map();
    this.#states = [];
    this.#statuses = [];
    this.#run();
    const { hasVisits } = this.#report;
    const { always } = this.#keys;
    const cells: [string, Cell][] = [];
    const columns: ValueColumn[] = [...always];
    for (const { column, amount, visits, isKnown } of this.#amounts.values()) {
      if (always.length === 0) columns.push(column);
      if (isKnown) cells.push([column.id, hasVisits ? { value: amount, visits } : { value: amount }]);
    }
    return {
      columns,
      lines: [Object.fromEntries(cells)],
      current: this.#report
        .current(this.#cursor, this.#plan)
        .map(({ key, since, status, other }): CurrentValue => {
          const { id, title } = this.#columnOf(key, status, other);
          return { columnId: id, title, since };
        }),
      states: this.#states.length === 0 ? null : Object.fromEntries(this.#states),
      statuses: this.#statuses,
    };
  }

  add(key: number, amount: number, visits: number, status: number, other: number): void {
    const known = this.#amountOf(key, status, other);
    known.amount += amount;
    known.visits += visits;
  }

  addPart(key: number, amount: number, visit: number, status: number, other: number): void {
    const known = this.#amountOf(key, status, other);
    known.amount += amount;
    if (known.visit !== visit) known.visits += 1;
    known.visit = visit;
  }

  observe(key: number, status: number, other: number): void {
    this.#amountOf(key, status, other).isKnown = false;
  }

  observeStatus(code: number): void {
    this.#statuses.push(this.#vocabulary.statuses[code] ?? { id: '', name: '' });
  }

  setState(metric: number, state: MetricState): void {
    const { id } = this.#columnOf(metric, 0, 0);
    this.#states.push([id, state]);
  }

  #amountOf(key: number, status: number, other: number): KeyAmount {
    const known = this.#amounts.get(key);
    if (known !== undefined) return known;
    const column = this.#columnOf(key, status, other);
    const made = { column, amount: 0, visits: 0, isKnown: true, visit: -1 };
    this.#amounts.set(key, made);
    return made;
  }

  /** The column of a key, cached so that all issues share one object per column. */
  #columnOf(key: number, status: number, other: number): ValueColumn {
    const number = (key * this.size + status) * this.size + other;
    const known = this.#columns.get(number);
    if (known !== undefined) return known;
    const column = this.#keys.columnOf(key, status, other);
    this.#columns.set(number, column);
    return column;
  }
}

/**
 * The instant at which an issue was finished. `at` is null if it is not finished or was created as done. `unknown`: it
 * was finished at some instant from `from` until `until`, both included, or perhaps never (`mayBeEmpty`).
 */
type IssueFinish =
  | { readonly at: Instant | null }
  | { readonly unknown: { readonly from: Instant; readonly until: Instant; readonly mayBeEmpty: boolean } };

/**
 * Finds the finish in the history as of an instant. The current status is the one that the tracker shows, even if a cut
 * history ends with another.
 */
export function issueFinish(
  issue: Issue,
  asOf: Instant,
  kindOf: (statusId: string) => WorkKind,
): IssueFinish {
  const { created } = issue;
  const shown = valueAsOf(issue, 'status', asOf);
  const kind = shown === null ? 'unknown' : kindOf(shown.id);
  if (kind === 'unknown') return { unknown: { from: created, until: asOf, mayBeEmpty: true } };
  if (kind !== 'done') return { at: null };
  const { visits } = timeline(issue, 'status', asOf);
  const exits = exitsFrom(visits).flatMap(({ value, at }) =>
    at === null ? [] : [{ at, kind: kindOf(value.id) }],
  );
  const gapAt = visits.findIndex(({ known }) => !known);
  const gap = visits[gapAt];
  // If the issue was done when its unknown time began, it may have been finished as early as its last exit from a
  // status that is not done.
  const before = visits[gapAt - 1]?.value;
  const wasDone = before != null && kindOf(before.id) === 'done';
  const lastKnown = latest(exits.filter(({ at, kind }) => kind !== 'done' && at <= (gap?.start ?? at)));
  const since = doneSince({
    created,
    asOf,
    lost:
      gap === undefined ? null : { from: wasDone ? (lastKnown?.at ?? created) : gap.start, until: gap.end },
    agrees: visits.at(-1)?.value?.id === shown?.id,
    // Exits before the unknown time do not count, since a later exit may be hidden in it.
    exits: exits.filter(({ at }) => gap === undefined || (gap.end <= at && !gap.open)),
  });
  if ('at' in since) return since;
  const { from, until, why } = since.unknown;
  return { unknown: { from, until, mayBeEmpty: why === 'cut' && from <= created } };
}
