import { isRecord } from '../jira-json/json-members.ts';
import { jiraPerson, readPerson } from '../jira-json/read-person.ts';
import type { JiraAuthor } from '../jira-json/well-formed-issue.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN_LIST = 0x5b;

const fieldsName = Buffer.from('"fields"');
const changelogName = Buffer.from('"changelog"');
const authorName = Buffer.from('"author"');

/** How deep within an issue the value of a field lies, an element of a list in one, and the author of a changelog entry. */
const VALUE_DEPTH = 2;
const ELEMENT_DEPTH = 3;
const AUTHOR_DEPTH = 4;

/** What stands for a known object: its place as the only member, whose name is empty as no other name is. */
const STAND_IN = '';

/** Longer than any stand-in; and so long that nobody is told by more. */
const SHORTEST = 24;
const LONGEST = 1 << 13;

/** Beyond, nothing more is learnt: far more than a site has people, projects, sprints and the like. */
const MOST_BYTES = 1 << 24;

/** What was met once and not yet twice; beyond, all of it is forgotten. */
const MOST_MET = 1 << 16;

const FIRST_SIZE = 1 << 16;

/** The part of an issue that an object or list is, as far as known objects may be in it. */
export type IssuePart = 'fields' | 'changelog' | 'none';

/** Objects that were told before in the very same bytes. */
export interface KnownValues {
  /** Which part of an issue begins at this byte, which opens an object or list. */
  partAt(chunk: Buffer, at: number): IssuePart;
  /** Whether one may begin at this byte, which opens an object at this depth. */
  areExpected(chunk: Buffer, at: number, depth: number, part: IssuePart): boolean;
  /** The place of the one whose bytes these are; -1 when none of them is told there, or not to the end. */
  find(chunk: Buffer, at: number): number;
  sizeOf(place: number): number;
  /** Remembers a whole object once it is met for the second time. */
  learn(chunk: Buffer, start: number, end: number): void;
  /** A text with a stand-in for every known object. `cuts`: start, end and place of each. */
  shorten(bytes: Buffer, cuts: readonly number[]): string;
  /** Puts the objects back into the fields of a parsed issue; authors stay, for they are looked up. */
  restore(issue: unknown): void;
  /** The author that a stand-in stands for; null for anything else. */
  authorOf(raw: unknown): JiraAuthor | null;
}

/** Whether an object begins as stand-ins do, or may do so: the chunk ends before it is clear. */
export function seemsStandIn(chunk: Buffer, at: number): boolean {
  let i = at + 1;
  while (isBlank(chunk[i])) i += 1;
  return i + 1 >= chunk.length || (chunk[i] === QUOTE && chunk[i + 1] === QUOTE);
}

/**
 * Most bytes of an export were told before: authors alone are three quarters of what Jira Cloud answers, and people,
 * projects, statuses and sprints stand in every issue. Equal bytes say the same, so they are parsed once.
 */
export function createKnownValues(): KnownValues {
  const raws: unknown[] = [];
  const told: Buffer[] = [];
  const authors: (JiraAuthor | undefined)[] = [];
  const places = new Map<number, number>();
  const met = new Set<number>();
  let kept = 0;
  let scratch = Buffer.allocUnsafe(FIRST_SIZE);

  const isStandIn = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
    isRecord(raw) && raw[STAND_IN] !== undefined;
  const restored = (raw: unknown): unknown => (isStandIn(raw) ? raws[Number(raw[STAND_IN])] : raw);

  return {
    partAt(chunk, at) {
      if (isNamed(fieldsName, chunk, at)) return 'fields';
      return isNamed(changelogName, chunk, at) ? 'changelog' : 'none';
    },
    areExpected(chunk, at, depth, part) {
      if (part === 'changelog') return depth === AUTHOR_DEPTH && isNamed(authorName, chunk, at);
      if (part !== 'fields' || depth < VALUE_DEPTH || depth > ELEMENT_DEPTH) return false;
      const before = chunk[beforeBlanks(chunk, at)];
      return depth === VALUE_DEPTH ? before === COLON : before === OPEN_LIST || before === COMMA;
    },
    find(chunk, at) {
      const place = places.get(hashOf(chunk, at));
      const bytes = place === undefined ? undefined : told[place];
      if (place === undefined || bytes === undefined || at + bytes.length > chunk.length) return -1;
      return bytes.compare(chunk, at, at + bytes.length) === 0 ? place : -1;
    },
    sizeOf: (place) => told[place]?.length ?? 0,
    learn(chunk, start, end) {
      const size = end - start;
      const hash = hashOf(chunk, start);
      if (places.has(hash) || size < SHORTEST || size > LONGEST || kept + size > MOST_BYTES) return;
      if (met.size >= MOST_MET) met.clear();
      if (met.size < met.add(hash).size) return;
      const bytes = Buffer.from(chunk.subarray(start, end));
      const raw = parsed(bytes);
      if (raw === undefined) return;
      places.set(hash, raws.length);
      raws.push(raw);
      told.push(bytes);
      kept += size;
    },
    shorten(bytes, cuts) {
      if (scratch.length < bytes.length) scratch = Buffer.allocUnsafe(bytes.length * 2);
      let from = 0;
      let length = 0;
      for (let i = 0; i < cuts.length; i += 3) {
        const start = cuts[i] ?? 0;
        length += bytes.copy(scratch, length, from, start);
        length += scratch.write(`{"${STAND_IN}":${cuts[i + 2] ?? 0}}`, length, 'latin1');
        from = cuts[i + 1] ?? 0;
      }
      length += bytes.copy(scratch, length, from);
      return scratch.toString('utf8', 0, length);
    },
    restore(issue) {
      const fields = isRecord(issue) ? issue.fields : null;
      if (typeof fields !== 'object' || fields === null) return;
      for (const [id, raw] of Object.entries(fields)) {
        if (Array.isArray(raw))
          raw.forEach((one, i) => {
            raw[i] = restored(one);
          });
        else if (isStandIn(raw)) Reflect.set(fields, id, restored(raw));
      }
    },
    authorOf(raw) {
      if (!isStandIn(raw)) return null;
      const place = Number(raw[STAND_IN]);
      const known = authors[place];
      if (known !== undefined) return known;
      const author = jiraPerson.catch(null).parse(raws[place]);
      authors[place] = { author, by: readPerson(author) };
      return authors[place];
    },
  };
}

/** Undefined for bytes that are no JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Of the first member, which tells most objects apart: their address in Jira, or an id. */
function hashOf(bytes: Buffer, at: number): number {
  const most = Math.min(bytes.length, at + LONGEST);
  let hash = 0;
  for (let i = at; i < most; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === COMMA) break;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return hash;
}

/** Whether the value that begins there is that of the member of this name. */
function isNamed(name: Buffer, chunk: Buffer, at: number): boolean {
  const colon = beforeBlanks(chunk, at);
  const start = colon - name.length;
  if (chunk[colon] !== COLON || chunk[colon - 1] !== QUOTE || start < 0) return false;
  for (let i = 0; i < name.length; i += 1) if (chunk[start + i] !== name[i]) return false;
  return true;
}

function beforeBlanks(chunk: Buffer, at: number): number {
  let i = at - 1;
  while (isBlank(chunk[i])) i -= 1;
  return i;
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE;
}
