import type { LoadedVisit } from '../../engine/columns/loaded-columns.ts';
import {
  type ChangesPredicate,
  NO,
  type RowPredicate,
  UNKNOWN,
  YES,
} from '../../engine/columns/row-predicates.ts';
import type { Change, FieldValue, Instant, Issue } from '../../model/issue.ts';
import { changesOf } from '../../model/issues/issue-fields.ts';
import { lostTime } from './field-contents.ts';
import type { FieldVisit, IssueThen, Loaded } from './jql.ts';
import { type Item, isUnknownInstant, itemsIn, type JqlField, UNCERTAIN, type Window } from './values.ts';

/** A field with a history. */
export type HistoryField = JqlField & { readonly history: string };

/** The values that one value of a history stands for: those of a set, or itself; null is the empty one. */
export type ValuesIn = (value: FieldValue | null) => readonly (FieldValue | null)[];

/** Makes the function that gives the values of a field's sets. */
export function valuesOf({ elements }: JqlField): ValuesIn {
  return (value) => (value === null || elements === undefined ? [value] : elements(value));
}

/** A value that an issue had until the next visit. */
interface ValueVisit extends LoadedVisit {
  /** The value as the changes that brought and took it call it; null: nothing is known. */
  readonly names: readonly (Item | null)[] | null;
  /** Authors of the changes that brought it. */
  readonly openers: readonly (string | null)[];
  /** Nothing is known of the time before it. */
  readonly isAfterLost: boolean;
}

/** Ends the visits of one value, before those of another. */
const end: ValueVisit = { start: Number.POSITIVE_INFINITY, names: [], openers: [], isAfterLost: false };

/**
 * The visits of a field's values. Of a set each value has visits of its own: the visit of one lasts while others come and go.
 * If nothing is known of the last one, what the tracker shows holds at `now`.
 */
export function valueVisits(then: IssueThen, field: HistoryField, now: Instant): readonly ValueVisit[] {
  const { created } = then.issue;
  const visits = then.visitsOf(field.history);
  const valuesIn = valuesOf(field);
  const areSets = field.elements !== undefined;
  const changes = Map.groupBy(changesOf(then.issue, field.history), ({ at }) => Math.max(at, created));
  const isIn = (set: FieldValue | null, value: FieldValue | null) =>
    valuesIn(set).some((one) => one?.id === value?.id);
  const namesOf = ({ value, end: until }: FieldVisit) => {
    if (value === OTHER) return [];
    const taken = value === null ? [] : (changes.get(until) ?? []).flatMap(({ from }) => valuesIn(from));
    return [value, ...taken.filter((one) => one?.id === value?.id)];
  };
  const openersOf = ({ value, start }: FieldVisit) =>
    (changes.get(start) ?? [])
      .filter(({ from, to }) => isIn(to, value) && !(areSets && isIn(from, value)))
      .map(({ by }) => by);
  const own = (areSets ? visitsByElement(visits, valuesIn) : [visits]).flatMap((chain) => [
    ...chain.map((visit, i): ValueVisit => {
      const names = visit.known ? namesOf(visit) : null;
      return {
        start: visit.start,
        names,
        openers: openersOf(visit),
        isAfterLost: !(chain[i - 1]?.known ?? true),
      };
    }),
    end,
  ]);
  const isShown = now >= then.issue.updated && visits.at(-1)?.known === false;
  const shown = isShown ? field.read(then) : UNCERTAIN;
  if (shown === UNCERTAIN || isUnknownInstant(shown)) return own;
  const items = itemsIn(shown);
  const today = (items.length === 0 ? [null] : items).map((item) => ({ ...end, start: now, names: [item] }));
  return [...own, ...today];
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

/** One end of a change, those before the change having no instant; of a set only what the other end lacks. */
interface ChangeEnd extends LoadedVisit {
  readonly values: readonly (FieldValue | null)[];
  readonly by: string | null;
}

/** Both ends of each change up to an instant, in their order. */
export function changeEnds(
  { created }: Issue,
  changes: readonly Change[],
  now: Instant,
  field: JqlField | null = null,
): readonly ChangeEnd[] {
  const valuesIn: ValuesIn = field === null ? () => [] : valuesOf(field);
  const moved = (own: FieldValue | null, other: FieldValue | null) => {
    if (field?.elements === undefined) return valuesIn(own);
    const others = byId(valuesIn(other));
    return valuesIn(own).filter((one) => !others.has(one?.id ?? null));
  };
  const ends: ChangeEnd[] = [];
  for (const { at, from, to, by } of changes.toSorted((a, b) => a.at - b.at)) {
    if (at > now) break;
    ends.push({ start: Number.NaN, values: moved(from, to), by });
    ends.push({ start: Math.max(at, created), values: moved(to, from), by });
  }
  return ends;
}

/** The predicate of changes of loaded issues within a window; a lost change may be one of them. */
export function changesOfLoaded(
  loaded: Loaded,
  predicate: Pick<ChangesPredicate, 'of' | 'before' | 'after' | 'by'>,
  window: Window,
  now: Instant,
): RowPredicate {
  const lost = loaded.predicate((then) => {
    const time = lostTime(then, now);
    return time !== null && overlap(window, time) ? UNKNOWN : NO;
  });
  return { kind: 'any', of: [{ kind: 'changes', areSets: false, ...predicate, ...window }, lost] };
}

/** Returns true where an instant lies in both. */
function overlap(a: Window, b: Window): boolean {
  return Math.max(a.from, b.from) < Math.min(a.until, b.until);
}

/** The truths of authors by code: YES where a change by that person counts; null: by anyone. */
export function truthsOfAuthors(
  ends: readonly Pick<ChangeEnd, 'by'>[],
  by: ((user: string | null) => boolean) | null,
): Uint8Array | null {
  return by && new Uint8Array(ends.map((one) => (by(one.by) ? YES : NO)));
}
