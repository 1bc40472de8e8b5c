import { z } from 'zod';
import { about, badRequestAs } from '../../model/error.ts';
import { reportIds } from '../../model/report-ids.ts';
import { shown } from './parameter.ts';

type Shape = 'issue' | 'visit';

/** A report type, and whether its rows are issues or the visits of one. */
export interface ReportShape {
  readonly id: string;
  readonly shape: Shape;
  /** Members of a request that only some report types have a use for; it has one for these. */
  readonly options: readonly string[];
}

/** The mark by which the description of the interface knows where to list the report types of a shape. */
export const shapeMark = 'x-report-shape';

/** The report type. Which there are is known to the reporting port only, so `chooseReportType` checks it. */
export function columnsBy(shape: Shape) {
  return z
    .string()
    .trim()
    .meta({
      description: 'Report type: defines the value columns.',
      [shapeMark]: shape,
      ...(shape === 'issue' ? { examples: [reportIds.statusDuration] } : {}),
    });
}

/** The report type in its own spelling; one that is unknown, or of another shape, is refused. */
export function chooseReportType(wantedType: string, shape: Shape, types: readonly ReportShape[]): string {
  const allowed = types.filter((type) => type.shape === shape);
  const wanted = wantedType.toLowerCase();
  const chosen = allowed.find(({ id }) => id.toLowerCase() === wanted);
  if (chosen !== undefined) return chosen.id;
  const elsewhere = types.some(({ id }) => id.toLowerCase() === wanted);
  const why = !elsewhere
    ? 'is not known'
    : shape === 'issue'
      ? 'shows the visits of one issue, as /rest/issue/expanded does'
      : 'shows no single visits';
  const ids = allowed.map(({ id }) => id);
  const problem = about('columnsBy', `'${shown(wantedType)}' ${why}. Try: ${ids.join(', ')}.`);
  throw badRequestAs('unknown-name', problem, { field: 'columnsBy', value: wantedType, known: ids });
}
