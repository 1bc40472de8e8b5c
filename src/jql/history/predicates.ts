import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { FieldValue } from '../../model/issue.ts';
import { instantOf } from '../../time/wall-clock.ts';
import type { Compilation } from '../compilation.ts';
import type { Field } from '../fields/field.ts';
import { refuse } from '../refuse.ts';
import type { Operand, Predicate, TerminalClause } from '../syntax/query-tree.ts';
import { least, type Truth, YES } from '../truth.ts';
import { type Moment, readMoment } from '../values/read-moment.ts';
import { userIds } from '../values/user-values.ts';
import { isWanted, readWanted } from './value-test.ts';
import { always, intersect, type Window } from './window.ts';

/** What stands behind WAS or CHANGED; all of it has to hold. */
export interface Predicates {
  readonly window: Window;
  /** Whether a change by this person counts; null: by anybody. */
  readonly by: ((user: string | null) => boolean) | null;
  readonly from: (value: FieldValue | null) => Truth;
  readonly to: (value: FieldValue | null) => Truth;
}

/**
 * Reads the predicates of a clause. BEFORE and AFTER leave out the instant they name, DURING takes in both of its own.
 * A date stands for its midnight, as Jira documents, but for ON: that is the whole local day the date or instant lies
 * on, or, of a date with a time of day, its minute.
 */
export function readPredicates(clause: TerminalClause, field: Field, compilation: Compilation): Predicates {
  return clause.predicates
    .map((predicate) => readPredicate(predicate, field, compilation))
    .reduce(both, { window: always, by: null, from: () => YES, to: () => YES });
}

function both(a: Predicates, b: Predicates): Predicates {
  const [first, second] = [a.by, b.by];
  return {
    window: intersect(a.window, b.window),
    by: first !== null && second !== null ? (user) => first(user) && second(user) : (first ?? second),
    from: (value) => least(a.from(value), b.from(value)),
    to: (value) => least(a.to(value), b.to(value)),
  };
}

function readPredicate(predicate: Predicate, field: Field, compilation: Compilation): Predicates {
  const anything: Predicates = { window: always, by: null, from: () => YES, to: () => YES };
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
    if (one.kind === 'empty')
      throw refuse(compilation.name, one, 'is nobody who could change anything; allowed: users.');
    for (const id of ids(one, true)) people.add(id);
  }
  return (user) => user !== null && people.has(user);
}

function readWindow(predicate: Predicate, compilation: Compilation): Window {
  const { operator, operand } = predicate;
  const moments = operand.values.map((one) => {
    if (one.kind === 'empty')
      throw refuse(compilation.name, one, `is no date, as ${operator} needs; allowed: a date.`);
    return readMoment(one, operator, compilation);
  });
  const [first, second] = moments;
  const count = operator === 'during' ? 2 : 1;
  if (first === undefined || moments.length !== count) {
    const allowed = count === 1 ? 'one date' : 'two dates in brackets';
    throw refuse(compilation.name, predicate, `has ${moments.length} dates; allowed: ${allowed}.`);
  }
  switch (operator) {
    case 'before':
      return { ...always, until: first.at };
    case 'after':
      return { ...always, from: first.at + 1 };
    case 'on':
      return dayOrMinute(first, compilation.world.timeZone);
    default: {
      const last = second ?? first;
      if (last.at < first.at) {
        throw refuse(compilation.name, operand, 'ends before it begins; allowed: the earlier date first.');
      }
      return { from: first.at, until: last.at + 1 };
    }
  }
}

function dayOrMinute({ at, day, timed }: Moment, timeZone: string): Window {
  if (timed) return { from: at, until: at + millisecondsInMinute };
  return { from: instantOf(day, timeZone), until: instantOf(day + millisecondsInDay, timeZone) };
}
