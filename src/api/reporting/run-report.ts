import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { inTurns } from '../../concurrency/in-turns.ts';
import { createTableBuilder, surveyList, type TableBuilder } from '../../engine/build-table.ts';
import { surveyOfColumns, tableOfColumns } from '../../kernels/table-of-columns.ts';
import { type AppError, about, badRequest } from '../../model/error.ts';
import type { ReportRequest, Statistic } from '../../model/request.ts';
import type { IssueLines, Table } from '../../model/table.ts';
import type { IssueSlice, Reading, ReportReader } from '../reporting.ts';
import { withColumns } from './chosen-issues.ts';
import { type ChosenBefore, prepareReport, type ReportSources } from './prepare-report.ts';
import type { QueryContext } from './query-context.ts';
import { resolveRequest } from './resolve-request.ts';

/**
 * A question arrives; issues are selected; their changes become visits; visits are measured under a calendar;
 * measures become a table, perhaps condensed by a statistic, that says where its figures come from.
 */
export async function runReport(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
  before?: ChosenBefore,
): Promise<Table> {
  const pace = createYieldIfDue();
  const prepared = await prepareReport(request, queryContext, sources, pace, before);
  const { report, chosen, slices, context, layout, page, provenance, fromColumns } = prepared;
  const { statistic } = request;
  if (statistic !== null && fromColumns !== null) {
    const limit = (made: Pick<TableBuilder, 'size' | 'shown'>) => widthCheck(request, chosen.count, made);
    const figures = await withColumns(fromColumns.table, () =>
      tableOfColumns({ report, context, layout }, statistic, { ...fromColumns, limit }),
    );
    if (figures !== null) {
      const { hasUnknown: _, ...table } = figures;
      return { ...table, page, provenance };
    }
  }
  const builder = createTableBuilder(report, context, layout, statistic);
  const refuseTooWide = widthCheck(request, chosen.count, builder);
  for await (const slice of slices()) {
    for (const issue of slice) {
      const rest = pace();
      if (rest !== null) await rest;
      builder.add(issue);
      refuseTooWide();
    }
  }
  return { ...(await builder.build(inTurns(pace))), page, provenance };
}

/** So many issues make a slice: their table is nothing, and what each slice takes beside measuring is less. */
const SLICE = 2_000;

/** The issues of a request in slices; there is one even of no issues, which tells where its figures come from. */
export async function* runSlices(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
): AsyncGenerator<IssueSlice> {
  const { selected } = await resolveRequest(request, queryContext, sources);
  const all = await selected.select(createYieldIfDue());
  for (let start = 0; start === 0 || start < all.count; start += SLICE) {
    const before = { selected, chosen: all.part(start, Math.min(all.count, start + SLICE)) };
    yield { report: (own) => runReport(own, queryContext, sources, before) };
  }
}

/** How many issues a question is about; nothing is measured. */
export async function countIssues(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
): Promise<number> {
  const { selected } = await resolveRequest(request, queryContext, sources);
  return (await selected.select(createYieldIfDue(), 0)).count;
}

/** A table of more cells than this would be hundreds of megabytes of text, and everybody else would wait for it. */
const MOST_CELLS = 500_000;

/** Refuses a page, or groups, as soon as it is known that they have too many cells: none of them is made yet. */
function widthCheck(
  { statistic, page, groupBy, reportType }: ReportRequest,
  issues: number,
  { size, shown }: Pick<TableBuilder, 'size' | 'shown'>,
): () => void {
  // Unpaged lists are asked for by ourselves alone.
  if (statistic === null && page === null) return () => {};
  if (statistic !== null) {
    return limitCells({ size, shown }, (...made) => tooManyGroups({ groupBy, reportType }, ...made));
  }
  return limitCells({ size: () => ({ ...size(), lines: issues }), shown }, (lines, columns) =>
    badRequest(
      about(
        'pageSize',
        `'${page?.size}' makes a page of ${lines * columns} cells; allowed: ${MOST_CELLS} cells, by a smaller page, fewer statuses, a longer timePeriod or a trimmed history.`,
      ),
    ),
  );
}

/** Called again and again, fails once lines × columns are too many. What is shown takes a while to find out. */
function limitCells(
  { size, shown }: Pick<TableBuilder, 'size' | 'shown'>,
  refusal: (lines: number, columns: number) => AppError,
): () => void {
  let looked = MOST_CELLS;
  return () => {
    const { lines, columns: most } = size();
    if (lines * most <= looked) return;
    looked = lines * most * 1.1;
    const columns = shown();
    if (lines * columns > MOST_CELLS) throw refusal(lines, columns);
  };
}

/** Whichever of the two choices is the wide one is named. */
function tooManyGroups(
  { groupBy, reportType }: Pick<ReportRequest, 'groupBy' | 'reportType'>,
  groups: number,
  columns: number,
): AppError {
  const made = `makes at least ${groups} groups of ${columns} columns; an answer has at most ${MOST_CELLS} cells.`;
  if (groups > columns) {
    const why = `'${groupBy.join(',')}' ${made} Try: a field with fewer different values, or fewer issues.`;
    return badRequest(about('groupByFields', why));
  }
  const why = `'${reportType}' ${made} Try: statuses, a longer timePeriod, or no groupByFields.`;
  return badRequest(about('columnsBy', why));
}

/** Lines are handed over in parts of so many cells, or issues: few enough to be nothing, enough to be no effort each. */
const PART_CELLS = 20_000;
const PART_ISSUES = 200;

/** More would be gigabytes that nothing opens. */
const MOST_CELLS_OF_A_FILE = 50_000_000;

/**
 * A list to be read from front to back: columns and statistics are learnt first, from the columns of the issues where
 * these tell them, else by measuring every issue; it is measured when its lines are read, so that no table of all of them
 * ever exists.
 */
export async function openReport(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
  { statistics, onProgress, signal }: Reading & { readonly statistics: readonly Statistic[] },
): Promise<ReportReader> {
  const pace = createYieldIfDue();
  const prepared = await prepareReport(request, queryContext, sources, pace);
  const { report, chosen, slices, context, layout, page, provenance, fromColumns } = prepared;
  const { count } = chosen;
  const hasFigures = report.kind !== 'instant' && report.shape === 'issue';
  const wanted = hasFigures ? statistics : [];
  const limit = (made: Pick<TableBuilder, 'size' | 'shown'>) =>
    limitCells(made, (...found) => tooManyGroups(request, ...found));
  const known =
    fromColumns === null
      ? null
      : await withColumns(fromColumns.table, () =>
          surveyOfColumns({ report, context, layout }, wanted, { ...fromColumns, limit }),
        );
  signal?.throwIfAborted();
  // What columns do not tell is learnt by looking at each issue once before.
  const rounds = known === null ? 2 : 1;
  let steps = 0;
  const step = async () => {
    signal?.throwIfAborted();
    steps += 1;
    const rest = pace();
    if (rest === null) return;
    onProgress?.(Math.floor(steps / rounds), count);
    await rest;
  };
  const look = async () => {
    const survey = surveyList(report, context, layout, wanted);
    const refuseTooWide = limit(survey);
    for await (const slice of slices()) {
      for (const issue of slice) {
        await step();
        survey.add(issue);
        refuseTooWide();
      }
    }
    return survey.done(inTurns(pace));
  };
  const { head, hasUnknown, statistics: figures, linesOf } = known ?? (await look());
  const width = head.columns.length;
  if (width * count > MOST_CELLS_OF_A_FILE) throw tooWide(width, count);
  const part = Math.max(1, Math.min(PART_ISSUES, Math.floor(PART_CELLS / width)));
  return {
    list: { ...head, hasUnknown, page, provenance },
    statistics: figures.map((built) => ({ ...built, page, provenance })),
    async *lines() {
      for await (const slice of slices()) {
        for (let start = 0; start < slice.length; start += part) {
          const lines: IssueLines[] = [];
          for (const issue of slice.slice(start, start + part)) {
            await step();
            lines.push(linesOf(issue));
          }
          yield lines;
        }
      }
      onProgress?.(count, count);
    },
  };
}

function tooWide(columns: number, issues: number): AppError {
  return badRequest(
    `The report has ${columns} columns for ${issues} issues; allowed: ${MOST_CELLS_OF_A_FILE} cells in all, by fewer issues or statuses, a longer timePeriod or a trimmed history.`,
  );
}
