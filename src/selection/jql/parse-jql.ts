import { createRequire } from 'node:module';
import type * as Ast from '@atlaskit/jql-ast';
import type { AppError } from '../../model/error.ts';
import { straightLiterals } from '../../model/issues/straight-literals.ts';
import {
  type CallOperand,
  type Clause,
  type FieldReference,
  type Operand,
  type Operator,
  type OrderTerm,
  type Predicate,
  type Query,
  type QueryPlace,
  queryError,
  type SingleOperand,
  type Word,
  type Written,
} from './query-tree.ts';

const MAX_LIST = 1_000;

const MAX_KNOWN_LENGTH = 2_000;

const MAX_KNOWN_QUERIES = 100;

const known = new Map<string, Query>();

const typed: QueryPlace = { field: 'customjql', filters: [] };

/**
 * Reads a query by Atlassian's grammar, or refuses it and says where it goes wrong. Bent quotes around a value are quotes,
 * so `where` has them straight.
 */
export function parseJql(jql: string, name: QueryPlace = typed): Query {
  const found = known.get(jql);
  if (found !== undefined) return found;
  checkLength(jql, name);
  const query = parse(straightLiterals(jql), name);
  // One answer takes many reports of one query, and a team repeats its queries.
  if (jql.length <= MAX_KNOWN_LENGTH) {
    for (const oldest of known.keys().take(known.size < MAX_KNOWN_QUERIES ? 0 : 1)) known.delete(oldest);
    known.set(jql, query);
  }
  return query;
}

function parse(jql: string, name: QueryPlace): Query {
  checkNesting(jql, name);
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

/** Loading the grammar takes longer than most questions: only queries wait for it. */
function atlassian(): typeof Ast {
  loaded ??= createRequire(import.meta.url)('@atlaskit/jql-ast') as typeof Ast;
  return loaded;
}

interface Source {
  readonly name: QueryPlace;
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
  if (values.length > MAX_LIST) {
    throw queryError(
      source.name,
      `the list at position ${piece.at} has ${values.length} values. Try: at most ${MAX_LIST} values.`,
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
  return queryError(
    source.name,
    `'${text}' at position ${at} is not complete: a field, an operator and a value are needed.`,
  );
}

/** A written word without its quotes, and with JQL's escapes (`\n`, `\t`, `\r`, `\u0041`, `\"`) undone. */
function undoEscapes(source: string): { readonly text: string; readonly quoted: boolean } {
  const quoted = /^(?:".*"|'.*')$/s.test(source) && source.length > 1;
  const inner = quoted ? source.slice(1, -1) : source;
  return { text: inner.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gsu, undo), quoted };
}

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function undo(_escape: string, code: string | undefined, character: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  const sign = character ?? '';
  return Object.hasOwn(controls, sign) ? (controls[sign] ?? sign) : sign;
}

const MAX_QUERY = 10_000;
const MAX_NESTING = 100;

function checkLength(jql: string, name: QueryPlace): void {
  if (jql.length <= MAX_QUERY) return;
  throw queryError(name, `the query has ${jql.length} characters. Try: at most ${MAX_QUERY} characters.`);
}

/**
 * Refuses what the parser could choke on, before it sees it. A bracket and a NOT each nest one level; those of a
 * list count as well.
 */
function checkNesting(jql: string, name: QueryPlace): void {
  // One count of negations per open bracket: they end with the clause they negate.
  const negations = [0];
  let depth = 0;
  let clauseMayStart = true;
  for (const { token, at } of tokensOf(jql)) {
    const word = token.toLowerCase();
    const negates: boolean = clauseMayStart && (word === 'not' || word === '!');
    if (word === '(') {
      negations.push(0);
      depth += 1;
    } else if (word === ')') {
      depth -= endClause(negations);
      if (negations.length > 1) {
        negations.pop();
        depth -= 1;
      }
      depth -= endClause(negations);
    } else if (negates) {
      negations.push((negations.pop() ?? 0) + 1);
      depth += 1;
    } else if (joins.includes(word)) depth -= endClause(negations);
    clauseMayStart = negates || word === '(' || joins.includes(word);
    if (depth > MAX_NESTING) {
      throw queryError(
        name,
        `'${token}' at position ${at} nests deeper than allowed. Try: at most ${MAX_NESTING} levels of brackets and NOTs.`,
      );
    }
  }
}

const joins: readonly string[] = ['and', 'or', '&', '&&', '|', '||', ','];

function endClause(negations: number[]): number {
  const ended = negations.pop() ?? 0;
  negations.push(0);
  return ended;
}

/** Quoted texts (an open one reaches to the end), signs and words; positions count characters. */
function* tokensOf(jql: string): Generator<{ readonly token: string; readonly at: number }> {
  const pattern = /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[(),!]|[&|]+|(?:\\.|[^\s"'(),!&|\\])+|\\/gsu;
  let at = 0;
  let seen = 0;
  for (const { 0: token, index } of jql.matchAll(pattern)) {
    at += [...jql.slice(seen, index)].length;
    seen = index;
    yield { token, at };
  }
}

/** A mistake as Atlassian's parser describes it; `start` and `line` are missing where it does not know them. */
interface ParserError {
  readonly message: string;
  readonly start?: number;
  readonly stop?: number;
  readonly line?: number;
  readonly charPositionInLine?: number;
}

/**
 * The parser's words as a sentence for people. The position counts characters from 0, line and column from 1, as
 * editors do.
 */
function syntaxError(
  error: ParserError,
  characters: readonly string[],
  { name, reserved }: { readonly name: QueryPlace; readonly reserved: ReadonlySet<string> },
): AppError {
  const start = error.start ?? 0;
  const position = `position ${start} (line ${error.line ?? 1}, column ${(error.charPositionInLine ?? start) + 1})`;
  const found = characters.slice(start, error.stop ?? start + 1).join('');
  const expected = expectedBy(error.message);
  if (start >= characters.length)
    return queryError(name, `expected ${expected} at ${position}, but the query ends there.`);
  return queryError(
    name,
    `expected ${expected} at ${position}, but found '${found}'${adviceOn(found, reserved)}.`,
  );
}

function adviceOn(found: string, reserved: ReadonlySet<string>): string {
  if (/^["']/.test(found)) return ', a quotation mark that is not closed';
  if (reserved.has(found.toLowerCase()))
    return ', a reserved word: as a name or a value it needs quotation marks';
  return '';
}

const valueTokens = ['POSNUMBER', 'NEGNUMBER', 'STRING', 'QUOTE_STRING', 'SQUOTE_STRING'];

const inWords: Readonly<Record<string, string>> = {
  '<EOF>': 'the end of the query',
  ORDER: 'ORDER BY',
  CUSTOMFIELD: 'a field',
};

function expectedBy(message: string): string {
  const [, many, missing] = /expecting (.+)$|^missing (.+) at /s.exec(message) ?? [];
  const expected = many ?? missing;
  // If several ways would go on, the parser names none of them.
  if (expected === undefined) return 'the rest of the clause';
  const tokens: readonly string[] = expected.match(/'[^']*'|[\w<>]+/g) ?? [];
  const fields = tokens.includes('CUSTOMFIELD');
  const words = tokens.map((token) =>
    valueTokens.includes(token) ? (fields ? 'a field' : 'a value') : (inWords[token] ?? token),
  );
  const more = tokens.includes('<EOF>') && !fields ? ['AND', 'OR'] : [];
  const all = [...new Set([...more, ...words])];
  return all.length === 1 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/**
 * A query with `literal` wherever it calls `currentUser()`, so that it means the same for every principal; what only looks
 * like a call, in a text or as a name, stays. A query that cannot be read is refused.
 */
export function nameCurrentUser(jql: string, literal: string): string {
  const { where } = parseJql(jql);
  const straight = straightLiterals(jql);
  const characters = [...straight];
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
