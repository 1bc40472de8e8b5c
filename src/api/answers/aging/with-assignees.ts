import type { ReportRequest } from '../../../model/request.ts';
import { cellOf, type IssueFacts, type Table } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting.ts';

/**
 * Issues with the id of whom they are with. A service that tells names alone tells the ids in its report of time with each
 * assignee; an issue of which that report tells nobody keeps the name.
 */
export async function withAssignees(
  table: Table,
  request: ReportRequest,
  reporting: Pick<ReportingApi, 'report'>,
): Promise<readonly IssueFacts[]> {
  const { issues } = table;
  const isUntold = ({ cells }: IssueFacts) => {
    const cell = cellOf(cells, 'assignee');
    return cell !== undefined && cell.id === undefined;
  };
  if (!issues.some(isUntold)) return issues;
  const holders = await reporting.report({
    ...request,
    reportType: 'assigneeDuration',
    multiVisitBehavior: 'total',
    fields: [],
  });
  const ids = new Map(
    holders.issues.map(({ key, current }) => [key, current.length === 1 ? current[0]?.columnId : undefined]),
  );
  return issues.map((facts) => {
    const [id, cell] = [ids.get(facts.key), cellOf(facts.cells, 'assignee')];
    if (id === undefined || cell === undefined || !isUntold(facts)) return facts;
    return { ...facts, cells: { ...facts.cells, assignee: { ...cell, id } } };
  });
}
