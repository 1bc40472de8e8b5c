import type { Issue } from '../model/issue.ts';
import { findField } from './fields.ts';
import { changed, readPredicates, was } from './history.ts';
import { type Compilation, type Condition, NO, not, opposite, type Truth, UNKNOWN, YES } from './jql.ts';
import { listed, type Operand, refuse, type SingleOperand, type TerminalClause } from './query-tree.ts';
import { type Field, fits, readWanted, type Test, UNCERTAIN, type Wanted } from './values.ts';

/** One comparison as a condition; everything about it is resolved here, so that an issue only needs looking up. */
export function compileClause(clause: TerminalClause, compilation: Compilation): Condition {
  const field = findField(clause.field, compilation);
  const { operator } = clause;
  if (!field.operators.includes(operator)) {
    throw refuse(
      compilation.name,
      clause.operatorWritten,
      `is not an operator that ${field.title} takes; allowed: ${listed(field.operators)}.`,
    );
  }
  if (operator === 'changed') return compileChanged(clause, field, compilation);
  const { operand } = clause;
  if (operand === null) throw refuse(compilation.name, clause, 'lacks a value.');
  switch (operator) {
    case '=':
    case 'in':
    case 'is':
      return has(field, readWanted(field, operand, operator === 'in'));
    case '!=':
    case 'not in':
    case 'is not':
      return hasOther(field, readWanted(field, operand, operator === 'not in'));
    case '~':
    case '!~':
      return contains(field, operand, operator === '~', compilation);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return has(field, { empty: false, tests: [compare(field, operator, operand, compilation)] });
    default:
      return compileWas(clause, operand, field, compilation);
  }
}

/** One of the values is wanted, or, with EMPTY, there are none. */
function has({ read }: Field, { empty, tests }: Wanted): Condition {
  return (issue) => {
    const content = read(issue);
    if (content === UNCERTAIN) return UNKNOWN;
    if (isEmpty(content)) return empty ? YES : NO;
    return someItem(content, tests);
  };
}

/** There are values, and none of them is unwanted: as Jira documents, != and NOT IN pass over what is empty. */
function hasOther({ read }: Field, { tests }: Wanted): Condition {
  return (issue: Issue) => {
    const content = read(issue);
    if (content === UNCERTAIN) return UNKNOWN;
    return isEmpty(content) ? NO : opposite(someItem(content, tests));
  };
}

type Known = Exclude<ReturnType<Field['read']>, typeof UNCERTAIN>;

function isEmpty(content: Known): content is null | '' | readonly never[] {
  return (
    content === null ||
    content === '' ||
    (typeof content === 'object' && 'length' in content && content.length === 0)
  );
}

function someItem(content: Known, tests: readonly Test[]): Truth {
  if (content === null) return NO;
  if (typeof content !== 'object' || !('length' in content)) return fits(content, tests);
  let greatest: Truth = NO;
  for (const item of content) {
    const truth = fits(item, tests);
    if (truth > greatest) greatest = truth;
  }
  return greatest;
}

function contains(field: Field, operand: Operand, wanted: boolean, compilation: Compilation): Condition {
  const asked = onlyValue(operand, compilation);
  if (asked.kind === 'empty')
    return wanted ? has(field, { empty: true, tests: [] }) : hasOther(field, { empty: true, tests: [] });
  const test = field.values.contain?.(asked);
  if (test === undefined)
    throw refuse(compilation.name, operand, `cannot be searched for in ${field.title}.`);
  return wanted
    ? has(field, { empty: false, tests: [test] })
    : hasOther(field, { empty: false, tests: [test] });
}

function compare(
  field: Field,
  sign: '<' | '<=' | '>' | '>=',
  operand: Operand,
  compilation: Compilation,
): Test {
  const asked = onlyValue(operand, compilation);
  const test = asked.kind === 'empty' ? undefined : field.values.compare?.(sign, asked);
  if (test === undefined)
    throw refuse(compilation.name, operand, `cannot be compared with ${field.title}; allowed: a value.`);
  return test;
}

function onlyValue(operand: Operand, { name }: Compilation): SingleOperand {
  const [only, ...others] = operand.values;
  if (only === undefined || others.length > 0) throw refuse(name, operand, 'is a list; allowed: one value.');
  return only;
}

function compileWas(
  clause: TerminalClause,
  operand: Operand,
  field: Field,
  compilation: Compilation,
): Condition {
  const { operator } = clause;
  const many = operator === 'was in' || operator === 'was not in';
  const wanted = readWanted(field, operand, many, 'changes');
  const predicates = readPredicates(clause, field, compilation);
  const condition = was(withHistory(clause, field, compilation), wanted, predicates, compilation.world);
  return operator === 'was' || operator === 'was in' ? condition : not(condition);
}

function compileChanged(clause: TerminalClause, field: Field, compilation: Compilation): Condition {
  const { history } = withHistory(clause, field, compilation);
  return changed(history, readPredicates(clause, field, compilation), compilation.world);
}

function withHistory(
  clause: TerminalClause,
  field: Field,
  { name }: Compilation,
): Field & { readonly history: string } {
  const { history } = field;
  if (history === null) throw refuse(name, clause.field, 'has no history of single values.');
  return { ...field, history };
}
