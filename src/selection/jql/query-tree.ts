import { type AppError, type BadRequestReason, badRequestAs, type ErrorData } from '../../model/error.ts';

/** A piece of a query as it was written; `at` counts its characters before it. */
export interface Written {
  readonly source: string;
  readonly at: number;
}

/** A written word with its quotes and escapes undone; `quoted` distinguishes "3" from 3. */
export interface Word extends Written {
  readonly text: string;
  readonly quoted: boolean;
}

export interface ValueOperand extends Word {
  readonly kind: 'value';
}

interface EmptyOperand extends Written {
  readonly kind: 'empty';
}

export interface CallOperand extends Written {
  readonly kind: 'call';
  readonly called: Word;
  readonly args: readonly Word[];
}

/** An operand for one value, or, as some functions are, for several. */
export type SingleOperand = ValueOperand | EmptyOperand | CallOperand;

/** The right side of an operator. A list inside a list is part of the outer one. */
export interface Operand extends Written {
  readonly isList: boolean;
  readonly values: readonly SingleOperand[];
}

/** The operators of comparisons. */
export type Operator =
  | ('=' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '!~' | 'in' | 'not in' | 'is' | 'is not')
  | ('was' | 'was not' | 'was in' | 'was not in' | 'changed');

export interface Predicate extends Written {
  readonly operator: 'after' | 'before' | 'by' | 'during' | 'from' | 'on' | 'to';
  readonly operand: Operand;
}

/** A field named in a query. */
export interface FieldReference extends Word {
  /** `field[key].path` is a part of a field. */
  readonly part: boolean;
}

/** A comparison of one field; `operand` is null with `changed` only. */
export interface TerminalClause extends Written {
  readonly kind: 'terminal';
  readonly field: FieldReference;
  readonly operator: Operator;
  readonly operatorWritten: Written;
  readonly operand: Operand | null;
  readonly predicates: readonly Predicate[];
}

export type Clause =
  | { readonly kind: 'and' | 'or'; readonly clauses: readonly Clause[] }
  | { readonly kind: 'not'; readonly clause: Clause }
  | TerminalClause;

export interface OrderTerm {
  readonly field: FieldReference;
  /** Null: the field's own direction. */
  readonly direction: 'asc' | 'desc' | null;
}

/** A query read by Atlassian's grammar. `where` null: every issue. The two texts are as they were written. */
export interface Query {
  readonly where: Clause | null;
  readonly whereText: string;
  readonly orderBy: readonly OrderTerm[];
  readonly orderByText: string | null;
}

/** The place of a query: the parameter it came in, and the names of the saved filters it was reached through. */
export interface QueryPlace {
  readonly field: string;
  readonly filters: readonly string[];
}

/** Refuses a query; `why` goes on after the place. */
export function queryError(
  { field, filters }: QueryPlace,
  why: string,
  { reason = 'invalid-query', data }: { readonly reason?: BadRequestReason; readonly data?: ErrorData } = {},
): AppError {
  const path = filters.length === 0 ? '' : `: filter ${filters.map((name) => `'${name}'`).join(' > ')}`;
  return badRequestAs(reason, { field, problem: `${path}: ${why}` }, data);
}

/** Refuses a piece of a query: `why` goes on after its text and position. */
export function pieceError(place: QueryPlace, piece: Written, why: string): AppError {
  return queryError(place, `${pieceText(piece)} ${why}`, {
    data: { value: piece.source, position: piece.at },
  });
}

/** Refuses a word that names none of a `kind`; `allowed` says what would, in words or as the list of what is known. */
export function unknownWordError(
  place: QueryPlace,
  piece: Written & { readonly text?: string },
  { kind, what, allowed }: { readonly kind: string; readonly what: string; readonly allowed: string | Known },
): AppError {
  const isList = typeof allowed !== 'string';
  const names = isList ? [...new Set(allowed.names)] : [];
  const words = isList ? listed(names) : allowed;
  const isNone = isList && names.length === 0;
  return queryError(
    place,
    `${pieceText(piece)} is not ${what}${isNone ? `; ${allowed.none}` : `. Try: ${words}`}.`,
    {
      reason: 'unknown-name',
      data: {
        kind,
        value: piece.text ?? piece.source,
        ...(isNone ? {} : { allowed: words }),
        ...(isList
          ? { known: names.slice(0, MAX_LISTED), unlisted: Math.max(0, names.length - MAX_LISTED) }
          : {}),
      },
    },
  );
}

/** The names there are; `none` says that there are none. */
interface Known {
  readonly names: Iterable<string>;
  readonly none: string;
}

function pieceText({ source, at }: Written): string {
  return `'${shorten(source)}' at position ${at}`;
}

/** A list for people; long ones end in how many more there are. */
export function listed(words: Iterable<string>): string {
  const all = [...new Set(words)];
  const shown = all.slice(0, MAX_LISTED).map(shorten).join(', ');
  return all.length > MAX_LISTED ? `${shown} and ${all.length - MAX_LISTED} more` : shown;
}

const MAX_LISTED = 40;
const MAX_QUOTED = 80;

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > MAX_QUOTED ? `${characters.slice(0, MAX_QUOTED).join('')}…` : text;
}
