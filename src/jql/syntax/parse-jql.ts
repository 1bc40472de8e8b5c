import { createRequire } from 'node:module';
import type * as Ast from '@atlaskit/jql-ast';
import { badRequest } from '../../model/error.ts';
import type { Written } from '../refuse.ts';
import { checkSize } from './check-size.ts';
import type {
  Clause,
  FieldReference,
  Operand,
  Operator,
  OrderTerm,
  Predicate,
  Query,
  SingleOperand,
  Word,
} from './query-tree.ts';
import { type ParserError, syntaxError } from './syntax-error.ts';
import { undoEscapes } from './undo-escapes.ts';

const LONGEST_LIST = 1_000;

const LONGEST_KNOWN = 2_000;

const MOST_KNOWN = 100;

const known = new Map<string, Query>();

/** Reads a query by Atlassian's grammar, or refuses it and says where it goes wrong. `name` is the parameter's. */
export function parseJql(jql: string, name: string): Query {
  const found = known.get(jql);
  if (found !== undefined) return found;
  const query = parse(jql, name);
  // One answer takes many reports of one query, and a team asks the same again and again.
  if (jql.length <= LONGEST_KNOWN) {
    for (const oldest of known.keys().take(known.size < MOST_KNOWN ? 0 : 1)) known.delete(oldest);
    known.set(jql, query);
  }
  return query;
}

function parse(jql: string, name: string): Query {
  checkSize(jql, name);
  const { JastBuilder, RESERVED_WORDS } = atlassian();
  const { query, errors } = new JastBuilder().build(jql);
  // The parser counts characters where JavaScript counts UTF-16 units.
  const characters = [...jql];
  const error: ParserError | undefined = errors[0];
  if (error !== undefined || query === undefined) {
    throw syntaxError(error ?? { message: '' }, characters, { name, reserved: RESERVED_WORDS });
  }
  return read(query, { name, characters });
}

let loaded: typeof Ast | undefined;

/** Loading the grammar takes longer than most questions: only who asks for JQL waits for it. */
function atlassian(): typeof Ast {
  loaded ??= createRequire(import.meta.url)('@atlaskit/jql-ast') as typeof Ast;
  return loaded;
}

interface Source {
  readonly name: string;
  readonly characters: readonly string[];
}

function read(query: Ast.Query, source: Source): Query {
  const { characters } = source;
  const order = query.orderBy ?? undefined;
  const orderAt = order === undefined ? characters.length : written(order, source).at;
  const text = (from: number, until?: number) => characters.slice(from, until).join('').trim();
  return {
    where: query.where === undefined ? null : readClause(query.where, source),
    whereText: text(0, orderAt),
    orderBy: order?.fields.map((term) => readOrderTerm(term, source)) ?? [],
    orderByText: order === undefined ? null : text(orderAt),
  };
}

function readClause(clause: Ast.Clause, source: Source): Clause {
  if (clause.clauseType === 'compound') {
    return { kind: clause.operator.value, clauses: clause.clauses.map((one) => readClause(one, source)) };
  }
  if (clause.clauseType === 'not') return { kind: 'not', clause: readClause(clause.clause, source) };
  const { operator } = clause;
  if (operator === undefined) throw incomplete(clause, source);
  const operand = clause.operand === undefined ? null : readOperand(clause.operand, source);
  if (operand === null && operator.value !== 'changed') throw incomplete(clause, source);
  return {
    kind: 'terminal',
    ...written(clause, source),
    field: readField(clause.field, source),
    operator: operator.value satisfies Operator,
    operatorWritten: written(operator, source),
    operand,
    predicates: clause.predicates.map((one) => readPredicate(one, source)),
  };
}

function readField(field: Ast.Field, source: Source): FieldReference {
  return { ...readWord(field, source), part: (field.properties ?? []).length > 0 };
}

function readPredicate(predicate: Ast.Predicate, source: Source): Predicate {
  if (predicate.operand === undefined) throw incomplete(predicate, source);
  return {
    ...written(predicate, source),
    operator: predicate.operator.value,
    operand: readOperand(predicate.operand, source),
  };
}

function readOperand(operand: Ast.Operand, source: Source): Operand {
  const piece = written(operand, source);
  const values = readValues(operand, source);
  if (values.length > LONGEST_LIST) {
    throw badRequest(
      `${source.name}: the list at position ${piece.at} has ${values.length} values; allowed: at most ${LONGEST_LIST} values.`,
    );
  }
  return { ...piece, isList: operand.operandType === 'list', values };
}

function readValues(operand: Ast.Operand, source: Source): readonly SingleOperand[] {
  switch (operand.operandType) {
    case 'list':
      return operand.values.flatMap((one) => readValues(one, source));
    case 'keyword':
      return [{ kind: 'empty', ...written(operand, source) }];
    case 'function':
      return [
        {
          kind: 'call',
          ...written(operand, source),
          called: readWord(operand.function, source),
          args: operand.arguments.map((one) => readWord(one, source)),
        },
      ];
    default:
      return [{ kind: 'value', ...readWord(operand, source) }];
  }
}

function readOrderTerm(term: Ast.OrderByField, source: Source): OrderTerm {
  const direction = term.direction?.value;
  return {
    field: readField(term.field, source),
    direction: direction === undefined ? null : direction === 'DESC' ? 'desc' : 'asc',
  };
}

/** The parser undoes only some escapes, so the word is read from the text itself. */
function readWord(node: Ast.AstNode & { readonly text: string }, source: Source): Word {
  return { ...written(node, source), ...undoEscapes(node.text) };
}

function written({ position }: Ast.AstNode, { characters }: Source): Written {
  const [from, until] = position ?? [0, characters.length];
  return { source: characters.slice(from, until).join(''), at: from };
}

function incomplete(node: Ast.AstNode, source: Source) {
  const { at, source: text } = written(node, source);
  return badRequest(
    `${source.name}: '${text}' at position ${at} is not complete: a field, an operator and a value are needed.`,
  );
}
