import { MissingColumn } from '../../engine/columns/held-fields.ts';
import { ASK, NO, type RowPredicate, type Truth, UNKNOWN, YES } from '../../engine/columns/row-predicates.ts';
import { EMPTY, FIRST_VALUE, type ValueCodes } from '../../engine/columns/value-codes.ts';
import type { Change, FieldValue, Instant, Issue } from '../../model/issue.ts';
import { changesOf } from '../../model/issues/issue-fields.ts';
import { lostTime, observedIn } from './field-contents.ts';
import { overlap, type Predicates } from './history-predicates.ts';
import {
  type Compilation,
  type Compiled,
  type Condition,
  type FieldVisit,
  type JqlWorld,
  least,
} from './jql.ts';
import { fits, isWanted, type JqlField, type Wanted, type Window } from './values.ts';

/** A field with a history. */
type HistoryField = JqlField & { readonly history: string };

/**
 * Whether an issue had one of the wanted values within the window, from its creation until now, today's value
 * included. With BY, only values that such a person gave it count: what an issue was created with nobody changed. Of a
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
  const valuesIn = valuesOf(field);
  const areSets = field.elements !== undefined;
  const had = (issue: Issue, visits: readonly FieldVisit[], changes: () => readonly Change[]): Truth => {
    let unknown = false;
    const ofField = { changes, valuesIn, areSets };
    for (const [i, visit] of visits.entries()) {
      if (!overlap(window, instantsOf(visit, i === visits.length - 1))) continue;
      if (!visit.known) unknown = true;
      else {
        const truth = wasWanted(issue, visit, wanted, ofField);
        // The change that opened it is lost, and may have called it otherwise.
        if (truth === NO && visits[i - 1]?.known === false && mayHaveBeen(visit.value)) unknown = true;
        if (truth === NO) continue;
        const opened = by === null ? [] : openers(issue, visit, ofField);
        if (by === null || opened.some(by)) {
          if (truth === YES) return YES;
          unknown = true;
        }
        // The change that opened it is lost: anybody may have made it.
        else if (opened.length === 0 && visits[i - 1]?.known === false) unknown = true;
      }
    }
    return unknown ? UNKNOWN : NO;
  };
  const condition: Condition = (issue) => {
    const visits = world.visitsOf(issue, field.history);
    let found: readonly Change[] | null = null;
    const changes = () => {
      found ??= changesOf(issue, field.history);
      return found;
    };
    let truth: Truth = NO;
    for (const one of areSets ? visitsByElement(visits, valuesIn) : [visits]) {
      truth = greatest(truth, had(issue, one, changes));
      if (truth === YES) return YES;
    }
    const isShown = by === null && visits.at(-1)?.known === false;
    return isShown && isWantedToday(issue, field, wanted, { window, world }) ? YES : truth;
  };
  const history = columnHistory(field.history, by !== null, world);
  if (history === null) return { condition, predicate: { kind: 'ask' } };
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
  if (isExact) return { condition, predicate: visits };
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
  return { condition, predicate: { kind: 'all', of: [visits, changes, { kind: 'ask' }] } };
}

/** The values that one value of a history stands for: those of a set, or itself; null is the empty one. */
type ValuesIn = (value: FieldValue | null) => readonly (FieldValue | null)[];

function valuesOf({ elements }: JqlField): ValuesIn {
  return (value) => (value === null || elements === undefined ? [value] : elements(value));
}

/** Stands for every value of a set but the one that is followed. */
const OTHER: FieldValue = { id: ':other', name: ':other' };

/** The visits of each value that was ever in the set: while it stays in it is one visit. */
function visitsByElement(visits: readonly FieldVisit[], valuesIn: ValuesIn): readonly FieldVisit[][] {
  const sets = visits.map(({ known, value }) => (known ? byId(valuesIn(value)) : null));
  const visitsOf = new Map<string | null, FieldVisit[]>([[null, []]]);
  for (const set of sets) for (const id of set?.keys() ?? []) visitsOf.set(id, []);
  for (const [i, visit] of visits.entries()) {
    const [set, before] = [sets[i] ?? null, i === 0 ? undefined : sets[i - 1]];
    // Only what came or left begins another visit, for a long history of a large set is mostly what stays.
    const ids = set && before ? symmetricDifference(set, before) : set === before ? [] : visitsOf.keys();
    for (const id of ids) {
      const joined = visitsOf.get(id);
      endAt(joined, visit.start);
      joined?.push({ ...visit, value: set?.has(id) ? (set.get(id) ?? null) : OTHER });
    }
  }
  const end = visits.at(-1)?.end ?? 0;
  for (const joined of visitsOf.values()) endAt(joined, end);
  return [...visitsOf.values()];
}

function byId(values: readonly (FieldValue | null)[]): Map<string | null, FieldValue | null> {
  return new Map(values.map((value) => [value?.id ?? null, value]));
}

function symmetricDifference<Id>(
  one: ReadonlyMap<Id, unknown>,
  other: ReadonlyMap<Id, unknown>,
): readonly Id[] {
  return [...one.keys().filter((id) => !other.has(id)), ...other.keys().filter((id) => !one.has(id))];
}

function endAt(visits: FieldVisit[] | undefined, end: Instant): void {
  const last = visits?.pop();
  if (last !== undefined) visits?.push({ ...last, end });
}

function greatest(one: Truth, other: Truth): Truth {
  return one > other ? one : other;
}

/** Fields whose visits every row has in columns; only the authors of their changes are asked for. */
const recorded: readonly string[] = ['status', 'assignee'];

/**
 * What the codes of a field's history stand for, fails with `MissingColumn` where columns do not hold it yet; null where
 * only issues say what a field was: something in it is hidden from the principal, or its values are too long to be held.
 */
function columnHistory(
  field: string,
  needsAuthors: boolean,
  { columns, tell, hidesIn }: JqlWorld,
): { readonly values: ValueCodes; readonly authors: ValueCodes | null } | null {
  const isRecorded = recorded.includes(field);
  if (isRecorded && !needsAuthors) return { values: columns.values(field), authors: null };
  if (!isRecorded && (tell?.has(field) === true || hidesIn?.(field) === true)) return null;
  const history = columns.histories.find(field);
  if (history === null) {
    if (columns.histories.isTooLong(field)) return null;
    throw new MissingColumn(field, 'history');
  }
  return isRecorded ? { ...history, values: columns.values(field) } : history;
}

/** By code of an author: whether what that person changed counts; null: whatever anyone changed does. */
function authorTruths(by: Predicates['by'], authors: ValueCodes | null): Uint8Array | null {
  if (by === null || authors === null) return null;
  return Uint8Array.from({ length: authors.size }, (_, code) => {
    const author = authors.at(code);
    return typeof author === 'string' && by(author) ? YES : NO;
  });
}

/** By code: whether a visit to the value is wanted; where another name of the same value is, only its changes tell. */
function truthsOfVisits(values: ValueCodes, wanted: Wanted, field: JqlField): Uint8Array {
  const valuesIn = valuesOf(field);
  const truths = truthsOf(values, (value) =>
    valuesIn(value)
      .map((one) => isWanted(one, wanted))
      .reduce<Truth>(greatest, NO),
  );
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
  // Of other fields, a value with a wanted id that is not wanted has another name.
  const isNamedOtherwise = ({ id }: FieldValue) => !isSet || (namesOf.get(id)?.size ?? 0) > 1;
  return truths.map((truth, code) => (named[code]?.some(isNamedOtherwise) ? ASK : truth));
}

function valuesAt(values: ValueCodes, code: number, valuesIn: ValuesIn): readonly FieldValue[] {
  const content = values.at(code);
  if (content === null || typeof content !== 'object' || !('id' in content)) return [];
  return valuesIn(content).filter((one) => one !== null);
}

/** By code of a value in a history: what a test says of it. */
function truthsOf(values: ValueCodes, test: (value: FieldValue | null) => Truth): Uint8Array {
  return Uint8Array.from({ length: values.size }, (_, code) => {
    const content = values.at(code);
    if (content === undefined) return UNKNOWN;
    return content === null || (typeof content === 'object' && 'id' in content) ? test(content) : ASK;
  });
}

/** The changes of a field, and the values in each of their ends. */
interface FieldChanges {
  readonly changes: () => readonly Change[];
  readonly valuesIn: ValuesIn;
  readonly areSets: boolean;
}

/** The change that ended a visit may call its value otherwise than the one that opened it. */
function wasWanted(
  { created }: Issue,
  { value, end }: FieldVisit,
  wanted: Wanted,
  { changes, valuesIn }: FieldChanges,
): Truth {
  if (value === OTHER) return NO;
  const truth = isWanted(value, wanted);
  if (truth === YES || value === null || wanted.tests.length === 0) return truth;
  const ended = changes()
    .filter(({ at }) => Math.max(at, created) === end)
    .flatMap(({ from }) => valuesIn(from).filter((one) => one?.id === value.id));
  return ended.some((one) => isWanted(one, wanted) === YES) ? YES : truth;
}

/** Whether a value was once called as is wanted, by some change of some issue. */
function formerly(
  field: string,
  { tests }: Wanted,
  compilation: Compilation,
): (value: FieldValue | null) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    if (value === null) return false;
    const { id } = value;
    const found =
      known.get(id) ??
      observedIn(field, compilation)
        .former.byName.entries()
        .some(([name, ids]) => ids.has(id) && fits({ id, name }, tests) === YES);
    known.set(id, found);
    return found;
  };
}

/** A visit of 0 ms was there all the same, and the last one still is. */
function instantsOf({ start, end }: FieldVisit, last: boolean): Window {
  return { from: start, until: last ? end + 1 : Math.max(end, start + 1) };
}

/** Who made the changes that opened a visit; a change before the creation happened at the creation. */
function openers(
  { created }: Issue,
  { start, value }: FieldVisit,
  { changes, valuesIn, areSets }: FieldChanges,
): readonly (string | null)[] {
  const holds = (end: FieldValue | null) => valuesIn(end).some((one) => one?.id === value?.id);
  return changes()
    .filter(({ at, from, to }) => Math.max(at, created) === start && holds(to) && !(areSets && holds(from)))
    .map(({ by }) => by);
}

/** What the tracker shows last holds now, even where the history does not say so. */
function isWantedToday(
  issue: Issue,
  field: JqlField,
  wanted: Wanted,
  { window, world }: { readonly window: Window; readonly world: JqlWorld },
): boolean {
  const { now } = world;
  if (now < issue.updated || !overlap(window, { from: now, until: now + 1 })) return false;
  const content = field.read(issue);
  if (content === null || content === '') return wanted.empty;
  if (typeof content === 'symbol') return false;
  const items = typeof content === 'object' && 'length' in content ? content : [content];
  if (items.length === 0) return wanted.empty;
  return items.some((item) => fits(item, wanted.tests) === YES);
}

/**
 * Whether a field changed in the way the predicates say; of a set, FROM asks for what left it and TO for what came. Of a
 * cut history, a lost change may be the one asked for.
 */
export function changed(
  field: HistoryField,
  { window, by, from, to }: Predicates,
  world: JqlWorld,
): Compiled {
  const { now } = world;
  const valuesIn = valuesOf(field);
  const endIs = (change: Change, end: 'from' | 'to', test: Predicates['from']): Truth => {
    if (test === null) return YES;
    const other = byId(valuesIn(change[end === 'from' ? 'to' : 'from']));
    return valuesIn(change[end])
      .filter((value) => field.elements === undefined || !other.has(value?.id ?? null))
      .map(test)
      .reduce<Truth>(greatest, NO);
  };
  const condition: Condition = (issue) => {
    let doubtful = false;
    for (const change of changesOf(issue, field.history)) {
      if (change.at > now) continue;
      const at = Math.max(change.at, issue.created);
      const holds = at >= window.from && at < window.until && (by === null || by(change.by));
      const truth = holds ? least(endIs(change, 'from', from), endIs(change, 'to', to)) : NO;
      if (truth === YES) return YES;
      doubtful ||= truth === UNKNOWN;
    }
    const lost = lostTime(issue, now);
    return doubtful || (lost !== null && overlap(window, lost)) ? UNKNOWN : NO;
  };
  const history = columnHistory(field.history, by !== null, world);
  if (history === null) return { condition, predicate: { kind: 'ask' } };
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
  return { condition, predicate: isExact ? changes : { kind: 'all', of: [changes, { kind: 'ask' }] } };
}

/** So many values have a bit each. */
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
