import type { ReportRequest } from '../../model/request.ts';
import type { Column, Table } from '../../model/table.ts';
import { mergeTables } from './merge-tables.ts';
import { selectionParameters } from './report-parameters.ts';
import type { TableSource, ToldList } from './table-source.ts';
import { TookTooLong } from './tis-failures.ts';

const LARGEST_PAGE = 1000;

/** Where so few do not come in time, it is not their number. */
export const SMALLEST_PAGE = 25;

/** Where reading begins, and how much is read at once; `columns` are those every page shall have, once they are known. */
interface PageReading {
  readonly token?: string | null;
  readonly size?: number;
  readonly columns?: (() => readonly Column[] | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A page, and what opens the next one. */
export interface ListPage extends ToldList {
  readonly next: string | null;
}

/**
 * The pages of a list from a token on, one after the other. What takes the service too long is asked for in halves, and
 * from then on in smaller pages.
 */
export async function* listPages(
  source: TableSource,
  request: ReportRequest,
  { token = null, size: wanted = LARGEST_PAGE, columns, signal }: PageReading = {},
): AsyncGenerator<ListPage> {
  const { selection } = request;
  if (selection.by === 'keys') throw new TypeError('A page of keys is asked for as a query.');
  let from = token;
  let size = Math.min(wanted, LARGEST_PAGE);
  for (;;) {
    const page = await onePage(source, request, { token: from, size, columns, signal }).catch((failure) => {
      if (failure instanceof TookTooLong && size > SMALLEST_PAGE) return null;
      throw failure;
    });
    if (page === null) {
      size = Math.max(SMALLEST_PAGE, Math.floor(size / 2));
      continue;
    }
    if (page.next !== null && page.next === from) {
      throw source.client.failure('tells the same page again and again.');
    }
    yield page;
    if (page.next === null) return;
    from = page.next;
  }
}

async function onePage(
  source: TableSource,
  request: ReportRequest,
  {
    token,
    size,
    columns,
    signal,
  }: Pick<PageReading, 'columns' | 'signal'> & { readonly token: string | null; readonly size: number },
): Promise<ListPage> {
  const told = await source.list(
    request,
    {
      place: 'pages',
      signal,
      beside: ({ dateRange, selection }, timeZone) => ({
        ...(selection.by === 'keys' ? {} : selectionParameters(selection, dateRange, timeZone)),
        pageSize: String(size),
        ...(token === null ? {} : { nextPageToken: token }),
      }),
    },
    columns?.(),
  );
  return { ...told, next: told.asked.answer.nextPageToken ?? null };
}

/** The whole list as one table. */
export async function wholeList(
  source: TableSource,
  request: ReportRequest,
  reading: PageReading = {},
): Promise<Table> {
  const tables: Table[] = [];
  for await (const { table } of listPages(source, request, reading)) tables.push(table);
  const merged = mergeTables(tables);
  if (merged === null) throw source.client.failure('tells no page at all.');
  return merged;
}
