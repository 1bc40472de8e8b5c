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
 * A question arrives; issues are selected; their changes become visits; visits are measured under a calendar;
 * measures become a table, perhaps condensed by a statistic, that says where its figures come from.
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

/** Adds an issue to a table: before each step, and after the last, the table must not be too wide. */
async function inSteps(steps: Iterable<void>, assertWidth: () => void, pace: YieldIfDue): Promise<void> {
  for (const _ of steps) {
    assertWidth();
    await pace();
  }
  assertWidth();
}

/** The same, saying where issues are in several groups: the groups have more issues than there are. */
function withRepeats(table: Table): Table {
  const { columns, rows, provenance } = table;
  const inGroups = rows.reduce((sum, { issueCount = 0 }) => sum + issueCount, 0);
  if (table.statistic === null || inGroups <= provenance.issues) return table;
  const [group, ...others] = columns.filter(({ part }) => part === 'group');
  const field = group === undefined || others.length > 0 ? '' : ` in ${group.title}`;
  const note = `Issues with several values${field} count in each row, and once in the total.`;
  return { ...table, provenance: { ...provenance, notes: [...(provenance.notes ?? []), note] } };
}

/** The same, saying which of the statuses it is about have a category that is assumed. */
function withAssumed<Head extends TableHead | Table>(table: Head): Head {
  const { included, excluded, deleted } = table.statuses;
  const assumed = assumedAmong([...included, ...excluded, ...deleted]);
  return { ...table, provenance: { ...table.provenance, ...assumed } };
}

/** So many issues make a slice: their table is nothing, and what each slice takes beside measuring is less. */
export const SLICE = 2_000;

/** The issues of a request in slices; there is one even of no issues, which says where its figures come from. */
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

/** How large a table is by now. */
type MadeTable = Pick<TableBuilder, 'size' | 'shown'>;

/** A table of more cells than this would be hundreds of megabytes of text, and everybody else would wait for it. */
const MAX_CELLS = 500_000;

/** Refuses a page, or groups, as soon as it is known that they have too many cells: none of them is made yet. */
function widthCheck(request: ReportRequest, issues: number, { size, shown }: MadeTable): () => void {
  const { statistic, page } = request;
  if (statistic !== null) return limitCells({ size, shown }, tooManyGroups(request));
  // Unpaged lists are asked for by ourselves alone.
  if (page === null) return () => {};
  return limitCells({ size: () => ({ ...size(), lines: issues }), shown }, (lines, columns) =>
    tooLarge(
      about(
        'pageSize',
        `'${page.size}' makes a page of ${lines * columns} cells; a page has at most ${MAX_CELLS}. Try: a smaller page, fewer statuses, a longer timePeriod or a trimmed history.`,
      ),
    ),
  );
}

type Refusal = (lines: number, columns: number) => AppError;

/** Called again and again, fails once lines × columns are too many. What is shown takes a while to find out. */
function limitCells({ size, shown }: MadeTable, refusal: Refusal): () => void {
  let checked = MAX_CELLS;
  return () => {
    const { lines, columns: most } = size();
    if (lines * Math.max(1, most) <= checked) return;
    checked = lines * Math.max(1, most) * 1.1;
    // Lines without a column take memory as well.
    const columns = Math.max(1, shown());
    if (lines * columns > MAX_CELLS) throw refusal(lines, columns);
  };
}

/** Whichever of the two choices is the wide one is named. */
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

function tooLarge(detail: Detail, most = MAX_CELLS): AppError {
  return badRequestAs('too-large', detail, { most });
}

/** Lines are handed over in parts of so many cells, or issues: few enough to be nothing, enough to be no effort each. */
const PART_CELLS = 20_000;
const PART_ISSUES = 200;

/** More would be gigabytes that nothing opens. */
const MAX_CELLS_OF_A_FILE = 50_000_000;

/**
 * A list to be read from front to back: columns and statistics are found first, from the columns of the issues where these
 * have them, else by measuring every issue; it is measured when its lines are read, so that no table of all of them ever
 * exists.
 */
export async function openReport(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
  { statistics, onProgress, signal }: Reading & { readonly statistics: readonly Statistic[] },
): Promise<ReportReader> {
  const { pace } = queryContext;
  // Statistics of one issue alone have their columns in workflow order as well.
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
  // What columns do not have is found by looking at each issue once before.
  const rounds = known === null ? 2 : 1;
  let steps = 0;
  const step = () => {
    signal?.throwIfAborted();
    steps += 1;
    const rest = pace();
    if (rest !== null) onProgress?.(Math.floor(steps / rounds), count);
    return rest;
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
