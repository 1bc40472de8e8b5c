import type { FieldValue } from '../../model/issue.ts';

/** Longer texts are prose, and hardly ever occur twice. */
const MAX_SHARED = 80;

/** Texts, fields that changes are of (few, so their numbers are small), values, lists of field ids. */
export const termKinds = ['text', 'changed', 'value', 'fields'] as const;
type TermKind = (typeof termKinds)[number];

/** A term as it is stored: a JSON text under a number of its kind, which never gets another term. */
export interface StoredTerm {
  readonly kind: string;
  readonly number: number;
  readonly term: string;
}

/** A list of things that repeat, each of which has a number. */
interface Terms<Term, Found = Term> {
  /** The number of an equal thing; null as long as it was seen in one issue only, as most things ever are. */
  numberOf(term: Term): number | null;
  /** The thing with a number. Fails where none is known to have it. */
  at(number: number): Found;
}

/** The ids of a kind of issue's fields, in order, and a record of them that is still empty. */
export interface FieldList {
  readonly ids: readonly string[];
  /** The index of each id in `ids`. */
  readonly places: ReadonlyMap<string, number>;
  readonly blank: Readonly<Record<string, null>>;
}

/** Statuses, people, field ids and the like repeat in every issue; each is stored once and called by its number. */
export interface IssueTerms {
  /** Starts the issue with this key: later calls are about it. */
  about(key: string): void;
  readonly texts: Terms<string>;
  readonly changedFields: Terms<string>;
  readonly values: Terms<FieldValue>;
  readonly fields: Terms<readonly string[], FieldList>;
}

/** Terms to which new ones are added. */
export interface WritableTerms extends IssueTerms {
  /** The same, none of which is new: what has no number gets none. */
  readonly known: IssueTerms;
  /** Adds terms that are stored: of each kind those from `end` on. */
  take(stored: Iterable<StoredTerm>): void;
  /** The number of a kind's first term that is not known. */
  end(kind: TermKind): number;
  /** Begins a transaction that assigns numbers. All that is stored is to be known before the first one. */
  begin(): void;
  /** The terms that got their numbers since, to be stored in the transaction. */
  assigned(): readonly StoredTerm[];
  /** Forgets what got its number since, as a transaction that fails is to do: others may assign it again. */
  unassign(): void;
}

/** Terms of which none is known yet. */
export function createIssueTerms(): WritableTerms {
  const seen = createSeenTexts();
  const lists = {
    text: createTermList(seen, textNumbers(), parseText),
    changed: createTermList(seen, textNumbers(), parseText),
    value: createTermList(seen, valueNumbers(), parseValue),
    fields: createTermList(seen, listNumbers(), parseFieldList),
  };
  const { text, changed, value, fields } = lists;
  return {
    about: seen.about,
    texts: text.terms,
    changedFields: changed.terms,
    values: value.terms,
    fields: fields.terms,
    known: {
      about() {},
      texts: text.known,
      changedFields: changed.known,
      values: value.known,
      fields: fields.known,
    },
    take(stored) {
      for (const { kind, number, term } of stored) {
        const known = termKinds.find((one) => one === kind);
        if (known !== undefined) lists[known].take(number, term);
      }
    },
    end: (kind) => lists[kind].end(),
    begin() {
      for (const kind of termKinds) lists[kind].begin();
    },
    assigned: () =>
      termKinds.flatMap((kind) => lists[kind].assigned().map((stored) => ({ kind, ...stored }))),
    unassign() {
      for (const kind of termKinds) lists[kind].unassign();
    },
  };
}

/** Numbers by term. */
interface TermNumbers<Term> {
  get(term: Term): number | undefined;
  set(term: Term, number: number): void;
  delete(term: Term): void;
  /** The hash of a term, by which a second occurrence is recognized; null where the term is never shared. */
  hashOf(term: Term): number | null;
  /** As which it is stored. */
  jsonOf(term: Term): string;
}

interface TermList<Term, Found> {
  readonly terms: Terms<Term, Found>;
  readonly known: Terms<Term, Found>;
  take(number: number, json: string): void;
  end(): number;
  begin(): void;
  assigned(): readonly Omit<StoredTerm, 'kind'>[];
  unassign(): void;
}

function createTermList<Term, Found>(
  { isElsewhere }: Pick<SeenTexts, 'isElsewhere'>,
  numbers: TermNumbers<Term>,
  parse: (json: string) => { readonly term: Term; readonly found: Found },
): TermList<Term, Found> {
  const texts: string[] = [];
  /** Most are never looked at. */
  const found: (Found | undefined)[] = [];
  /** The length of the part of `terms` that `numbers` covers; only packing needs the index. */
  let indexed = 0;
  let begun = 0;

  function at(number: number): Found {
    const known = found[number];
    if (known !== undefined) return known;
    const text = texts[number];
    if (text === undefined) throw new Error('A packed issue names a term that is not known.');
    const parsed = parse(text).found;
    found[number] = parsed;
    return parsed;
  }

  function numberOf(term: Term): number | undefined {
    for (; indexed < texts.length; indexed += 1) {
      const text = texts[indexed];
      if (text !== undefined) numbers.set(parse(text).term, indexed);
    }
    return numbers.get(term);
  }

  return {
    terms: {
      numberOf(term) {
        const known = numberOf(term);
        if (known !== undefined) return known;
        const hash = numbers.hashOf(term);
        if (hash === null || !isElsewhere(hash)) return null;
        texts.push(numbers.jsonOf(term));
        return numberOf(term) ?? null;
      },
      at,
    },
    known: { numberOf: (term) => numberOf(term) ?? null, at },
    take(number, json) {
      texts[number] = json;
    },
    end: () => texts.length,
    begin() {
      begun = texts.length;
    },
    assigned: () => texts.slice(begun).map((term, i) => ({ number: begun + i, term })),
    unassign() {
      for (const text of texts.slice(begun, indexed)) numbers.delete(parse(text).term);
      texts.length = begun;
      found.length = Math.min(found.length, begun);
      indexed = Math.min(indexed, begun);
    },
  };
}

function textNumbers(): TermNumbers<string> {
  const numbers = new Map<string, number>();
  return {
    get: (text) => (text.length > MAX_SHARED ? undefined : numbers.get(text)),
    set: (text, number) => numbers.set(text, number),
    delete: (text) => numbers.delete(text),
    hashOf: (text) => (text.length > MAX_SHARED ? null : hashOf(text)),
    jsonOf: (text) => JSON.stringify(text),
  };
}

function valueNumbers(): TermNumbers<FieldValue> {
  /** By name: the first id, as nearly every name has only one, and the others. */
  const numbers = new Map<string, NumbersOfName>();
  return {
    get({ id, name }) {
      const ofName = numbers.get(name);
      if (ofName === undefined) return undefined;
      return ofName.id === id ? ofName.number : ofName.others?.get(id);
    },
    set({ id, name }, number) {
      const ofName = numbers.get(name);
      if (ofName === undefined) numbers.set(name, { id, number, others: null });
      else if (ofName.id === id) ofName.number = number;
      else {
        ofName.others ??= new Map();
        ofName.others.set(id, number);
      }
    },
    delete({ id, name }) {
      const ofName = numbers.get(name);
      if (ofName?.id === id) ofName.number = undefined;
      else ofName?.others?.delete(id);
    },
    hashOf: ({ id, name }) =>
      id.length + name.length > MAX_SHARED ? null : hashOf(name, hashOf(id, FNV_PRIME)),
    jsonOf: ({ id, name }) => JSON.stringify([id, name]),
  };
}

interface NumbersOfName {
  readonly id: string;
  number: number | undefined;
  others: Map<string, number> | null;
}

function listNumbers(): TermNumbers<readonly string[]> {
  const numbers = new Map<string, number>();
  /** The list that was found last: issues of one kind come one after another. */
  let last: { readonly ids: readonly string[]; readonly number: number } | null = null;
  return {
    get(ids) {
      if (last !== null && areEqual(last.ids, ids)) return last.number;
      const number = numbers.get(JSON.stringify(ids));
      if (number !== undefined) last = { ids, number };
      return number;
    },
    set: (ids, number) => numbers.set(JSON.stringify(ids), number),
    delete(ids) {
      last = null;
      return numbers.delete(JSON.stringify(ids));
    },
    hashOf: (ids) => hashOf(JSON.stringify(ids)),
    jsonOf: (ids) => JSON.stringify(ids),
  };
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i += 1) if (some[i] !== others[i]) return false;
  return true;
}

function parseText(json: string): { readonly term: string; readonly found: string } {
  const text: string = JSON.parse(json);
  return { term: text, found: text };
}

function parseValue(json: string): { readonly term: FieldValue; readonly found: FieldValue } {
  const [id, name]: [string, string] = JSON.parse(json);
  const value = { id, name };
  return { term: value, found: value };
}

function parseFieldList(json: string): { readonly term: readonly string[]; readonly found: FieldList } {
  const ids: string[] = JSON.parse(json);
  return { term: ids, found: fieldListOf(ids) };
}

export function fieldListOf(ids: readonly string[]): FieldList {
  const places = new Map(ids.map((id, index) => [id, index]));
  return { ids, places, blank: Object.fromEntries(ids.map((id) => [id, null])) };
}

const SLOTS = 2 ** 18;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The issues in which texts were seen, in bounded memory: entries are evicted, and two texts of one hash are rarely
 * confused.
 */
interface SeenTexts {
  about(key: string): void;
  /** Returns true where a text of this hash was seen in another issue before. */
  isElsewhere(hash: number): boolean;
}

function createSeenTexts(): SeenTexts {
  // Most processes only read.
  let marks: Uint32Array | null = null;
  let issues: Uint32Array | null = null;
  let issue = 0;
  return {
    about(key) {
      issue = hashOf(key);
    },
    isElsewhere(hash) {
      marks ??= new Uint32Array(SLOTS);
      issues ??= new Uint32Array(SLOTS);
      const mark = hash || 1;
      const slot = (mark ^ (mark >>> 12)) & (SLOTS - 1);
      if (marks[slot] === mark && issues[slot] !== issue) return true;
      marks[slot] = mark;
      issues[slot] = issue;
      return false;
    },
  };
}

function hashOf(text: string, start = FNV_START): number {
  let hash = start;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash >>> 0;
}
