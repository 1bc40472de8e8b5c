import { issueKeysIn, mayHoldKeys } from '../api/reporting/hide-closed-keys.ts';
import { projectKeyOf } from '../issues/issue-fields.ts';
import { AppError } from '../model/error.ts';
import { RESTRICTION } from '../model/issue.ts';
import type { AudienceScope } from '../model/permissions.ts';
import type { ReportRequest } from '../model/request.ts';
import { cellOf, type Table } from '../model/table.ts';
import { wholeList } from './hosted-lists.ts';
import type { ReportSource } from './report-source.ts';

/** The fields that close an issue to people who may see its project. */
const CLOSING = ['security', RESTRICTION] as const;

/**
 * What issues a request is about, by their keys and the keys in their fields; by their security levels and the roles they
 * are restricted to only where another Dwell answers, as the product is not known to have these fields. Null where the
 * answer would hold what fields held long ago.
 */
export async function hostedContents(
  source: ReportSource,
  request: ReportRequest,
): Promise<AudienceScope | null> {
  if (request.historyFields.some(mayHoldKeys)) return null;
  const fields = [...new Set([...request.fields, ...request.groupBy])];
  const none = { statistic: null, page: null, groupBy: [], metrics: [], creditDelegates: null };
  const list: ReportRequest = { ...request, ...none, reportType: 'statusCount', fields };
  const { isDwell } = await source.profile();
  if (!isDwell) return { ...scopeOf(await wholeList(source, list), fields), withLevel: null };
  const both = await unlessRefused(source, list, CLOSING);
  const tables =
    both === null ? await Promise.all(CLOSING.map((id) => unlessRefused(source, list, [id]))) : [both];
  const closing = tables.flatMap((table) => table ?? []);
  const closedBy = (ids: readonly string[]) => {
    const issues = closing.flatMap((table) => table.issues);
    return new Set(issues.flatMap(({ key, cells }) => (ids.some((id) => cellOf(cells, id)) ? [key] : [])))
      .size;
  };
  const [withLevel, withRoles] = [closedBy(CLOSING), closedBy([RESTRICTION])];
  return {
    ...scopeOf(closing[0] ?? (await wholeList(source, list)), fields),
    withLevel,
    ...(withRoles > 0 ? { withRoles } : {}),
  };
}

/** A Dwell refuses a field that none of these issues has. */
async function unlessRefused(
  source: ReportSource,
  list: ReportRequest,
  more: readonly string[],
): Promise<Table | null> {
  try {
    return await wholeList(source, { ...list, fields: [...list.fields, ...more] });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
    return null;
  }
}

function scopeOf({ issues }: Table, fields: readonly string[]): Pick<AudienceScope, 'projects' | 'issues'> {
  const projects = new Set<string>();
  for (const { key, cells } of issues) {
    projects.add(projectKeyOf({ key }).toUpperCase());
    for (const id of fields.filter(mayHoldKeys)) {
      const name = String(cellOf(cells, id)?.value ?? '');
      // What only looks like a key closes more than it must, and never less.
      for (const named of issueKeysIn({ id: '', name })) projects.add(projectKeyOf({ key: named }));
    }
  }
  return { projects: [...projects].sort(), issues: issues.length };
}
