import type { BetweenMetric } from '../../model/request.ts';
import type { ReportAnswer } from './report-answer.ts';

/**
 * An answer whose columns between statuses have the metrics' names as ids, as ours have. The product gives such a column
 * an id of its own and the name as its title; where titles are others as well, there are as many columns as were asked
 * for, in that order. A column that fits none stays as it is.
 */
export function withMetricColumns(answer: ReportAnswer, metrics: readonly BetweenMetric[]): ReportAnswer {
  const { header, body } = answer.table;
  const named = metricNames(
    header.valueColumns,
    metrics.map(({ name }) => name),
  );
  if (header.valueColumns.every(({ id }) => named.get(id) === id)) return answer;
  const renamed = <Column extends { readonly id: string }>(column: Column): Column => ({
    ...column,
    id: named.get(column.id) ?? column.id,
  });
  const valueColumns = header.valueColumns.map((column) => {
    const name = named.get(column.id);
    return name === undefined ? column : { ...column, id: name, value: name };
  });
  const rows = body.rows.map((row) => ({
    ...row,
    valueColumns: row.valueColumns.map(renamed),
    currentState: row.currentState.map(renamed),
  }));
  return { ...answer, table: { header: { ...header, valueColumns }, body: { rows } } };
}

/** The metric behind each id of a column. */
function metricNames(
  columns: ReportAnswer['table']['header']['valueColumns'],
  names: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const match = (textOf: (column: (typeof columns)[number]) => string) => {
    for (const column of columns) {
      const name = names.find((one) => one === textOf(column).trim());
      const isTaken = [...found.values()].some((one) => one === name);
      if (name !== undefined && !isTaken && !found.has(column.id)) found.set(column.id, name);
    }
  };
  match(({ id }) => id);
  match(({ value }) => value);
  if (columns.length !== names.length) return found;
  const taken = new Set(found.values());
  const left = names.filter((name) => !taken.has(name));
  const unmatched = columns.filter(({ id }) => !found.has(id));
  for (const [i, { id }] of unmatched.entries()) found.set(id, left[i] ?? id);
  return found;
}
