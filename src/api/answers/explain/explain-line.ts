import type { ExplainedPart, Explanation } from '../../../model/answer.ts';
import type { ReportRequest } from '../../../model/request.ts';
import { type Column, cellOf, type Table } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting.ts';
import { compose, partOf, sumOf } from './compose.ts';
import { unknownFigure } from './figure-id.ts';
import { reportRules } from './report-rules.ts';
import { visitParts } from './visit-parts.ts';

/** What the line of one issue adds up to: its visits where they are what is in it, else its columns. */
export async function explainLine(
  table: Table,
  columns: readonly Column[],
  { asker, calendar, asOf, trim, ...request }: ReportRequest,
  reporting: ReportingApi,
): Promise<Explanation> {
  const [facts] = table.issues;
  const [first] = columns;
  if (facts === undefined || first === undefined) throw unknownFigure();
  const cells = table.rows.flatMap((row) =>
    columns.flatMap((column) => {
      const value = cellOf(row.cells, column.id)?.value;
      return typeof value === 'number' ? [{ column, value }] : [];
    }),
  );
  const total = sumOf(cells.map(({ value }) => value));
  const isTime = first.kind === 'duration';
  const shown = new Set(columns.map(({ id }) => id));
  const byVisit = isTime
    ? (await visitParts({ asker, calendar, asOf, trim, key: facts.key }, reporting)).visits
        .filter(({ statusId }) => statusId !== null && shown.has(statusId))
        .map(({ part }) => part)
    : [];
  const addsUp = byVisit.length > 0 && sumOf(byVisit.map(({ countedMs }) => countedMs ?? 0)) === total;
  const byColumn = cells.map(({ column, value }): ExplainedPart => {
    const share = isTime ? { countedMs: value } : { note: `counts ${value}` };
    return partOf({ label: column.title, ...share });
  });
  return compose(
    {
      title: `All of ${facts.key}`,
      value: cells.length === 0 ? null : { kind: isTime ? 'duration' : 'count', value: total },
      rules: [
        "It is the sum of what stands in the issue's line.",
        ...reportRules({ asker, calendar, asOf, trim, ...request }, table),
      ],
      parts: addsUp ? byVisit : byColumn,
      adds: true,
    },
    table.provenance,
    table.provenance.asOf,
  );
}
