import { changesOf } from '../../issues/issue-fields.ts';
import { badRequest } from '../../model/error.ts';
import type { Issue, Status } from '../../model/issue.ts';
import type { BetweenMetric, ReportRequest } from '../../model/request.ts';

/** The statuses of a request, checked: an id that neither the tracker nor an issue knows is the asker's mistake. */
export interface ChosenStatuses extends Pick<ReportRequest, 'statuses' | 'consolidated' | 'metrics'> {}

export function chosenStatuses(
  { statuses, consolidated, metrics }: ReportRequest,
  known: ReadonlyMap<string, Status>,
  issues: readonly Issue[],
): ChosenStatuses {
  const idsOf = (parameter: string, asked: string) => resolve(parameter, asked, known, issues);
  const all = (parameter: string, asked: readonly string[]) => [
    ...new Set(asked.flatMap((one) => idsOf(parameter, one))),
  ];
  const names = consolidated.map((one) => one.name);
  refuseTwice('consolidatedStatuses', names);
  refuseTwice(
    'dbsMetrics',
    metrics.map((metric) => metric.name),
  );
  return {
    statuses: statuses === null ? null : statuses.flatMap((id) => byId('statuses', id, known, issues)),
    consolidated: consolidated.map((one) => {
      if (one.statuses.length === 0) {
        throw badRequest(
          `consolidatedStatuses '${one.name}' has no statuses; allowed: one or more status ids.`,
        );
      }
      return { name: one.name, statuses: all('consolidatedStatuses', one.statuses) };
    }),
    metrics: metrics.map((metric): BetweenMetric => {
      if (metric.to.statuses.length === 0) {
        throw badRequest(`dbsMetrics '${metric.name}' has no statuses to stop at; allowed: one or more.`);
      }
      return {
        name: metric.name,
        from: { ...metric.from, statuses: all('dbsMetrics', metric.from.statuses) },
        to: { ...metric.to, statuses: all('dbsMetrics', metric.to.statuses) },
        pausedIn: all('dbsMetrics', metric.pausedIn),
      };
    }),
  };
}

function refuseTwice(parameter: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw badRequest(`${parameter} '${twice}' is named twice; names must differ.`);
}

/** A status by id, or all those a name stands for. */
function resolve(
  parameter: string,
  asked: string,
  known: ReadonlyMap<string, Status>,
  issues: readonly Issue[],
): string[] {
  const named = [...known.values()].filter(({ name }) => name.toLowerCase() === asked.trim().toLowerCase());
  if (!known.has(asked) && named.length > 0) return named.map(({ id }) => id);
  return byId(parameter, asked, known, issues, 'neither the id nor the name of a status');
}

function byId(
  parameter: string,
  id: string,
  known: ReadonlyMap<string, Status>,
  issues: readonly Issue[],
  what = 'not a status id',
): string[] {
  const met = () =>
    issues.some(
      (issue) =>
        issue.status.id === id ||
        changesOf(issue, 'status').some(({ from, to }) => from?.id === id || to?.id === id),
    );
  if (known.has(id) || met()) return [id];
  throw badRequest(`${parameter} '${id}' is ${what}; allowed: the ids that GET /rest/statuses tells.`);
}
