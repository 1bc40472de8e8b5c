import { issueKeysIn, mayHoldKeys } from '../../api/reporting/hide-closed-keys.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import { AppError } from '../../model/error.ts';
import { RESTRICTION } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import type { ReportRequest } from '../../model/request.ts';
import { cellOf, type Table } from '../../model/table.ts';
import { listOfKeys, plainKeys } from './list-of-keys.ts';
import { wholeList } from './list-pages.ts';
import type { TableSource } from './table-source.ts';

/** The fields that close an issue to people who may see its project. */
const CLOSING = ['security', RESTRICTION] as const;

/**
 * What issues a request is about, by their keys, the keys in their fields, their security levels and the roles they are
 * restricted to, as far as the service tells these. Null where the answer would hold what fields held long ago: nobody who must not read an issue shall.
 */
export async function hostedContents(
  source: TableSource,
  request: ReportRequest,
): Promise<AudienceScope | null> {
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
    fields,
  };
  const both = await unlessRefused(source, { ...list, fields: [...fields, ...CLOSING] });
  if (both !== null) {
    return CLOSING.every((id) => isTold(both, id))
      ? contentsOf(both, fields, [both])
      : withoutLevels(both, fields);
  }
  // A service of our own refuses a field that none of these issues has; what the product means by it nobody knows.
  const plain = source.learnt.dialect() === 'own' ? null : await listed(source, list);
  if (plain !== null && source.learnt.dialect() !== 'own') return withoutLevels(plain, fields);
  const closing: Table[] = [];
  for (const id of CLOSING) {
    const told = await unlessRefused(source, { ...list, fields: [...fields, id] });
    if (told !== null) closing.push(told);
  }
  return contentsOf(closing[0] ?? plain ?? (await listed(source, list)), fields, closing);
}

async function unlessRefused(source: TableSource, list: ReportRequest): Promise<Table | null> {
  try {
    return await listed(source, list);
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'bad-request') throw failure;
    return null;
  }
}

function withoutLevels(table: Table, fields: readonly string[]): AudienceScope {
  return { ...contentsOf(table, fields, []), withLevel: null };
}

function listed(source: TableSource, request: ReportRequest): Promise<Table> {
  const { selection } = request;
  return selection.by === 'keys'
    ? listOfKeys(source, request, plainKeys(selection.keys))
    : wholeList(source, request);
}

function isTold({ columns }: Table, field: string): boolean {
  return columns.some(({ id, part }) => id === field && part === 'field');
}

/** `closing` are tables of the same issues with what closes them. */
function contentsOf({ issues }: Table, fields: readonly string[], closing: readonly Table[]): AudienceScope {
  const projects = new Set<string>();
  for (const { key, cells } of issues) {
    projects.add(projectKeyOf({ key }).toUpperCase());
    for (const id of fields.filter(mayHoldKeys)) {
      const value = String(cellOf(cells, id)?.value ?? '');
      // What only looks like a key closes more than it must, and never less.
      for (const named of issueKeysIn({ id: '', name: value })) projects.add(projectKeyOf({ key: named }));
    }
  }
  const closedBy = (ids: readonly string[]) => {
    const rows = closing.flatMap((table) => table.issues);
    return new Set(rows.filter(({ cells }) => ids.some((id) => cellOf(cells, id))).map(({ key }) => key))
      .size;
  };
  const [withLevel, withRoles] = [closedBy(CLOSING), closedBy([RESTRICTION])];
  return {
    ...{ projects: [...projects].sort(), issues: issues.length, withLevel },
    ...(withRoles > 0 ? { withRoles } : {}),
  };
}
