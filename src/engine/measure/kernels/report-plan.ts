import type { FieldValue, Instant, Issue, Status } from '../../../model/issue.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import { MissingColumn } from '../../columns/held-fields.ts';
import type { IssueColumns } from '../../columns/issue-columns.ts';
import { planMeasure, valuesOf } from '../../reports/measuring/report-keys.ts';
import type { MeasureContext, ReportType, ValueColumn } from '../../reports/measuring/report-type.ts';
import { isListed } from '../select-columns.ts';
import { isRecorded } from './column-cursor.ts';
import { type KernelPlan, LISTED, UNLISTED } from './kernel-plan.ts';

/** What a kernel is to find out, and what the keys it finds are. */
export interface PlannedKernel {
  readonly plan: Omit<KernelPlan, 'groups'>;
  /** Columns that every issue has, whether with an amount or not. */
  readonly always: readonly ValueColumn[];
  readonly hasVisits: boolean;
  /** The column of a key, called as the codes of the issue that had it first call it. */
  columnOf(key: number, firstStatus: number, firstOther: number): ValueColumn;
  /** The status behind a code. */
  statusOf(code: number): FieldValue;
}

/** What a question is asked of. */
interface PlanSources {
  readonly columns: IssueColumns;
  /** Null: 24/7. */
  readonly calendar: CalendarDefinition | null;
  readonly knownStatuses: ReadonlyMap<string, Status>;
  /** When the first of the issues was created. */
  readonly earliest: Instant;
}

/** How a report type's figures follow from columns; null where they do not, and each issue is to be measured. */
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
  const unlisted = { ...values, issue: issueIn(NOWHERE) };
  const known = knownStatuses.values().find((status) => status.unlisted !== true);
  const vocabulary = known === undefined ? unlisted : { ...values, issue: issueIn(known) };
  const keys = report.keys(vocabulary, context);
  // Nothing but the name of a status depends on whose site it is of; columns that statuses are levels of are named later.
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
 * The values of the histories of a report; null where those of a field are too long to be held. Fails with `MissingColumn`
 * where a history is not held yet.
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
      throw new MissingColumn(id, 'history');
    }
    found.push(valuesOf(history.values));
  }
  return found;
}

const NOWHERE: FieldValue = { id: '', name: '' };

/** An issue of which nothing matters but the status it is in, which says whether the known statuses speak of its site. */
function issueIn({ id, name }: FieldValue): Issue {
  return {
    key: '',
    project: NOWHERE,
    summary: '',
    created: 0,
    updated: 0,
    resolved: null,
    status: { id, name },
    assignee: null,
    fields: {},
    changes: [],
    history: { complete: true },
  };
}
