import type { TestDwell } from './start-dwell.ts';

type Json = Awaited<ReturnType<TestDwell['get']>>['json'];

/** Keys of the issues in a list that was answered, in its order. */
export function keysIn(json: Json): string[] {
  const rows: readonly { readonly headerColumns: readonly { readonly value: string }[] }[] =
    json.table.body.rows;
  return rows.map(({ headerColumns }) => headerColumns[0]?.value ?? '');
}

/** Keys of the issues for which a query holds, in order of their text; a refusal as its sentences. */
export async function keysFor(
  { get }: Pick<TestDwell, 'get'>,
  customjql: string,
): Promise<readonly string[] | string> {
  const { status, json } = await get('/rest/issues', {
    ...{ filterType: 'customjql', customjql, columnsBy: 'statusDuration', pageSize: '1000' },
  });
  return status === 200 ? keysIn(json).toSorted() : json.messages.join(' ');
}
