import { z } from 'zod';
import { createSum } from '../../engine/statistics.ts';
import type { Status } from '../../model/issue.ts';
import type { ReportRequest, Statistic } from '../../model/request.ts';
import type { Cell, Column, Row, Table } from '../../model/table.ts';
import { csvLines } from './csv-lines.ts';
import { listPages } from './list-pages.ts';
import { mergeTables } from './merge-tables.ts';
import { reportParameters, selectionParameters, statisticParameters } from './report-parameters.ts';
import { reportOf, type TableSource } from './table-source.ts';
import { TookTooLong } from './tis-failures.ts';

const fileTypes = {
  average: 'CSVAVERAGE',
  sum: 'CSVSUM',
  median: 'CSVMEDIAN',
  standardDeviation: 'CSVSTDDEV',
  percentile: null,
} as const;

/** The file of a long report is waited for with growing pauses, ten minutes in all. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
const LONGEST_WAIT_MS = 600_000;

const started = z.object({ exportId: z.string().min(1) });

const progress = z.object({
  status: z.string(),
  message: z.string().nullish(),
  downloadLink: z.string().nullish(),
  total: z.number().nullish(),
});

/** So many issues are looked at, one by one, for the ids behind the titles of a file. */
const LOOKED_AT = 20;

/**
 * The figures of an export: the one way to an answer that takes the service longer than a minute. Its file tells titles
 * and seconds where a report tells ids and milliseconds, so it is the last way, and its columns are matched by title.
 * Null where there is no such file, and where nobody knows what the product would put into it.
 */
export async function exportFigures(
  source: TableSource,
  request: ReportRequest,
  statistic: Statistic,
): Promise<Table | null> {
  const outputType = fileTypes[statistic.type];
  const { selection, dateRange, ...worded } = await source.worded(request);
  if (outputType === null || selection.by === 'keys') return null;
  const { client, learnt } = source;
  if (learnt.dialect() !== 'own' && isUnknown(request, statistic)) return null;
  // As long as no answer has told on whose clocks the service reads dates, they could be hours wrong.
  if (learnt.dialect() === null && hasDates(request)) return null;
  const timeZone = learnt.timeZone();
  const first = await client.fetch({
    place: 'exportStart',
    method: 'POST',
    parameters: {
      ...reportParameters(
        { ...worded, selection, dateRange },
        {
          timeZone,
          metricSpelling: learnt.metricSpelling() ?? 'ids',
          statuses: learnt.met(),
          isOwn: learnt.dialect() === 'own',
        },
      ),
      ...selectionParameters(selection, dateRange, timeZone),
      ...statisticParameters(statistic),
      outputType,
    },
  });
  const file = isCsv(first.type)
    ? { csv: first.text, total: null }
    : await fileOf(client.read(first.text, started).exportId);
  const [titles = [], ...lines] = csvLines(file.csv) ?? [];
  if (titles.length === 0) throw client.failure('tells a file that is no CSV.');
  return figuresOf(titles, lines, { total: file.total, frame: await frameFor(source, request, titles) });

  async function fileOf(id: string): Promise<{ readonly csv: string; readonly total: number | null }> {
    const below = `/${encodeURIComponent(id)}`;
    let pause = FIRST_PAUSE_MS;
    for (let waited = 0; waited < LONGEST_WAIT_MS; waited += pause) {
      await client.wait(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      const { status, message, downloadLink, total } = await client.ask(
        { place: 'exports', below },
        progress,
      );
      if (/fail|abort|error|cancel/i.test(status)) {
        throw client.failure(`could not make the export: ${message ?? status}.`);
      }
      if (!downloadLink && !/^(success|complete|done|finished)/i.test(status)) continue;
      const file = await client.fetch({ place: 'exports', below: `${below}/download` });
      if (isCsv(file.type)) return { csv: file.text, total: total ?? null };
      throw client.failure(`tells a file of the type '${file.type}' where it was asked for CSV.`);
    }
    throw client.failure('has not made the export within ten minutes.');
  }

  function figuresOf(
    titles: readonly string[],
    lines: readonly (readonly string[])[],
    { total, frame }: { readonly total: number | null; readonly frame: Table },
  ): Table {
    const places = placesOf(titles, frame);
    const rows = lines.map((line): Row => {
      const cells = (wanted: 'group' | 'value') =>
        Object.fromEntries(
          places.flatMap(({ column }, i): [string, Cell][] => {
            if (column?.part !== wanted) return [];
            const cell = cellOf(column, line[i] ?? '');
            return cell === null ? [] : [[column.id, cell]];
          }),
        );
      const counted = Number(line[places.findIndex(({ counts }) => counts)]);
      return {
        issueKey: null,
        own: cells('group'),
        cells: cells('value'),
        ...(Number.isFinite(counted) ? { issueCount: counted } : {}),
      };
    });
    const issues = createSum();
    for (const { issueCount = 0 } of rows) issues.add(issueCount);
    return {
      ...frame,
      columns: places.flatMap(({ column }) => column ?? []),
      issues: [],
      rows,
      statistic,
      page: null,
      provenance: { ...frame.provenance, issues: total ?? issues.total() },
    };
  }

  /** What stands before the figures are the groups, in their order; our own files count and vouch beside them. */
  function placesOf(titles: readonly string[], frame: Table): { column: Column | null; counts: boolean }[] {
    const { kind } = reportOf(request);
    const known = idsByTitle(frame, learnt.met());
    return titles.map((title, i) => {
      if (/^(issues|issue count)( \(dwell\))?$/i.test(title)) return { column: null, counts: true };
      if (/^(key|summary|history)( \(dwell\))?$/i.test(title)) return { column: null, counts: false };
      const group = request.groupBy[i];
      if (group !== undefined)
        return { column: { id: group, title, kind: 'text', part: 'group' }, counts: false };
      const id = known.get(title) ?? title;
      return { column: { id, title, kind, part: 'value' }, counts: false };
    });
  }
}

function cellOf({ part, kind }: Column, told: string): Cell | null {
  const text = told.trim();
  if (text === '' || text === '-') return null;
  if (part === 'group') return { value: text };
  const amount = Number(text);
  if (!Number.isFinite(amount)) return null;
  return { value: kind === 'duration' ? Math.round(amount * 1000) : amount };
}

function isCsv(type: string | null): boolean {
  return type === 'text/csv' || type === 'application/csv';
}

/**
 * What the product divides by, and by which formula it deviates, is written nowhere; and a file does not tell that a
 * parameter was passed over.
 */
function isUnknown(
  { asOf, creditDelegates, consolidated }: ReportRequest,
  { type, denominator }: Statistic,
): boolean {
  const isOfOurs = asOf !== null || creditDelegates !== null || consolidated.length > 0;
  return isOfOurs || type === 'standardDeviation' || (type === 'average' && denominator === 'all');
}

/** Some issues of the list, until every title is known: what the answer is of, and what its columns are called. */
async function frameFor(
  source: TableSource,
  request: ReportRequest,
  titles: readonly string[],
): Promise<Table> {
  const { learnt } = source;
  const tables: Table[] = [];
  const some = { ...request, statistic: null, page: null, groupBy: [], fields: [] };
  try {
    for await (const { table } of listPages(source, some, { size: 1 })) {
      tables.push(table);
      const known = idsByTitle(mergeTables(tables) ?? table, learnt.met());
      if (
        tables.length === LOOKED_AT ||
        titles.slice(request.groupBy.length).every((title) => known.has(title))
      )
        break;
    }
  } catch (failure) {
    if (!(failure instanceof TookTooLong)) throw failure;
  }
  return mergeTables(tables) ?? source.blank(request);
}

function idsByTitle({ columns }: Table, statuses: readonly Status[]): ReadonlyMap<string, string> {
  const values = columns.filter(({ part }) => part === 'value');
  return new Map([
    ...statuses.map(({ id, name }) => [name, id] as const),
    ...values.map(({ id, title }) => [title, id] as const),
  ]);
}

function hasDates({ dateRange, trim, asOf }: ReportRequest): boolean {
  return dateRange !== null || trim.from !== null || trim.to !== null || asOf !== null;
}
