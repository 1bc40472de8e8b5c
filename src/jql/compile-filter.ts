import type { SavedFilter } from '../model/directory.ts';
import { badRequest } from '../model/error.ts';
import type { Issue } from '../model/issue.ts';
import type { Compilation } from './compilation.ts';
import { refuse } from './refuse.ts';
import { parseJql } from './syntax/parse-jql.ts';
import type { Operator, TerminalClause, Word } from './syntax/query-tree.ts';
import { type Condition, not, some, type Truth } from './truth.ts';
import { idsFor, nameAll } from './values/naming.ts';

export const filterNames: readonly string[] = ['filter', 'request', 'savedfilter', 'searchrequest'];

const taken: readonly Operator[] = ['=', '!=', 'in', 'not in'];
const DEEPEST = 100;

/** Saved filters by id or name, as conditions; their own order is of no matter. A filter within itself is refused. */
export function compileFilter(clause: TerminalClause, compilation: Compilation): Condition {
  const { operator, operand } = clause;
  if (operand === null || !taken.includes(operator)) {
    throw refuse(
      compilation.name,
      clause.operatorWritten,
      `is not an operator that filter takes; allowed: ${taken.join(', ')}.`,
    );
  }
  const conditions = operand.values.flatMap((one) => {
    if (one.kind !== 'value')
      throw refuse(compilation.name, one, 'is no saved filter; allowed: its id or its name.');
    return filtersFor(one, compilation).map((filter) => conditionOf(filter, one, compilation));
  });
  const matched = some(conditions);
  return operator === '=' || operator === 'in' ? matched : not(matched);
}

/** What somebody may not use reads like what never was. */
function filtersFor(word: Word, { world, name }: Compilation): readonly SavedFilter[] {
  const usable = world.directory.filters.filter(
    ({ shared, owner }) => shared || world.admin || owner === world.asker,
  );
  const ids = idsFor(word, [nameAll(usable)]);
  if (ids === null) {
    throw refuse(name, word, 'is not a saved filter that you may use; allowed: the id or the name of one.');
  }
  return usable.filter(({ id }) => ids.has(id));
}

function conditionOf({ id, name, jql }: SavedFilter, word: Word, compilation: Compilation): Condition {
  if (compilation.within.includes(id)) {
    throw badRequest(
      `${compilation.name}: '${word.source}' at position ${word.at} asks for the filter it is part of; allowed: filters that do not lead back to themselves.`,
    );
  }
  const known = compilation.filters.get(id);
  if (known !== undefined) return known;
  if (compilation.within.length >= DEEPEST) {
    throw refuse(
      compilation.name,
      word,
      `is a filter ${DEEPEST + 1} filters deep; allowed: at most ${DEEPEST}.`,
    );
  }
  const inner = {
    ...compilation,
    name:
      compilation.within.length === 0
        ? `${compilation.name}: filter '${name}'`
        : `${compilation.name} > '${name}'`,
    within: [...compilation.within, id],
  };
  const condition = onceAnIssue(compilation.compileWhere(parseJql(jql, inner.name), inner));
  compilation.filters.set(id, condition);
  return condition;
}

/** Filters that ask for the same filter many times over ask it once of each issue. */
function onceAnIssue(condition: Condition): Condition {
  let last: { readonly issue: Issue; readonly truth: Truth } | null = null;
  return (issue) => {
    if (last?.issue !== issue) last = { issue, truth: condition(issue) };
    return last.truth;
  };
}
