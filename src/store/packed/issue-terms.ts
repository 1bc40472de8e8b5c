import type { FieldValue } from '../../model/issue.ts';

/** Longer texts are somebody's prose: hardly ever the same twice. */
const LONGEST_SHARED = 80;

/** Texts, fields that changes are of (few, so their numbers are small), values, lists of field ids. */
type TermKind = 'text' | 'changed' | 'value' | 'fields';

/** A term as it is stored: a JSON text by its number. */
interface StoredTerm {
  readonly number: number;
  readonly json: string;
}

/** Where the terms of some issues are stored. A number never gets another term. */
export interface TermStorage {
  /** Those with numbers from `first` to below `end`. */
  read(kind: TermKind, first: number, end: number): readonly StoredTerm[];
  put(kind: TermKind, term: StoredTerm): void;
}

/** A list of things that repeat, each of which has a number. */
interface Terms<Term, Found = Term> {
  /** The number of an equal thing; null as long as it was seen in one issue only, as most things ever are. */
  numberOf(term: Term): number | null;
  /** The thing with a number that was assigned. */
  at(number: number): Found;
}

/** The ids of a kind of issue's fields, in order, and a record of them that is still empty. */
export interface FieldList {
  readonly ids: readonly string[];
  /** Where an id stands among them. */
  readonly places: ReadonlyMap<string, number>;
  readonly blank: Readonly<Record<string, null>>;
}

/** Statuses, people, field ids and the like repeat in every issue; each is stored once and called by its number. */
export interface IssueTerms {
  /** What is asked from now on is of the issue with this key. */
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
  /** Runs a transaction that assigns numbers; where it fails they are forgotten, for others may assign them again. */
  assigning<Result>(transaction: () => Result): Result;
  /** Reads what others have added. To be called in the transaction, before the first number is asked for. */
  catchUp(): void;
}

/** Stored terms; those of a number are read when it is met, and all of them before the first is assigned. */
export function createIssueTerms(storage: TermStorage): WritableTerms {
  const seen = createSeenTexts();
  const on = (kind: TermKind): KindStorage => ({
    read: (first, end) => storage.read(kind, first, end),
    put: (term) => storage.put(kind, term),
    isElsewhere: seen.isElsewhere,
  });
  const texts = createTermList(on('text'), textNumbers(), parseText);
  const changedFields = createTermList(on('changed'), textNumbers(), parseText);
  const values = createTermList(on('value'), valueNumbers(), parseValue);
  const fields = createTermList(on('fields'), listNumbers(), parseFieldList);
  const all = [texts, changedFields, values, fields];
  return {
    about: seen.about,
    texts: texts.terms,
    changedFields: changedFields.terms,
    values: values.terms,
    fields: fields.terms,
    known: {
      about() {},
      texts: texts.known,
      changedFields: changedFields.known,
      values: values.known,
      fields: fields.known,
    },
    catchUp() {
      for (const one of all) one.catchUp();
    },
    assigning(transaction) {
      for (const one of all) one.begin();
      try {
        return transaction();
      } catch (error) {
        for (const one of all) one.unassign();
        throw error;
      }
    },
  };
}

interface KindStorage {
  read(first: number, end: number): readonly StoredTerm[];
  put(term: StoredTerm): void;
  readonly isElsewhere: SeenTexts['isElsewhere'];
}

/** Numbers by term. */
interface TermNumbers<Term> {
  get(term: Term): number | undefined;
  set(term: Term, number: number): void;
  delete(term: Term): void;
  /** By which it is seen again; null where nobody shares it. */
  hashOf(term: Term): number | null;
  /** As which it is stored. */
  jsonOf(term: Term): string;
}

interface WritableKind<Term, Found> {
  readonly terms: Terms<Term, Found>;
  readonly known: Terms<Term, Found>;
  begin(): void;
  catchUp(): void;
  /** Forgets what was assigned since `begin`. */
  unassign(): void;
}

/** As many are read at once as often stand together. */
const BLOCK = 64;

function createTermList<Term, Found>(
  storage: KindStorage,
  numbers: TermNumbers<Term>,
  parse: (json: string) => { readonly term: Term; readonly found: Found },
): WritableKind<Term, Found> {
  const blocks: (Found | undefined)[][] = [];
  /** So many have their number in `numbers`. */
  let counted = 0;
  let given: Term[] = [];

  function place(number: number, found: Found | undefined): void {
    const index = Math.floor(number / BLOCK);
    while (blocks.length <= index) blocks.push([]);
    const block = blocks[index] ?? [];
    while (block.length <= number % BLOCK) block.push(undefined);
    block[number % BLOCK] = found;
  }

  function read(number: number): Found {
    const first = number - (number % BLOCK);
    for (const { number: at, json } of storage.read(first, first + BLOCK)) place(at, parse(json).found);
    const found = blocks[Math.floor(number / BLOCK)]?.[number % BLOCK];
    if (found === undefined) throw new Error('A packed issue names a term that is not known.');
    return found;
  }

  const at = (number: number) => blocks[Math.floor(number / BLOCK)]?.[number % BLOCK] ?? read(number);

  return {
    terms: {
      numberOf(term) {
        const known = numbers.get(term);
        if (known !== undefined) return known;
        const hash = numbers.hashOf(term);
        if (hash === null || !storage.isElsewhere(hash)) return null;
        const json = numbers.jsonOf(term);
        const number = counted;
        storage.put({ number, json });
        counted += 1;
        given.push(term);
        numbers.set(term, number);
        place(number, parse(json).found);
        return number;
      },
      at,
    },
    known: { numberOf: (term) => numbers.get(term) ?? null, at },
    begin() {
      given = [];
    },
    catchUp() {
      for (const { number, json } of storage.read(counted, Number.MAX_SAFE_INTEGER)) {
        const { term, found } = parse(json);
        numbers.set(term, number);
        place(number, found);
        counted = number + 1;
      }
    },
    unassign() {
      for (const term of given) {
        counted -= 1;
        numbers.delete(term);
      }
      for (const i of given.keys()) place(counted + i, undefined);
      given = [];
    },
  };
}

function textNumbers(): TermNumbers<string> {
  const numbers = new Map<string, number>();
  return {
    get: (text) => (text.length > LONGEST_SHARED ? undefined : numbers.get(text)),
    set: (text, number) => numbers.set(text, number),
    delete: (text) => numbers.delete(text),
    hashOf: (text) => (text.length > LONGEST_SHARED ? null : hashOf(text)),
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
      id.length + name.length > LONGEST_SHARED ? null : hashOf(name, hashOf(id, FNV_PRIME)),
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
  const places = new Map(ids.map((id, place) => [id, place]));
  return { ids, places, blank: Object.fromEntries(ids.map((id) => [id, null])) };
}

const SLOTS = 2 ** 18;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** In which issue a text was seen, in bounded memory: now and then it forgets, and hardly ever it takes one for another. */
interface SeenTexts {
  about(key: string): void;
  /** Whether a text of this hash was seen in another issue before. */
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
