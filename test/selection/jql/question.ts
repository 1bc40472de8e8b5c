/** A date as a query names it. */
export type DateAsked =
  | { readonly date: 'text'; readonly text: string }
  | { readonly date: 'hours'; readonly hours: number }
  | { readonly date: 'now' }
  | {
      readonly date: 'edge';
      readonly edge: 'start' | 'end';
      readonly period: 'Day' | 'Week';
      readonly offset: number;
    };

export type PredicateAsked =
  | { readonly predicate: 'before' | 'after' | 'on'; readonly date: DateAsked }
  | { readonly predicate: 'during'; readonly dates: readonly [DateAsked, DateAsked] }
  | { readonly predicate: 'by'; readonly users: readonly string[] }
  | { readonly predicate: 'from' | 'to'; readonly values: readonly (string | null)[] };

/** A query as a tree of its own, to be printed as JQL and to be answered naively. A value null is EMPTY. */
export type Question =
  | { readonly kind: 'and' | 'or'; readonly questions: readonly Question[] }
  | { readonly kind: 'not'; readonly question: Question }
  | {
      readonly kind: 'equal';
      readonly field: string;
      readonly negated: boolean;
      readonly values: readonly (string | null)[];
    }
  | { readonly kind: 'empty'; readonly field: string; readonly negated: boolean }
  | { readonly kind: 'number'; readonly sign: string; readonly bound: number }
  | { readonly kind: 'priority'; readonly sign: string; readonly name: string }
  | {
      readonly kind: 'instant';
      readonly field: 'created' | 'updated';
      readonly sign: string;
      readonly date: DateAsked;
    }
  | { readonly kind: 'due'; readonly sign: string; readonly date: DateAsked }
  /** Of `timeSpent`, as JQL writes it. */
  | { readonly kind: 'duration'; readonly sign: string; readonly text: string }
  /** Both days are included. */
  | {
      readonly kind: 'updatedBy';
      readonly negated: boolean;
      readonly user: string;
      readonly span: readonly [from: string, until: string] | null;
    }
  | { readonly kind: 'search'; readonly words: readonly string[]; readonly negated: boolean }
  | {
      readonly kind: 'was';
      readonly field: string;
      readonly negated: boolean;
      readonly values: readonly (string | null)[];
      readonly predicates: readonly PredicateAsked[];
    }
  | { readonly kind: 'changed'; readonly field: string; readonly predicates: readonly PredicateAsked[] };

/** The question in JQL. */
export function printQuestion(question: Question): string {
  switch (question.kind) {
    case 'and':
    case 'or':
      return `(${question.questions.map(printQuestion).join(` ${question.kind} `)})`;
    case 'not':
      return `NOT ${printQuestion(question.question)}`;
    case 'equal': {
      const [only, ...others] = question.values;
      if (only !== undefined && others.length === 0) {
        return `${question.field} ${question.negated ? '!=' : '='} ${printValue(only)}`;
      }
      return `${question.field} ${question.negated ? 'not in' : 'in'} (${question.values.map(printValue).join(', ')})`;
    }
    case 'empty':
      return `${question.field} is ${question.negated ? 'not ' : ''}empty`;
    case 'number':
      return `"Story Points" ${question.sign} ${question.bound}`;
    case 'priority':
      return `priority ${question.sign} ${question.name}`;
    case 'instant':
      return `${question.field} ${question.sign} ${printDate(question.date)}`;
    case 'due':
      return `due ${question.sign} ${printDate(question.date)}`;
    case 'duration':
      return `timeSpent ${question.sign} ${question.text}`;
    case 'updatedBy': {
      const days = (question.span ?? []).map((day) => `, "${day}"`).join('');
      return `key ${question.negated ? 'not in' : 'in'} updatedBy(${question.user}${days})`;
    }
    case 'search':
      return `summary ${question.negated ? '!~' : '~'} "${question.words.join(' ')}"`;
    case 'was': {
      const list = `(${question.values.map(printValue).join(', ')})`;
      return [
        question.field,
        `was ${question.negated ? 'not ' : ''}in`,
        list,
        ...question.predicates.map(printPredicate),
      ].join(' ');
    }
    case 'changed':
      return [question.field, 'changed', ...question.predicates.map(printPredicate)].join(' ');
  }
}

function printPredicate(asked: PredicateAsked): string {
  switch (asked.predicate) {
    case 'before':
    case 'after':
    case 'on':
      return `${asked.predicate} ${printDate(asked.date)}`;
    case 'during':
      return `during (${asked.dates.map(printDate).join(', ')})`;
    case 'by':
      return `by (${asked.users.map(printValue).join(', ')})`;
    default:
      return `${asked.predicate} (${asked.values.map(printValue).join(', ')})`;
  }
}

function printValue(value: string | null): string {
  return value === null ? 'EMPTY' : `"${value}"`;
}

function printDate(asked: DateAsked): string {
  switch (asked.date) {
    case 'text':
      return `"${asked.text}"`;
    case 'hours':
      return `${asked.hours}h`;
    case 'now':
      return 'now()';
    case 'edge':
      return `${asked.edge}Of${asked.period}("${asked.offset}")`;
  }
}
