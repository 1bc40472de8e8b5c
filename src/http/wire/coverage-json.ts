import {
  type Category,
  type CategoryId,
  type Coverage,
  type Delegation,
  GENERAL,
  type TimeSpan,
} from '../../model/delegation.ts';
import { delegationJson } from './delegation-json.ts';
import { minuteText } from './minute-text.ts';

/** Who covers for whom on the wire; categories are told by name. */
export function coverageJson(coverage: Coverage, categories: readonly Category[]) {
  const names = new Map<CategoryId, string>(categories.map(({ id, name }) => [id, name]));
  const nameOf = (id: CategoryId) => names.get(id) ?? (id === null ? GENERAL : String(id));
  const named = (delegation: Delegation) => ({
    ...delegationJson(delegation),
    categories: delegation.categoryIds.length === 0 ? [GENERAL] : delegation.categoryIds.map(nameOf),
  });
  return {
    span: spanJson(coverage.span),
    delegations: coverage.delegations.map(named),
    uncovered: coverage.uncovered.map(({ person, categoryId, reason, ...span }) => ({
      person,
      category: nameOf(categoryId),
      reason,
      ...spanJson(span),
    })),
    awayToo: coverage.awayToo.map(({ person, delegate, categoryId, standIns, ...span }) => ({
      person,
      delegate,
      category: nameOf(categoryId),
      standIns,
      ...spanJson(span),
    })),
    ending: coverage.ending.map(named),
  };
}

function spanJson({ from, until }: TimeSpan) {
  return { from: minuteText(from), until: minuteText(until) };
}
