import { inTurns, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { createTableBuilder, surveyList, type TableBuilder } from '../../engine/measure/build-table.ts';
import { surveyOfColumns, tableOfColumns } from '../../engine/measure/kernels/table-of-columns.ts';
import { type AppError, about, badRequestAs, type Detail } from '../../model/error.ts';
import type { ReportRequest, Statistic } from '../../model/request.ts';
import type { IssueLines, Table, TableHead } from '../../model/table.ts';
import { assumedAmong } from '../../output/assumed-categories.ts';
import type { QueryContext } from '../../selection/access/query-context.ts';
import { eachIssue, inOrder, slicesOf, withColumns } from '../../selection/access/selected-issues.ts';
import { prepareReport, type SelectedBefore } from './prepare-report.ts';
import type { IssueSlice, Reading, ReportReader } from './reporting-api.ts';
import { type ReportSources, resolveRequest } from './resolve-request.ts';

/**
 * Answers a request: selects issues, turns their changes into visits, measures these under a calendar, builds a table
 * of the measures, perhaps condensed by a statistic, and adds its provenance.
 */
export async function runReport(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
  before?: SelectedBefore,
): Promise<Table> {
  const { pace } = queryContext;
  const prepared = await prepareReport(request, queryContext, sources, before);
  const { report, issues, read, context, layout, page, provenance, fromColumns } = prepared;
  const { statistic } = request;
  if (statistic !== null && fromColumns !== null) {
    const limit = (made: MadeTable) => widthCheck(request, issues.count, made);
    const figures = await withColumns(fromColumns.table, () =>
      tableOfColumns({ report, context, layout }, statistic, { ...fromColumns, limit }),
    );
    if (figures !== null) {
      const { hasUnknown: _, ...table } = figures;
      return withRepeats(withAssumed({ ...table, page, provenance }));
    }
  }
  const builder = createTableBuilder(report, context, layout, statistic);
  const assertWidth = widthCheck(request, issues.count, builder);
  await eachIssue(issues, { read, pace }, (issue) => inSteps(builder.add(issue), assertWidth, pace));
  return withRepeats(withAssumed({ ...(await builder.build(inTurns(pace))), page, provenance }));
}

/** Adds an issue to a table step by step; `assertWidth` is called before each step and after the last. */
async function inSteps(steps: Iterable<void>, assertWidth: () => void, pace: YieldIfDue): Promise<void> {
  for (const _ of steps) {
    assertWidth();
    await pace();
  }
  assertWidth();
}

/** Adds a note if issues belong to several groups, so that the sum of the groups exceeds the number of issues. */
function withRepeats(table: Table): Table {
  const { columns, rows, provenance } = table;
  const inGroups = rows.reduce((sum, { issueCount = 0 }) => sum + issueCount, 0);
  if (table.statistic === null || inGroups <= provenance.issues) return table;
  const [group, ...others] = columns.filter(({ part }) => part === 'group');
  const field = group === undefined || others.length > 0 ? '' : ` in ${group.title}`;
  const note = `Issues with several values${field} count in each row, and once in the total.`;
  return { ...table, provenance: { ...provenance, notes: [...(provenance.notes ?? []), note] } };
}

/** Adds the statuses in the table whose category is assumed. */
function withAssumed<Head extends TableHead | Table>(table: Head): Head {
  const { included, excluded, deleted } = table.statuses;
  const assumed = assumedAmong([...included, ...excluded, ...deleted]);
  return { ...table, provenance: { ...table.provenance, ...assumed } };
}

/** Number of issues per slice: its table is small, and its overhead is small compared with measuring. */
export const SLICE = 2_000;

/** Splits the issues of a request into slices. Without issues there is one empty slice, which has the provenance. */
export async function* runSlices(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
): AsyncGenerator<IssueSlice> {
  const { selection } = await resolveRequest(request, queryContext, sources);
  const all = await inOrder(await selection.choose());
  for (let start = 0; start === 0 || start < all.count; start += SLICE) {
    const before = { selection, issues: all.part(start, Math.min(all.count, start + SLICE)) };
    yield { report: (own) => runReport(own, queryContext, sources, before) };
  }
}

/** The current size of a table. */
type MadeTable = Pick<TableBuilder, 'size' | 'shown'>;

/** Maximum number of cells in an answer; more would be hundreds of megabytes of text, and delay other requests. */
const MAX_CELLS = 500_000;

/** Returns a check that fails as soon as a page, or groups, would have too many cells, before they are made. */
function widthCheck(request: ReportRequest, issues: number, { size, shown }: MadeTable): () => void {
  const { statistic, page } = request;
  if (statistic !== null) return limitCells({ size, shown }, tooManyGroups(request));
  // Only Dwell itself requests lists without pages.
  if (page === null) return () => {};
  return limitCells({ size: () => ({ ...size(), lines: issues }), shown }, (lines, columns) => {
    const problem = `'${page.size}' makes a page of ${lines * columns} cells; a page has at most ${MAX_CELLS}. Try: a smaller page, fewer statuses, a longer timePeriod or a trimmed history.`;
    return tooLarge(about('pageSize', problem));
  });
}

type Refusal = (lines: number, columns: number) => AppError;

/**
 * Returns a check, to be called repeatedly, that fails if there are too many cells. It counts shown columns, which is
 * slow, only if the upper bound has grown.
 */
function limitCells({ size, shown }: MadeTable, refusal: Refusal): () => void {
  let checked = MAX_CELLS;
  return () => {
    const { lines, columns: bound } = size();
    if (lines * Math.max(1, bound) <= checked) return;
    checked = lines * Math.max(1, bound) * 1.1;
    // Lines without a column take memory, too.
    const columns = Math.max(1, shown());
    if (lines * columns > MAX_CELLS) throw refusal(lines, columns);
  };
}

/** The error for too many groups; it names the parameter that causes more cells. */
function tooManyGroups({ groupBy, reportType }: ReportRequest): Refusal {
  return (groups, columns) => {
    const [field, value, advice] =
      groups > columns
        ? ['groupByFields', groupBy.join(','), 'a field with fewer different values, or fewer issues']
        : ['columnsBy', reportType, 'statuses, a longer timePeriod, or no groupByFields'];
    const width = columns === 1 ? '1 column' : `${columns} columns`;
    const problem = `'${value}' makes at least ${groups} groups of ${width}; an answer has at most ${MAX_CELLS} cells. Try: ${advice}.`;
    return tooLarge(about(field, problem));
  };
}

function tooLarge(detail: Detail, max = MAX_CELLS): AppError {
  return badRequestAs('too-large', detail, { most: max });
}

/** Maximum number of cells, and of issues, in a part of the lines: small, but with little overhead per issue. */
const PART_CELLS = 20_000;
const PART_ISSUES = 200;

/** Maximum number of cells in a file; more would be gigabytes, which no program opens. */
const MAX_CELLS_OF_A_FILE = 50_000_000;

/**
 * Opens a list to be read from front to back. It finds columns and statistics first, from the columns of the issues or
 * else by measuring every issue; lines are measured when they are read, so the whole table is never in memory.
 */
export async function openReport(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
  { statistics, onProgress, signal }: Reading & { readonly statistics: readonly Statistic[] },
): Promise<ReportReader> {
  const { pace } = queryContext;
  // The columns of statistics are in workflow order even for a single issue.
  const ordered = { ...queryContext, orderedStatuses: await queryContext.statuses() };
  const prepared = await prepareReport(request, ordered, sources);
  const { report, issues, read, context, layout, page, provenance, fromColumns } = prepared;
  const { count } = issues;
  const hasFigures = report.kind !== 'instant' && report.shape === 'issue';
  const wanted = hasFigures ? statistics : [];
  const limit = (made: MadeTable) => limitCells(made, tooManyGroups(request));
  const known =
    fromColumns === null
      ? null
      : await withColumns(fromColumns.table, () =>
          surveyOfColumns({ report, context, layout }, wanted, { ...fromColumns, limit }),
        );
  signal?.throwIfAborted();
  // Without columns, each issue is measured once more in a first pass.
  const rounds = known === null ? 2 : 1;
  let steps = 0;
  const step = () => {
    signal?.throwIfAborted();
    steps += 1;
    const pause = pace();
    if (pause !== null) onProgress?.(Math.floor(steps / rounds), count);
    return pause;
  };
  const measure = async () => {
    const survey = surveyList(report, context, layout, wanted);
    const assertWidth = limit(survey);
    await eachIssue(issues, { read, pace: step }, (issue) => inSteps(survey.add(issue), assertWidth, pace));
    return survey.done(inTurns(pace));
  };
  const { head, hasUnknown, statistics: figures, linesOf } = known ?? (await measure());
  const width = head.columns.length;
  if (width * count > MAX_CELLS_OF_A_FILE) {
    const sentence = `The report has ${width} columns for ${count} issues; a file has at most ${MAX_CELLS_OF_A_FILE} cells. Try: fewer issues or statuses, a longer timePeriod or a trimmed history.`;
    throw tooLarge(sentence, MAX_CELLS_OF_A_FILE);
  }
  const part = Math.max(1, Math.min(PART_ISSUES, Math.floor(PART_CELLS / width)));
  return {
    list: withAssumed({ ...head, hasUnknown, page, provenance }),
    statistics: figures.map((built) => withRepeats(withAssumed({ ...built, page, provenance }))),
    async *lines() {
      for await (const slice of slicesOf(issues, read)) {
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
