import type { FieldValue } from '../../model/issue.ts';

/** Longer texts are somebody's prose: hardly ever the same twice. */
const LONGEST_SHARED = 80;

/** A list of things that repeat, each of which has a number. */
interface Terms<Term> {
  /** The number of an equal thing; null the first time, when nobody knows yet whether it will come again. */
  numberOf(term: Term): number | null;
  /** The thing with a number that was given out. */
  at(number: number): Term;
}

/** The ids of a kind of issue's fields, in order, and a record of them that is still empty. */
interface FieldList {
  readonly ids: readonly string[];
  /** Where an id stands among them. */
  readonly places: ReadonlyMap<string, number>;
  readonly blank: Readonly<Record<string, null>>;
}

/** The lists of field ids that repeat. */
interface FieldTerms {
  numberOf(ids: readonly string[]): number | null;
  at(number: number): FieldList;
}

/** Statuses, people, field ids and the like repeat in every issue; each is kept once and called by its number. */
export interface IssueTerms {
  readonly texts: Terms<string>;
  /** Fields that changes name: there are few, so their numbers are small. */
  readonly changedFields: Terms<string>;
  readonly values: Terms<FieldValue>;
  readonly fields: FieldTerms;
}

export function createIssueTerms(): IssueTerms {
  const metBefore = createMetBefore();
  return {
    texts: textTerms(metBefore),
    changedFields: textTerms(metBefore),
    values: valueTerms(metBefore),
    fields: fieldTerms(metBefore),
  };
}

function textTerms(metBefore: MetBefore): Terms<string> {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  return {
    numberOf(text) {
      if (text.length > LONGEST_SHARED) return null;
      const known = numbers.get(text);
      if (known !== undefined) return known;
      if (!metBefore(text)) return null;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
    at: (number) => texts[number] ?? lost(),
  };
}

function valueTerms(metBefore: MetBefore): Terms<FieldValue> {
  const values: FieldValue[] = [];
  const numbers = new Map<string, Map<string, number>>();
  return {
    numberOf({ id, name }) {
      if (id.length + name.length > LONGEST_SHARED) return null;
      const ofName = numbers.get(name);
      const known = ofName?.get(id);
      if (known !== undefined) return known;
      if (!metBefore(`${id}\n${name}`)) return null;
      if (ofName === undefined) numbers.set(name, new Map([[id, values.length]]));
      else ofName.set(id, values.length);
      return values.push({ id, name }) - 1;
    },
    at: (number) => values[number] ?? lost(),
  };
}

function fieldTerms(metBefore: MetBefore): FieldTerms {
  const lists: FieldList[] = [];
  const numbers = new Map<string, number>();
  return {
    numberOf(ids) {
      const text = JSON.stringify(ids);
      const known = numbers.get(text);
      if (known !== undefined) return known;
      if (!metBefore(text)) return null;
      numbers.set(text, lists.length);
      const places = new Map(ids.map((id, place) => [id, place]));
      return lists.push({ ids, places, blank: Object.fromEntries(ids.map((id) => [id, null])) }) - 1;
    },
    at: (number) => lists[number] ?? lost(),
  };
}

function lost(): never {
  throw new Error('A packed issue names a term that is not known.');
}

const SLOTS = 2 ** 20;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Whether a text was asked about before. */
type MetBefore = (text: string) => boolean;

/**
 * Tells whether a text was asked about before, in bounded memory: now and then it forgets one, and once in some
 * thousand millions it takes one for another. What comes only once need not be remembered for its own sake.
 */
function createMetBefore(): MetBefore {
  const marks = new Uint32Array(SLOTS);
  return (text) => {
    let hash = FNV_START;
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
    const mark = hash >>> 0 || 1;
    const slot = (mark ^ (mark >>> 12)) & (SLOTS - 1);
    if (marks[slot] === mark) return true;
    marks[slot] = mark;
    return false;
  };
}
