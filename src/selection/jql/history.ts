import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { ASK, NO, type RowPredicate, type Truth, UNKNOWN, YES } from '../../engine/columns/row-predicates.ts';
import { EMPTY, FIRST_VALUE, type ValueCodes } from '../../engine/columns/value-codes.ts';
import type { FieldValue } from '../../model/issue.ts';
import { changesOf } from '../../model/issues/issue-fields.ts';
import { isValue } from '../../model/issues/value-sets.ts';
import { instantOf } from '../../time/wall-clock.ts';
import { type Moment, readMoment } from './date-values.ts';
import { observedIn } from './field-contents.ts';
import { type Compilation, type Compiled, greatest, type JqlWorld } from './jql.ts';
import {
  changeEnds,
  changesOfLoaded,
  type HistoryField,
  truthsOfAuthors,
  type ValuesIn,
  valuesOf,
  valueVisits,
} from './loaded-histories.ts';
import { userIds } from './named-values.ts';
import { type Operand, type Predicate, pieceError, type TerminalClause } from './query-tree.ts';
import { fits, type Item, itemId, type JqlField, readWanted, type Wanted, type Window } from './values.ts';

/** The predicates behind WAS or CHANGED; all of them have to hold. */
interface Predicates {
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

/** The truth of both together. */
function least(one: Truth, other: Truth): Truth {
  return one < other ? one : other;
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
    if (one.kind === 'empty') throw pieceError(compilation.name, one, 'is not a user. Try: users.');
    for (const id of ids(one, true)) people.add(id);
  }
  return (user) => user !== null && people.has(user);
}

function readWindow(predicate: Predicate, compilation: Compilation): Window {
  const { operator, operand } = predicate;
  const moments = operand.values.map((one) => {
    if (one.kind === 'empty')
      throw pieceError(compilation.name, one, `is not a date, as ${operator} needs. Try: a date.`);
    return readMoment(one, operator, compilation);
  });
  const [first, second] = moments;
  const count = operator === 'during' ? 2 : 1;
  if (first === undefined || moments.length !== count) {
    const allowed = count === 1 ? 'one date' : 'two dates in brackets';
    throw pieceError(compilation.name, predicate, `has ${moments.length} dates. Try: ${allowed}.`);
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
        throw pieceError(compilation.name, operand, 'ends before it begins. Try: the earlier date first.');
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

/**
 * Returns true where an issue had one of the wanted values within the window, from its creation until now, today's value
 * included. With BY, only values that such a person gave it count: what an issue was created with no one has changed. Of a
 * set each value is looked at by itself: the visit of one lasts while others come and go.
 */
export function was(
  field: HistoryField,
  wanted: Wanted,
  { window, by }: Pick<Predicates, 'window' | 'by'>,
  compilation: Compilation,
): Compiled {
  const { world } = compilation;
  const mayHaveBeen = formerly(field.history, wanted, compilation);
  return (loaded) => {
    if (loaded === null) return wasInColumns(field, wanted, { window, by }, world);
    const of = `visits of ${field.history}`;
    const visits = loaded.history(of, (then) => valueVisits(then, field, world.now));
    const truths = new Uint8Array(visits.length);
    const openers = new Uint8Array(visits.length);
    for (const [code, visit] of visits.entries()) {
      const truth =
        visit.names === null ? UNKNOWN : greatest(visit.names.map((one) => isWanted(one, wanted)));
      const [value = null] = visit.names ?? [];
      // The change that brought it is lost, and may have called it otherwise.
      const mayBe = truth === NO && visit.isAfterLost && value !== null && mayHaveBeen(value);
      truths[code] = mayBe ? UNKNOWN : truth;
      // Without a change that brought it, anyone may have made the lost one.
      const isLost = visit.names === null || mayBe || (visit.isAfterLost && visit.openers.length === 0);
      if (by !== null) openers[code] = visit.openers.some(by) ? YES : isLost ? UNKNOWN : NO;
    }
    return { kind: 'visits', of, ...window, truths, by: by === null ? null : openers };
  };
}

function wasInColumns(
  field: HistoryField,
  wanted: Wanted,
  { window, by }: Pick<Predicates, 'window' | 'by'>,
  world: JqlWorld,
): RowPredicate {
  const areSets = field.elements !== undefined;
  const history = columnHistory(field.history, by !== null, world);
  if (history === null) return { kind: 'ask' };
  const truths = truthsOfVisits(history.values, wanted, field);
  // Which change brought one value of a set only the issue says.
  const isExact = by === null || !areSets;
  const visits: RowPredicate = {
    kind: 'visits',
    of: field.history,
    ...window,
    truths,
    by: isExact ? authorTruths(by, history.authors) : null,
  };
  if (isExact) return visits;
  const changes: RowPredicate = {
    kind: 'changes',
    of: field.history,
    before: null,
    after: null,
    areSets,
    from: Number.NEGATIVE_INFINITY,
    until: Number.POSITIVE_INFINITY,
    by: authorTruths(by, history.authors),
  };
  return { kind: 'all', of: [visits, changes, { kind: 'ask' }] };
}

/** The truth of one value of a history being wanted; null is the empty one. */
function isWanted(value: Item | null, { empty, tests }: Pick<Wanted, 'empty' | 'tests'>): Truth {
  if (value === null) return empty ? YES : NO;
  return fits(value, tests);
}

/** Fields whose visits every row has in columns; only the authors of their changes are histories. */
const recorded: readonly string[] = ['status', 'assignee'];

/**
 * The values and authors behind the codes of a field's history; null where columns do not have it, or only issues show what
 * a field was: something in it is hidden from the principal, or its values are too long for columns.
 */
function columnHistory(
  field: string,
  needsAuthors: boolean,
  { columns, redact, hidesIn, hasColumn }: JqlWorld,
): { readonly values: ValueCodes; readonly authors: ValueCodes | null } | null {
  const isRecorded = recorded.includes(field);
  if (isRecorded && !needsAuthors) return { values: columns.values(field), authors: null };
  if (!isRecorded && (redact?.has(field) === true || hidesIn?.(field) === true)) return null;
  const history = hasColumn(field, 'history') ? columns.histories.find(field) : null;
  if (history === null) return null;
  return isRecorded ? { ...history, values: columns.values(field) } : history;
}

/** The truths of authors by code: YES where a change by that person counts; null: by anyone. */
function authorTruths(by: Predicates['by'], authors: ValueCodes | null): Uint8Array | null {
  if (by === null || authors === null) return null;
  return Uint8Array.from({ length: authors.size }, (_, code) => {
    const author = authors.at(code);
    return typeof author === 'string' && by(author) ? YES : NO;
  });
}

/** The truths of visits by code of their value; where another name of the value is wanted, only its changes show it. */
function truthsOfVisits(values: ValueCodes, wanted: Wanted, field: JqlField): Uint8Array {
  const valuesIn = valuesOf(field);
  const truths = truthsOf(values, (value) => greatest(valuesIn(value).map((one) => isWanted(one, wanted))));
  if (wanted.tests.length === 0) return truths;
  const wantedIn = (code: number) =>
    valuesAt(values, code, valuesIn).filter((one) => isWanted(one, wanted) === YES);
  const ids = new Set<string>();
  for (let code = FIRST_VALUE; code < truths.length; code += 1) {
    if (truths[code] === YES) for (const { id } of wantedIn(code)) ids.add(id);
  }
  if (ids.size === 0) return truths;
  const isSet = field.elements !== undefined;
  const namesOf = new Map<string, Set<string>>();
  const named = Array.from(truths, (truth, code) => {
    // A value that is wanted as it is called there is one, unless it is one of a set, which may have come under another name.
    if (code < FIRST_VALUE || (truth === YES && !isSet)) return [];
    return valuesAt(values, code, valuesIn).filter(({ id }) => ids.has(id));
  });
  for (const { id, name } of isSet ? named.flat() : []) {
    namesOf.set(id, (namesOf.get(id) ?? new Set()).add(name));
  }
  // In a field that is no set, a value with a wanted id that is not wanted has another name.
  const isNamedOtherwise = ({ id }: FieldValue) => !isSet || (namesOf.get(id)?.size ?? 0) > 1;
  return truths.map((truth, code) => (named[code]?.some(isNamedOtherwise) ? ASK : truth));
}

function valuesAt(values: ValueCodes, code: number, valuesIn: ValuesIn): readonly FieldValue[] {
  const content = values.at(code);
  return isValue(content) ? valuesIn(content).filter((one) => one !== null) : [];
}

/** The truths of a test by code of a value in a history. */
function truthsOf(values: ValueCodes, test: (value: FieldValue | null) => Truth): Uint8Array {
  return Uint8Array.from({ length: values.size }, (_, code) => {
    const content = values.at(code);
    if (content === undefined) return UNKNOWN;
    return content === null || isValue(content) ? test(content) : ASK;
  });
}

/** Makes the function that is true of a value which a change of any issue calls as is wanted. */
function formerly(field: string, { tests }: Wanted, compilation: Compilation): (value: Item) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    const id = itemId(value);
    const found =
      known.get(id) ??
      observedIn(field, compilation)
        .former.byName.entries()
        .some(([name, ids]) => ids.has(id) && fits({ id, name }, tests) === YES);
    known.set(id, found);
    return found;
  };
}

/**
 * A field changed in the way the predicates describe; of a set, FROM is about what left it and TO about what came. In a cut
 * history a lost change may be such a one.
 */
export function hasChanged(
  field: HistoryField,
  { window, by, from, to }: Predicates,
  world: JqlWorld,
): Compiled {
  return (loaded) => {
    if (loaded === null) return changedInColumns(field, { window, by, from, to }, world);
    const of = `changes of ${field.history}`;
    const ends = loaded.history(of, ({ issue }) =>
      changeEnds(issue, changesOf(issue, field.history), world.now, field),
    );
    const codesOf = (test: Predicates['from']) =>
      test && new Uint8Array(ends.map(({ values }) => greatest(values.map(test))));
    const predicate = { of, before: codesOf(from), after: codesOf(to), by: truthsOfAuthors(ends, by) };
    return changesOfLoaded(loaded, predicate, window, world.now);
  };
}

function changedInColumns(
  field: HistoryField,
  { window, by, from, to }: Predicates,
  world: JqlWorld,
): RowPredicate {
  const history = columnHistory(field.history, by !== null, world);
  if (history === null) return { kind: 'ask' };
  const valuesIn = valuesOf(field);
  const areSets = field.elements !== undefined;
  const { values, authors } = history;
  const codesOf = (test: Predicates['from']) =>
    test === null ? null : areSets ? bitsOfSets(values, valuesIn, test) : truthsOf(values, test);
  const [before, after] = [codesOf(from), codesOf(to)];
  const isExact = (from === null) === (before === null) && (to === null) === (after === null);
  const changes: RowPredicate = {
    kind: 'changes',
    of: field.history,
    before,
    after,
    areSets,
    ...window,
    by: authorTruths(by, authors),
  };
  return isExact ? changes : { kind: 'all', of: [changes, { kind: 'ask' }] };
}

/** Values that have a bit each. */
const MAX_BITS = 31;

/**
 * By code of a set: the bits of the values in it that a test holds for, by their ids. Null where there are too many, or
 * where it depends on how a value is called in a change whether it does.
 */
function bitsOfSets(
  values: ValueCodes,
  valuesIn: ValuesIn,
  test: NonNullable<Predicates['from']>,
): Uint32Array | null {
  const bits = new Map<string | null, number>();
  let count = 0;
  const found = new Uint32Array(values.size);
  for (let code = EMPTY; code < values.size; code += 1) {
    const content = values.at(code);
    const set = content === null ? valuesIn(null) : valuesAt(values, code, valuesIn);
    for (const one of set) {
      const id = one?.id ?? null;
      const truth = test(one);
      const known = bits.get(id);
      if (truth === UNKNOWN || (known !== undefined && (known !== 0) !== (truth === YES))) return null;
      const bit = known ?? (truth === YES ? 1 << count++ : 0);
      if (count > MAX_BITS) return null;
      bits.set(id, bit);
      found[code] = (found[code] ?? 0) | bit;
    }
  }
  return found;
}
