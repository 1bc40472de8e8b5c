import { type RowPredicate, YES } from '../../engine/columns/row-predicates.ts';
import type { SavedFilter } from '../../model/directory.ts';
import { compileClause } from './compile-clause.ts';
import { compileOrder } from './compile-order.ts';
import { filterNames, textNames } from './fields.ts';
import { anything, was } from './history.ts';
import {
  type Compilation,
  type Compiled,
  every,
  type JqlQuery,
  type JqlWorld,
  type Loaded,
  not,
  some,
} from './jql.ts';
import { isOneOf } from './named-values.ts';
import { parseJql } from './parse-jql.ts';
import {
  type Clause,
  listed,
  type Operator,
  pieceError,
  type Query,
  type TerminalClause,
  unknownWordError,
  type Word,
} from './query-tree.ts';
import { personField } from './system-fields.ts';
import { idsFor, nameAll } from './values.ts';

/**
 * A query in Jira's language, parsed by Atlassian's grammar and made a predicate and an order over rows. What
 * is wrong, not known or not supported is refused with its text and position; `field` is the parameter it came in. An
 * issue that did not exist yet then matches nothing.
 */
export function compileJql(jql: string, world: JqlWorld, field = 'customjql'): JqlQuery {
  const compilation = compilationFor(world, field);
  const query = parseJql(jql, compilation.name);
  const compiled = compileWhere(query, compilation);
  return {
    where: query.whereText,
    orderBy: query.orderByText,
    dependsOnPrincipal: compilation.personal.size > 0,
    predicate: compiled(null),
    predicateOver: compiled,
    order: compileOrder(query.orderBy, compilation),
  };
}

/** The predicates of `assignee was`, by the id of a person: another may be called like the id. */
export function compileWasAssigned(
  user: string,
  world: JqlWorld,
): Pick<JqlQuery, 'predicate' | 'predicateOver'> {
  const compilation = compilationFor(world, 'user');
  const field = { ...personField('assignee').build(compilation), history: 'assignee' };
  const wanted = { empty: false, tests: [isOneOf(new Set([user]))], plain: [] };
  const compiled = was(field, wanted, anything, compilation);
  return { predicate: compiled(null), predicateOver: compiled };
}

function compilationFor(world: JqlWorld, field: string): Compilation {
  return {
    world,
    name: { field, filters: [] },
    within: [],
    filters: new Map(),
    personal: new Set(),
    lookedUp: { redacted: new Map() },
  };
}

/** The condition of a whole query; without one, every issue is meant. */
function compileWhere({ where }: Query, compilation: Compilation): Compiled {
  return where === null ? () => ({ kind: 'constant', truth: YES }) : compile(where, compilation);
}

function compile(clause: Clause, compilation: Compilation): Compiled {
  switch (clause.kind) {
    case 'and':
      return every(clause.clauses.map((one) => compile(one, compilation)));
    case 'or':
      return some(clause.clauses.map((one) => compile(one, compilation)));
    case 'not':
      return not(compile(clause.clause, compilation));
    default:
      return compileTerminal(clause, compilation);
  }
}

function compileTerminal(clause: TerminalClause, compilation: Compilation): Compiled {
  const field = clause.field.part ? '' : clause.field.text.trim().toLowerCase();
  if (filterNames.includes(field)) return compileFilter(clause, compilation);
  return textNames.includes(field) ? compileText(clause, compilation) : compileClause(clause, compilation);
}

const searchOperators: readonly Operator[] = ['~'];

/** One of the texts of an issue fits the whole search. */
function compileText(clause: TerminalClause, compilation: Compilation): Compiled {
  if (!searchOperators.includes(clause.operator)) {
    throw pieceError(
      compilation.name,
      clause.operatorWritten,
      `is not an operator that text takes. Try: ${listed(searchOperators)}.`,
    );
  }
  return some(
    ['summary', 'description', 'environment'].map((text) =>
      compileClause({ ...clause, field: { ...clause.field, text } }, compilation),
    ),
  );
}

const taken: readonly Operator[] = ['=', '!=', 'in', 'not in'];
const MAX_DEPTH = 100;

/** Saved filters by id or name, as conditions; their own order is of no matter. A filter within itself is refused. */
function compileFilter(clause: TerminalClause, compilation: Compilation): Compiled {
  const { operator, operand } = clause;
  if (operand === null || !taken.includes(operator)) {
    throw pieceError(
      compilation.name,
      clause.operatorWritten,
      `is not an operator that filter takes. Try: ${taken.join(', ')}.`,
    );
  }
  const conditions = operand.values.flatMap((one) => {
    if (one.kind !== 'value')
      throw pieceError(compilation.name, one, 'is not a saved filter. Try: its id or its name.');
    return filtersFor(one, compilation).map((filter) => compiledFilter(filter, one, compilation));
  });
  const matched = some(conditions);
  return operator === '=' || operator === 'in' ? matched : not(matched);
}

/** A filter that the principal cannot use is as unknown as one that never was. */
function filtersFor(word: Word, { world, name }: Compilation): readonly SavedFilter[] {
  const usable = world.directory.filters.filter(
    ({ shared, owner }) => shared || world.admin || owner === world.principal,
  );
  const ids = idsFor(word, [nameAll(usable)]);
  if (ids === null) {
    throw unknownWordError(name, word, {
      kind: 'filter',
      what: 'a saved filter that you can use',
      allowed: 'the id or the name of one',
    });
  }
  return usable.filter(({ id }) => ids.has(id));
}

function compiledFilter({ id, name, jql }: SavedFilter, word: Word, compilation: Compilation): Compiled {
  if (compilation.within.includes(id)) {
    throw pieceError(
      compilation.name,
      word,
      'asks for the filter it is part of. Try: filters that do not lead back to themselves.',
    );
  }
  const known = compilation.filters.get(id);
  if (known !== undefined) return known;
  if (compilation.within.length >= MAX_DEPTH) {
    const problem = `is a filter ${MAX_DEPTH + 1} filters deep. Try: at most ${MAX_DEPTH}.`;
    throw pieceError(compilation.name, word, problem);
  }
  const inner = {
    ...compilation,
    name: { ...compilation.name, filters: [...compilation.name.filters, name] },
    within: [...compilation.within, id],
  };
  const compiled = once(compileWhere(parseJql(jql, inner.name), inner));
  compilation.filters.set(id, compiled);
  return compiled;
}

/** Makes the predicate of a filter that is named many times over once, so that it is evaluated once. */
function once(compiled: Compiled): Compiled {
  let last: { readonly loaded: Loaded | null; readonly predicate: RowPredicate } | null = null;
  return (loaded) => {
    if (last?.loaded !== loaded) last = { loaded, predicate: compiled(loaded) };
    return last.predicate;
  };
}
