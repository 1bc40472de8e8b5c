import { AppError } from '../../model/error.ts';
import type { ReportRequest, Statistic } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import { condense } from './condense.ts';
import { exportFigures } from './export-figures.ts';
import { keyQuery, listOfKeys, plainKeys, refuseMissing } from './list-of-keys.ts';
import { wholeList } from './list-pages.ts';
import { selectionParameters, statisticParameters } from './report-parameters.ts';
import type { TableSource } from './table-source.ts';
import { TookTooLong } from './tis-failures.ts';

/** More keys make a query that nobody should be asked. */
const MOST_KEYS = 200;

/**
 * One figure per group of issues. The service is asked first. What it does not know, or cannot do in its minute, is
 * condensed here from all the pages of the list, which tell every millisecond and every group as it is; an export, whose
 * file tells neither, is left for lists of which not even a small page comes in time.
 */
export async function aggregate(
  source: TableSource,
  request: ReportRequest,
  statistic: Statistic,
  signal?: AbortSignal,
): Promise<Table> {
  const { selection } = request;
  if (selection.by === 'keys') return aggregateKeys(source, request, statistic, selection.keys, signal);
  const told = await askedFor(source, request, statistic, signal).catch((failure: unknown) => {
    if (failure instanceof TookTooLong) return null;
    throw failure;
  });
  if (told !== null) return told;
  try {
    return condense(await wholeList(source, listOf(request), { signal }), request.groupBy, statistic);
  } catch (failure) {
    if (!(failure instanceof TookTooLong)) throw failure;
    const figures = await exportFigures(source, request, statistic);
    if (figures === null) throw failure;
    return figures;
  }
}

/**
 * What the service itself aggregates; null for what only we can. How the product is asked for a denominator of all issues
 * is written nowhere, but a sum and the number of issues make the same; which standard deviation it means neither.
 */
export async function askedFor(
  source: TableSource,
  request: ReportRequest,
  statistic: Statistic,
  signal?: AbortSignal,
): Promise<Table | null> {
  const { learnt } = source;
  const ask = (wanted: Statistic) =>
    source.groups(
      request,
      {
        place: 'aggregation',
        signal,
        beside: ({ selection, dateRange }, timeZone) => ({
          ...(selection.by === 'keys' ? {} : selectionParameters(selection, dateRange, timeZone)),
          ...statisticParameters(wanted),
        }),
      },
      statistic,
    );
  if (learnt.dialect() !== 'product') {
    const told = await ask(statistic).catch((failure: unknown) => {
      // Before the first answer nobody knows whether the service has heard of what only ours takes.
      const isOwnWord = isOfOurs(statistic) && learnt.dialect() === null;
      if (isOwnWord && failure instanceof AppError && failure.code === 'bad-request') return null;
      throw failure;
    });
    if (told === null || learnt.dialect() === 'own') return told;
  }
  switch (statistic.type) {
    case 'average':
      return statistic.denominator === 'all'
        ? overAll(await ask({ ...statistic, type: 'sum' }))
        : ask(statistic);
    case 'sum':
    case 'median':
      return ask(statistic);
    default:
      return null;
  }
}

/** Its type, its formula or its denominator is written in no document of the product. */
function isOfOurs({ type, denominator }: Statistic): boolean {
  return type === 'percentile' || type === 'standardDeviation' || denominator === 'all';
}

function overAll(table: Table): Table {
  return {
    ...table,
    rows: table.rows.map((row) => {
      const { issueCount = 0, cells } = row;
      const divided = Object.entries(cells).map(([id, cell]) => [
        id,
        { ...cell, value: Number(cell.value) / issueCount },
      ]);
      return { ...row, cells: issueCount === 0 ? {} : Object.fromEntries(divided) };
    }),
  };
}

async function aggregateKeys(
  source: TableSource,
  request: ReportRequest,
  statistic: Statistic,
  given: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Table> {
  const keys = plainKeys(given);
  if (keys.length > MOST_KEYS) {
    return condense(await listOfKeys(source, listOf(request), keys, signal), request.groupBy, statistic);
  }
  const selection = { by: 'jql', jql: keyQuery(keys) } as const;
  const table = await aggregate(source, { ...request, selection }, statistic, signal).catch(
    async (failure: unknown) => {
      if (failure instanceof AppError && failure.code === 'bad-request') {
        await refuseMissing(source, request, keys, signal);
      }
      throw failure;
    },
  );
  if (table.provenance.issues !== keys.length) await refuseMissing(source, request, keys, signal);
  return { ...table, provenance: { ...table.provenance, query: null } };
}

/** The list behind a statistic. Groups are asked for as fields, which every list tells. */
function listOf(request: ReportRequest): ReportRequest {
  return { ...request, statistic: null, page: null, groupBy: [], fields: request.groupBy };
}
