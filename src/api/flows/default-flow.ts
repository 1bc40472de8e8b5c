import { defaultBlockers, type Flow, type WorkKind } from '../../model/flow.ts';
import type { Status } from '../../model/issue.ts';

/**
 * The flow by categories: one stage for all statuses before the start, one for each that is started, and one for all that are
 * done, each in workflow order.
 */
export function defaultFlow(statuses: readonly Status[], kindOf: (id: string) => WorkKind): Flow {
  const of = (kind: WorkKind) =>
    statuses.filter(({ id }) => kindOf(id) === kind).map(({ id, name }) => ({ id, name }));
  const [queue, active, done] = [of('queue'), of('active'), of('done')];
  const titles = Map.groupBy(active, ({ name }) => name);
  const started = active.map((status) => ({
    name: titles.get(status.name)?.length === 1 ? status.name : `${status.name} (${status.id})`,
    kind: 'active' as const,
    statuses: [status],
  }));
  return {
    stages: [
      ...(queue.length === 0 ? [] : [{ name: 'To Do', kind: 'queue' as const, statuses: queue }]),
      ...started,
      ...(done.length === 0 ? [] : [{ name: 'Done', kind: 'done' as const, statuses: done }]),
    ],
    start: started[0]?.name ?? '',
    end: done.length === 0 ? '' : 'Done',
    pauses: false,
    target: null,
    blockedBy: defaultBlockers,
    notCounted: { resolutions: [], issueTypes: [], subtasks: false },
    variants: [],
  };
}
