import type { ReportRequest, Statistic } from '../../../model/request.ts';
import type { Column, IssueLines, Table } from '../../../model/table.ts';
import { refuseMismatch } from '../../reporting/refuse-mismatch.ts';
import type { Reading, ReportReader } from '../../reporting.ts';
import { askedFor } from './aggregate.ts';
import { condense } from './condense.ts';
import { countable, sum } from './count-issues.ts';
import { type ListPage, listPages } from './list-pages.ts';
import { mergeTables } from './merge-tables.ts';
import { runHostedReport } from './run-hosted-report.ts';
import { reportOf, type TableSource } from './table-source.ts';
import { TookTooLong } from './tis-failures.ts';

/** Lines are handed over in parts of so many issues. */
const PART = 200;

/**
 * A list to be read from front to back. A short one is told whole with its first page. Of a long one only the first page
 * is read before: which columns the others will bring, how many issues there are and the statistics are told by
 * aggregations, or, where those are not told in time, by reading everything beforehand.
 */
export async function openHostedReport(
  source: TableSource,
  request: ReportRequest,
  statistics: readonly Statistic[],
  reading: Reading,
): Promise<ReportReader> {
  const report = reportOf(request);
  refuseMismatch(request, report);
  const { onProgress, signal } = reading;
  const wanted = report.kind === 'instant' || report.shape === 'visit' ? [] : statistics;
  if (request.selection.by === 'keys') {
    return readerOf(await runHostedReport(source, request, signal), request, wanted, reading);
  }
  let columns: readonly Column[] | undefined;
  const pages = listPages(source, request, { columns: () => columns, signal });
  const first = await next(pages);
  if (first === null) throw source.client.failure('tells no page at all.');
  const told = first.next === null ? null : await surveyed(source, request, wanted, signal);
  if (told === null) {
    const tables = [first.table];
    for (let page = await next(pages); page !== null; page = await next(pages)) {
      signal?.throwIfAborted();
      tables.push(page.table);
    }
    const whole = mergeTables(tables) ?? first.table;
    return readerOf(whole, request, wanted, reading);
  }
  const { survey, figures } = told;
  const own = first.table.columns.filter(({ part }) => part !== 'value');
  const values = mergeTables([survey, first.table])?.columns.filter(({ part }) => part === 'value') ?? [];
  columns = [...own, ...values.map((column) => ({ ...column, kind: report.kind }))];
  const { issues: total, cutHistories, complete } = survey.provenance;
  const provenance = { ...first.table.provenance, issues: total, cutHistories, complete };
  return {
    list: {
      columns,
      statuses: survey.statuses,
      composite: report.composite,
      statistic: null,
      page: null,
      hasUnknown: cutHistories > 0,
      provenance,
    },
    statistics: figures,
    async *lines() {
      let done = 0;
      for (let page: ListPage | null = first; page !== null; page = await next(pages)) {
        for (const part of partsOf(page.table)) {
          signal?.throwIfAborted();
          yield part;
        }
        done += page.table.issues.length;
        onProgress?.(done, Math.max(done, total));
      }
    },
  };
}

interface Survey {
  /** What one of the aggregations tells of all issues. */
  readonly survey: Table;
  readonly figures: readonly Table[];
}

/** Null where the service cannot tell them, or not in time. */
async function surveyed(
  source: TableSource,
  request: ReportRequest,
  statistics: readonly Statistic[],
  signal: AbortSignal | undefined,
): Promise<Survey | null> {
  try {
    const figures: Table[] = [];
    for (const statistic of statistics) {
      const table = await askedFor(source, request, statistic, signal);
      if (table === null) return null;
      figures.push(table);
    }
    const survey =
      figures[0] ?? (await askedFor(source, { ...request, groupBy: [], ...countable(request) }, sum, signal));
    return survey === null ? null : { survey, figures };
  } catch (failure) {
    if (failure instanceof TookTooLong) return null;
    throw failure;
  }
}

/** A table that is there as a whole. */
function readerOf(
  table: Table,
  { groupBy }: ReportRequest,
  statistics: readonly Statistic[],
  { onProgress, signal }: Reading,
): ReportReader {
  const { issues, rows: _, ...head } = table;
  return {
    list: { ...head, hasUnknown: issues.some(({ unknown }) => unknown !== null) },
    statistics: statistics.map((statistic) => condense(table, groupBy, statistic)),
    async *lines() {
      let done = 0;
      for (const part of partsOf(table)) {
        signal?.throwIfAborted();
        yield part;
        done += part.length;
        onProgress?.(done, issues.length);
      }
    },
  };
}

function* partsOf({ issues, rows }: Table): Generator<IssueLines[]> {
  const byKey = Map.groupBy(rows, ({ issueKey }) => issueKey);
  for (let start = 0; start < issues.length; start += PART) {
    yield issues.slice(start, start + PART).map((facts) => ({ facts, rows: byKey.get(facts.key) ?? [] }));
  }
}

async function next(pages: AsyncGenerator<ListPage>): Promise<ListPage | null> {
  const { value, done } = await pages.next();
  return done ? null : value;
}
