import type { Row } from '../model/table.ts';

/** What the visits of one value come to, in milliseconds; `valueId` null is "empty". */
export interface VisitStatistics {
  readonly field: string | null;
  readonly valueId: string | null;
  readonly count: number;
  readonly total: number;
  readonly average: number;
  readonly min: number;
  readonly max: number;
}

/** The lines of a visit-by-visit report, condensed per field and value in order of first visit. */
export function visitStatistics(rows: readonly Row[]): VisitStatistics[] {
  const groups = Map.groupBy(rows, (row) => `${row.cells.field?.value}\n${row.cells.value?.id ?? '\n'}`);
  return [...groups.values()].map((visits) => {
    const durations = visits.map((row) => Number(row.cells.duration?.value ?? 0));
    const total = durations.reduce((sum, ms) => sum + ms, 0);
    const cells = visits[0]?.cells;
    const field = cells?.field?.value;
    return {
      field: typeof field === 'string' ? field : null,
      valueId: cells?.value?.id ?? null,
      count: durations.length,
      total,
      average: Math.round(total / durations.length),
      min: durations.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      max: durations.reduce((a, b) => Math.max(a, b), 0),
    };
  });
}
