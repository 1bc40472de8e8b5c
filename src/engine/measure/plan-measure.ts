import type { FieldContent, FieldValue } from '../../model/issue.ts';
import type { ValueCodes } from '../columns/value-codes.ts';
import type { MeasurePlan, Vocabulary } from '../reports/measuring/measure-plan.ts';
import type { MeasureContext, ReportKeys } from '../reports/measuring/report-type.ts';

/** What a measure is to find out of issues whose values a vocabulary has. */
export function planMeasure(
  { always: _always, columnOf: _columnOf, ...slots }: ReportKeys,
  { asOf, trim, multiVisitBehavior, periods, countsStatus }: MeasureContext,
  { statuses }: Vocabulary,
): MeasurePlan {
  return {
    ...slots,
    asOf,
    from: trim.from ?? Number.NEGATIVE_INFINITY,
    to: trim.to ?? Number.POSITIVE_INFINITY,
    multiVisitBehavior,
    counted: Uint8Array.from(statuses, (status) => Number(status !== null && countsStatus(status.id))),
    periods: Float64Array.from([...periods.map(({ start }) => start), periods.at(-1)?.end ?? 0]),
  };
}

/** The single value that each code of a field is for, in the order of codes; null where it is none. */
export function valuesOf(codes: ValueCodes): (FieldValue | null)[] {
  return Array.from({ length: codes.size }, (_, code) => valueIn(codes.at(code)));
}

function valueIn(content: FieldContent | undefined): FieldValue | null {
  return content !== null && typeof content === 'object' && 'id' in content ? content : null;
}
