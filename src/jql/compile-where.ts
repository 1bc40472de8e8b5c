import type { Compilation } from './compilation.ts';
import { compileClause } from './compile-clause.ts';
import { compileFilter, filterNames } from './compile-filter.ts';
import { listed, refuse } from './refuse.ts';
import type { Clause, Operator, Query, TerminalClause } from './syntax/query-tree.ts';
import { type Condition, every, not, some, YES } from './truth.ts';

/** The condition of a whole query; without one, every issue is meant. */
export function compileWhere({ where }: Query, compilation: Compilation): Condition {
  return where === null ? () => YES : compile(where, compilation);
}

function compile(clause: Clause, compilation: Compilation): Condition {
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

function compileTerminal(clause: TerminalClause, compilation: Compilation): Condition {
  const field = clause.field.part ? '' : clause.field.text.trim().toLowerCase();
  if (filterNames.includes(field)) return compileFilter(clause, compilation);
  return field === 'text' ? compileText(clause, compilation) : compileClause(clause, compilation);
}

const searchOperators: readonly Operator[] = ['~'];

/** One of the texts of an issue fits the whole search. */
function compileText(clause: TerminalClause, compilation: Compilation): Condition {
  if (!searchOperators.includes(clause.operator)) {
    throw refuse(
      compilation.name,
      clause.operatorWritten,
      `is not an operator that text takes; allowed: ${listed(searchOperators)}.`,
    );
  }
  return some(
    ['summary', 'description'].map((text) =>
      compileClause({ ...clause, field: { ...clause.field, text } }, compilation),
    ),
  );
}
