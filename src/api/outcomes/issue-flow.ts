import type { CompiledFlow, Flows, WorkKind } from '../../model/flow.ts';
import type { FieldValue } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { type Cell, cellOf, type IssueFacts, type Provenance } from '../../model/table.ts';

/** The fields that a report has to have so that `flowOfIssue` finds the flows of its issues. */
export function flowFields({ byType, byResolution }: Flows): readonly string[] {
  return [...(byType ? ['issuetype'] : []), ...(byResolution ? ['resolution'] : [])];
}

/** Work of this kind is started and not done. */
export const isStarted = (kind: WorkKind) => kind === 'active' || kind === 'waiting';

/** The flow of an issue in a report with `flowFields`: the issue is work of it (`counts`), and a finish of it counts as finished work. */
export function flowOfIssue(
  { key, cells }: Pick<IssueFacts, 'key' | 'cells'>,
  flows: Flows,
): { readonly flow: CompiledFlow; readonly counts: boolean; readonly countsFinish: boolean } {
  const project = projectKeyOf({ key }).toUpperCase();
  const { index, counts } = flows.of(project, fieldValue(cellOf(cells, 'issuetype')));
  const flow = flowAt(flows, index);
  return {
    flow,
    counts,
    countsFinish: counts && flow.countsFinish(fieldValue(cellOf(cells, 'resolution'))),
  };
}

function fieldValue(cell: Cell | undefined): FieldValue | null {
  return cell === undefined ? null : { id: cell.id ?? '', name: String(cell.value) };
}

/** The flow with an index. */
export function flowAt({ all }: Flows, index: number): CompiledFlow {
  const flow = all[index];
  if (flow === undefined) throw new Error(`There is no flow ${index}.`);
  return flow;
}

/**
 * The kind that a status is shown with in an answer about projects (keys, upper case): that of their flows where these agree,
 * else that of its category. It is done only where all of them say so.
 */
export function kindAmong(flows: Flows, projects: readonly string[]): CompiledFlow['kindOf'] {
  const used = new Set(projects.flatMap((project) => flows.inProject(project)));
  const own = used.size === 0 ? [0] : [...used];
  return (id) => {
    const kinds = [...new Set(own.map((index) => flowAt(flows, index).kindOf(id)))];
    const [first = 'unknown', ...others] = kinds;
    if (others.length === 0) return first;
    const usual = flowAt(flows, 0).kindOf(id);
    return usual === 'done' || !kinds.includes(usual)
      ? (kinds.find((kind) => kind !== 'done') ?? first)
      : usual;
  };
}

/** The provenance of figures that go by flows, with those that were set for its projects. */
export function withFlows(provenance: Provenance, flows: Flows): Provenance {
  const used = (provenance.contents?.projects ?? []).flatMap((project) => {
    const changedAt = flows.changedAt(project);
    return changedAt === null ? [] : [{ project, changedAt }];
  });
  return used.length === 0 ? provenance : { ...provenance, flows: used };
}
