import type { FieldValue, Instant, Status } from '../../../model/issue.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import { MissingColumn } from '../../columns/held-fields.ts';
import type { IssueColumns } from '../../columns/issue-columns.ts';
import { valuesOf } from '../../columns/value-codes.ts';
import { planMeasure } from '../../reports/measuring/report-keys.ts';
import type { MeasureContext, ReportType, ValueColumn } from '../../reports/measuring/report-type.ts';
import { isListed } from '../select-columns.ts';
import { type KernelPlan, LISTED, UNLISTED } from './kernel-plan.ts';
import { isRecorded } from './row-kernels.ts';

/** The plan of a kernel, and the columns that its keys stand for. */
export interface PlannedKernel {
  readonly plan: Omit<KernelPlan, 'groups'>;
  /** Columns that every issue has, even without an amount. */
  readonly always: readonly ValueColumn[];
  readonly hasVisits: boolean;
  /** The column of a key, named after the codes of the first issue that has it. */
  columnOf(key: number, firstStatus: number, firstOther: number): ValueColumn;
  /** The status of a code. */
  statusOf(code: number): FieldValue;
}

/** The inputs of a plan beside the report type and the context. */
interface PlanSources {
  readonly columns: IssueColumns;
  /** Null means 24/7. */
  readonly calendar: CalendarDefinition | null;
  readonly knownStatuses: ReadonlyMap<string, Status>;
  /** No issue of the question was created before this instant. */
  readonly earliest: Instant;
}

/** Plans a kernel for a report type; null if columns cannot have its figures, so that each issue must be measured. */
export function planKernel(
  report: ReportType,
  context: MeasureContext,
  { columns, knownStatuses, calendar, earliest }: PlanSources,
): PlannedKernel | null {
  if (report.shape === 'visit' || report.kind === 'instant') return null;
  const histories = report.fields === 'history' ? historyValues(context, columns) : [];
  if (histories === null) return null;
  const statuses = valuesOf(columns.values('status'));
  const values = { statuses, assignees: valuesOf(columns.values('assignee')), histories };
  const unlisted = { ...values, issue: { status: NOWHERE } };
  const known = knownStatuses.values().find((status) => status.unlisted !== true);
  const vocabulary = known === undefined ? unlisted : { ...values, issue: { status: known } };
  const keys = report.keys(vocabulary, context);
  // Only names of statuses depend on an issue's site. Columns with a status level are named later, so two sets of keys
  // are needed only for histories.
  const byHistory = histories.length > 0 && known !== undefined ? report.keys(unlisted, context) : keys;
  return {
    plan: {
      ...planMeasure(keys, context, vocabulary),
      report: report.id,
      countsVisits: report.kind === 'count',
      readsCut: report.readsCut(context.multiVisitBehavior),
      goesThrough: report.fields,
      calendar: context.calendar.continuous ? null : calendar,
      earliest,
      listed: Uint8Array.from(statuses, (status) =>
        status !== null && isListed({ status }, knownStatuses) ? LISTED : UNLISTED,
      ),
    },
    always: keys.always,
    hasVisits: report.hasVisits,
    statusOf: (code) => statuses[code] ?? NOWHERE,
    columnOf: (key, status, other) => (other === UNLISTED ? byHistory : keys).columnOf(key, status, other),
  };
}

/**
 * The values of a report's history fields by code; null if a history is too long for columns. Fails with
 * `MissingColumn` if a history has not been loaded into columns yet.
 */
function historyValues(
  { historyFields }: MeasureContext,
  columns: IssueColumns,
): readonly (readonly (FieldValue | null)[])[] | null {
  const found: (readonly (FieldValue | null)[])[] = [];
  for (const { id } of historyFields) {
    const history = isRecorded(id) ? { values: columns.values(id) } : columns.histories.find(id);
    if (history === null) {
      if (columns.histories.isTooLong(id)) return null;
      throw new MissingColumn({ field: id, as: 'history' });
    }
    found.push(valuesOf(history.values));
  }
  return found;
}

const NOWHERE: FieldValue = { id: '', name: '' };
