import { projectKeyOf } from '../../../model/access.ts';
import type { Contents } from '../../../model/contents.ts';
import { AppError } from '../../../model/error.ts';
import type { ReportRequest } from '../../../model/request.ts';
import { cellOf, type Table } from '../../../model/table.ts';
import { issueKeysIn, mayHoldKeys } from '../../local/issue-keys-in.ts';
import { listOfKeys, plainKeys } from './list-of-keys.ts';
import { wholeList } from './list-pages.ts';
import type { TableSource } from './table-source.ts';

const LEVEL = 'security';

/**
 * What issues a request is about, by their keys, the keys in their fields and their security levels, as far as the service
 * tells these. Null where the answer would hold what fields held long ago: nobody who must not read an issue shall.
 */
export async function hostedContents(source: TableSource, request: ReportRequest): Promise<Contents | null> {
  if (request.historyFields.some(mayHoldKeys)) return null;
  const fields = [...new Set([...request.fields, ...request.groupBy])];
  const list: ReportRequest = {
    ...request,
    reportType: 'statusCount',
    statistic: null,
    page: null,
    groupBy: [],
    metrics: [],
    creditDelegates: null,
    fields: [...fields, LEVEL],
  };
  try {
    const table = await listed(source, list);
    return hasLevels(table) ? contentsOf(table, fields) : withoutLevels(table, fields);
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'bad-request') throw failure;
  }
  const table = await listed(source, { ...list, fields });
  // A service of our own refuses a field that none of these issues has; what the product means by it nobody knows.
  return source.learnt.dialect() === 'own' ? contentsOf(table, fields) : withoutLevels(table, fields);
}

function withoutLevels(table: Table, fields: readonly string[]): Contents {
  return { ...contentsOf(table, fields), withLevel: null };
}

function listed(source: TableSource, request: ReportRequest): Promise<Table> {
  const { selection } = request;
  return selection.by === 'keys'
    ? listOfKeys(source, request, plainKeys(selection.keys))
    : wholeList(source, request);
}

function hasLevels({ columns }: Table): boolean {
  return columns.some(({ id, part }) => id === LEVEL && part === 'field');
}

function contentsOf({ issues }: Table, fields: readonly string[]): Contents {
  const projects = new Set<string>();
  let withLevel = 0;
  for (const { key, cells } of issues) {
    projects.add(projectKeyOf({ key }).toUpperCase());
    if (cellOf(cells, LEVEL) !== undefined) withLevel += 1;
    for (const id of fields.filter(mayHoldKeys)) {
      const value = String(cellOf(cells, id)?.value ?? '');
      // What only looks like a key closes more than it must, and never less.
      for (const named of issueKeysIn({ id: '', name: value })) projects.add(projectKeyOf({ key: named }));
    }
  }
  return { projects: [...projects].sort(), issues: issues.length, withLevel };
}
