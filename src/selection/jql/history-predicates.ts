import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Truth } from '../../engine/columns/row-predicates.ts';
import type { FieldValue } from '../../model/issue.ts';
import { instantOf } from '../../time/wall-clock.ts';
import { type Moment, readMoment } from './date-values.ts';
import { type Compilation, least } from './jql.ts';
import { userIds } from './named-values.ts';
import { type Operand, type Predicate, refuse, type TerminalClause } from './query-tree.ts';
import { isWanted, type JqlField, readWanted, type Window } from './values.ts';

/** The predicates behind WAS or CHANGED; all of them have to hold. */
export interface Predicates {
  readonly window: Window;
  /** Returns true where a change by this person counts; null: by anyone. */
  readonly by: ((user: string | null) => boolean) | null;
  /** Null: from whatever. */
  readonly from: ((value: FieldValue | null) => Truth) | null;
  /** Null: to whatever. */
  readonly to: ((value: FieldValue | null) => Truth) | null;
}

/**
 * Reads the predicates of a clause. BEFORE and AFTER leave out the instant they name, DURING takes in both of its own.
 * A date stands for its midnight, as Jira documents, but for ON: that is the whole local day the date or instant lies
 * on, or, of a date with a time of day, its minute.
 */
export function readPredicates(
  clause: TerminalClause,
  field: JqlField,
  compilation: Compilation,
): Predicates {
  return clause.predicates
    .map((predicate) => readPredicate(predicate, field, compilation))
    .reduce(together, anything);
}

/** The predicates that hold of all changes and at all times. */
export const anything: Predicates = {
  window: { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
  by: null,
  from: null,
  to: null,
};

function together(a: Predicates, b: Predicates): Predicates {
  const [first, second] = [a.by, b.by];
  return {
    window: intersect(a.window, b.window),
    by: first !== null && second !== null ? (user) => first(user) && second(user) : (first ?? second),
    from: bothTests(a.from, b.from),
    to: bothTests(a.to, b.to),
  };
}

function bothTests(a: Predicates['from'], b: Predicates['from']): Predicates['from'] {
  return a !== null && b !== null ? (value) => least(a(value), b(value)) : (a ?? b);
}

function readPredicate(predicate: Predicate, field: JqlField, compilation: Compilation): Predicates {
  const { operator, operand } = predicate;
  switch (operator) {
    case 'from':
    case 'to': {
      const wanted = readWanted(field, operand, true, 'changes');
      return { ...anything, [operator]: (value: FieldValue | null) => isWanted(value, wanted) };
    }
    case 'by':
      return { ...anything, by: readPeople(operand, compilation) };
    default:
      return { ...anything, window: readWindow(predicate, compilation) };
  }
}

function readPeople(operand: Operand, compilation: Compilation): (user: string | null) => boolean {
  const ids = userIds(compilation, 'by');
  const people = new Set<string>();
  for (const one of operand.values) {
    if (one.kind === 'empty') throw refuse(compilation.name, one, 'is not a user. Try: users.');
    for (const id of ids(one, true)) people.add(id);
  }
  return (user) => user !== null && people.has(user);
}

function readWindow(predicate: Predicate, compilation: Compilation): Window {
  const { operator, operand } = predicate;
  const moments = operand.values.map((one) => {
    if (one.kind === 'empty')
      throw refuse(compilation.name, one, `is not a date, as ${operator} needs. Try: a date.`);
    return readMoment(one, operator, compilation);
  });
  const [first, second] = moments;
  const count = operator === 'during' ? 2 : 1;
  if (first === undefined || moments.length !== count) {
    const allowed = count === 1 ? 'one date' : 'two dates in brackets';
    throw refuse(compilation.name, predicate, `has ${moments.length} dates. Try: ${allowed}.`);
  }
  switch (operator) {
    case 'before':
      return { ...anything.window, until: first.at };
    case 'after':
      return { ...anything.window, from: first.at + 1 };
    case 'on':
      return dayOrMinute(first, compilation.world.timeZone);
    default: {
      const last = second ?? first;
      if (last.at < first.at) {
        throw refuse(compilation.name, operand, 'ends before it begins. Try: the earlier date first.');
      }
      return { from: first.at, until: last.at + 1 };
    }
  }
}

function dayOrMinute({ at, day, timed }: Moment, timeZone: string): Window {
  if (timed) return { from: at, until: at + millisecondsInMinute };
  return { from: instantOf(day, timeZone), until: instantOf(day + millisecondsInDay, timeZone) };
}

function intersect(a: Window, b: Window): Window {
  return { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) };
}

/** Returns true where an instant lies in both. */
export function overlap(a: Window, b: Window): boolean {
  return Math.max(a.from, b.from) < Math.min(a.until, b.until);
}
