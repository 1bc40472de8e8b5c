import { AppError } from '../model/error.ts';
import { RESTRICTION } from '../model/issue.ts';
import { projectKeyOf } from '../model/issues/issue-fields.ts';
import { reportIds } from '../model/report-ids.ts';
import type { AudienceScope, ReportRequest } from '../model/request.ts';
import { cellOf, type Table } from '../model/table.ts';
import { issueKeysIn, mayHoldKeys } from '../selection/access/hide-closed-keys.ts';
import { wholeList } from './hosted-lists.ts';
import type { ReportSource } from './report-source.ts';

/** The fields that close an issue to people who may see its project. */
const CLOSING = ['security', RESTRICTION] as const;

/**
 * The scope of a request, by the keys of its issues and the keys in their fields; by their security levels and the roles they
 * are restricted to only where another Dwell answers, as the product is not known to have these fields. Null where the
 * answer would hold what fields held long ago.
 */
export async function hostedAudienceScope(
  source: ReportSource,
  request: ReportRequest,
): Promise<AudienceScope | null> {
  if (request.historyFields.some(mayHoldKeys)) return null;
  const fields = [...new Set([...request.fields, ...request.groupBy])];
  const none = { statistic: null, page: null, groupBy: [], metrics: [], creditDelegates: null };
  const list: ReportRequest = { ...request, ...none, reportType: reportIds.statusCount, fields };
  const { isDwell } = await source.profile();
  if (!isDwell) return { ...scopeOf(await wholeList(source, list), fields), withLevel: null };
  // A Dwell refuses a field that none of these issues has.
  const withFields = async (more: readonly string[]) => {
    const table = wholeList(source, { ...list, fields: [...fields, ...more] });
    return table.catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      return null;
    });
  };
  const both = await withFields(CLOSING);
  const tables = both === null ? await Promise.all(CLOSING.map((id) => withFields([id]))) : [both];
  const issues = tables.flatMap((table) => table?.issues ?? []);
  const closedBy = (ids: readonly string[]) =>
    new Set(issues.filter(({ cells }) => ids.some((id) => cellOf(cells, id))).map(({ key }) => key)).size;
  const [withLevel, withRoles] = [closedBy(CLOSING), closedBy([RESTRICTION])];
  const table = tables.find((one) => one !== null) ?? (await wholeList(source, list));
  return { ...scopeOf(table, fields), withLevel, ...(withRoles > 0 ? { withRoles } : {}) };
}

function scopeOf({ issues }: Table, fields: readonly string[]): Pick<AudienceScope, 'projects' | 'issues'> {
  const texts = fields.filter(mayHoldKeys);
  // A word that only looks like a key closes more than it must, and never less.
  const keys = issues.flatMap(({ key, cells }) => [
    key.toUpperCase(),
    ...texts.flatMap((id) => issueKeysIn({ id: '', name: String(cellOf(cells, id)?.value ?? '') })),
  ]);
  const projects = [...new Set(keys.map((key) => projectKeyOf({ key })))].sort();
  return { projects, issues: issues.length };
}
