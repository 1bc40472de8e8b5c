import { jiraPerson, readPerson } from '../jira-json/read-person.ts';
import type { JiraAuthor } from '../jira-json/well-formed-issue.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;

const nameBytes = Buffer.from('"author"');

/** How deep within an issue the author of a changelog entry lies: issue, changelog, histories, entry. */
const AUTHOR_DEPTH = 4;

/** Far more people than a site has; what is beyond is read anew each time. */
const MOST_BYTES = 1 << 24;

/** Longer than any place. */
const SHORTEST = 24;

const FIRST_SIZE = 1 << 16;

/** Authors of changelog entries, in the very bytes in which they were told before. */
export interface KnownPeople {
  /** Whether an author of a changelog entry begins at this byte, which opens an object or list at this depth. */
  areExpected(chunk: Buffer, at: number, depth: number): boolean;
  areAt(depth: number): boolean;
  /** The place of the one whose bytes these are; -1 when nobody known is told there, or not to the end. */
  find(chunk: Buffer, at: number): number;
  sizeOf(place: number): number;
  /** Remembers somebody, told by a whole object. */
  learn(bytes: Buffer): void;
  /** A text with a list of nothing but the place in the stead of every author. `cuts`: start, end and place of each. */
  shorten(bytes: Buffer, cuts: readonly number[]): string;
  /** By place. */
  readonly authors: readonly JiraAuthor[];
}

/**
 * Most bytes of an export are authors that were told before: three quarters of what Jira Cloud answers. Equal bytes say
 * the same, so they are parsed and read once.
 */
export function createKnownPeople(): KnownPeople {
  const authors: JiraAuthor[] = [];
  const told: Buffer[] = [];
  const places = new Map<number, number>();
  let kept = 0;
  let scratch = Buffer.allocUnsafe(FIRST_SIZE);

  return {
    authors,
    areAt: (depth) => depth === AUTHOR_DEPTH,
    areExpected(chunk, at, depth) {
      if (depth !== AUTHOR_DEPTH) return false;
      let i = at - 1;
      while (chunk[i] === SPACE) i -= 1;
      if (chunk[i] !== COLON || chunk[i - 1] !== QUOTE) return false;
      const start = i - nameBytes.length;
      return start >= 0 && nameBytes.compare(chunk, start, i) === 0;
    },
    find(chunk, at) {
      const place = places.get(hashOf(chunk, at));
      const bytes = place === undefined ? undefined : told[place];
      if (place === undefined || bytes === undefined || at + bytes.length > chunk.length) return -1;
      return bytes.compare(chunk, at, at + bytes.length) === 0 ? place : -1;
    },
    sizeOf: (place) => told[place]?.length ?? 0,
    learn(bytes) {
      const hash = hashOf(bytes, 0);
      if (places.has(hash) || kept + bytes.length > MOST_BYTES) return;
      const author = readAuthor(bytes);
      if (author === null) return;
      places.set(hash, authors.length);
      authors.push(author);
      told.push(Buffer.from(bytes));
      kept += bytes.length;
    },
    shorten(bytes, cuts) {
      // A place takes fewer bytes than any object that was learnt.
      if (scratch.length < bytes.length) scratch = Buffer.allocUnsafe(bytes.length * 2);
      let from = 0;
      let length = 0;
      for (let i = 0; i < cuts.length; i += 3) {
        const start = cuts[i] ?? 0;
        length += bytes.copy(scratch, length, from, start);
        length += scratch.write(`[${cuts[i + 2] ?? 0}]`, length, 'latin1');
        from = cuts[i + 1] ?? 0;
      }
      length += bytes.copy(scratch, length, from);
      return scratch.toString('utf8', 0, length);
    },
  };
}

/** Null for bytes that are no JSON, and for no more of them than what would stand for them. */
function readAuthor(bytes: Buffer): JiraAuthor | null {
  if (bytes.length < SHORTEST) return null;
  try {
    const author = jiraPerson.catch(null).parse(JSON.parse(bytes.toString('utf8')));
    return { author, by: readPerson(author) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Of the first member, which tells people apart: their address in Jira, or an id. */
function hashOf(bytes: Buffer, at: number): number {
  let hash = 0;
  for (let i = at; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === COMMA) break;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return hash;
}
