import { parseJql } from './syntax/parse-jql.ts';
import type { CallOperand, Clause, Operand } from './syntax/query-tree.ts';

/**
 * A query with `literal` wherever it calls `currentUser()`, so that it means the same whoever asks it; what only looks
 * like a call, in a text or as a name, stays. A query that cannot be read is refused, `name` being its parameter.
 */
export function nameCurrentUser(jql: string, literal: string, name = 'customjql'): string {
  const characters = [...jql];
  const { where } = parseJql(jql, name);
  const calls = where === null ? [] : callsIn(where).filter(isCurrentUser);
  for (const { at, source } of calls.toSorted((a, b) => b.at - a.at)) {
    characters.splice(at, [...source].length, literal);
  }
  return calls.length === 0 ? jql : characters.join('');
}

function isCurrentUser({ called, args }: CallOperand): boolean {
  return called.text.toLowerCase() === 'currentuser' && args.length === 0;
}

function callsIn(clause: Clause): readonly CallOperand[] {
  switch (clause.kind) {
    case 'terminal':
      return [clause.operand, ...clause.predicates.map(({ operand }) => operand)].flatMap(callsOf);
    case 'not':
      return callsIn(clause.clause);
    default:
      return clause.clauses.flatMap(callsIn);
  }
}

function callsOf(operand: Operand | null): readonly CallOperand[] {
  return operand?.values.filter((one) => one.kind === 'call') ?? [];
}
