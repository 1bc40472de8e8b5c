const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A bracket and the brace of the same direction differ in this bit alone. */
const BRACE_BIT = 0x20;

const fieldsName = Buffer.from('"fields"');
const changelogName = Buffer.from('"changelog"');
const authorName = Buffer.from('"author"');

/**
 * The depth within an issue at which the value of a field lies, of an element of a list in one, and in its changelog of
 * the author of an entry and of its items.
 */
const VALUE_DEPTH = 2;
const ELEMENT_DEPTH = 3;
const AUTHOR_DEPTH = 4;
const ITEM_DEPTH = 5;

/** The stand-in of a known object: its place as the only member, whose name is empty as no other name is. */
const STAND_IN_START = '{"":';

/** Longer than any stand-in; shorter objects gain nothing. */
const SHORTEST = 24;
const LONGEST = 1 << 13;

/** Beyond, nothing more is learnt: far more than a site has people, projects, sprints and the like. */
const MAX_BYTES = 1 << 23;

/** The most objects that occurred once and not yet twice; beyond, all of them are forgotten. */
const MAX_MET = 1 << 16;

const FIRST_SIZE = 1 << 16;
const HASH_FACTOR = 31;

/** The part of an issue that an object or list is, as far as known objects may be in it. */
type IssuePart = 'fields' | 'changelog' | 'none';

/** The result at a byte where a known object may begin: its end, and its index; -1 where it is not known. */
interface FoundObject {
  end: number;
  index: number;
}

/** Objects that occurred before in the very same bytes. */
export interface KnownObjects {
  /** Those that were learnt since this was asked before, as JSON, by their indexes. */
  takeNews(): string[];
  /**
   * The part of an issue that begins at this byte, which opens an object or list; 'none' also where its name is not all
   * here.
   */
  partAt(chunk: Buffer, at: number): IssuePart;
  /**
   * Looks for one at this byte, which opens an object at this depth; the same object with every call. Where nothing is
   * known of it, `end` is where it ends if that was looked for, which makes it known the next time but one; else -1.
   */
  find(chunk: Buffer, at: number, depth: number, part: IssuePart): FoundObject;
  /** True where the last call of `find` found a start, and not its end. */
  awaitsEnd(): boolean;
  /** Remembers a whole object once it is met for the second time. */
  learn(chunk: Buffer, start: number, end: number): void;
  /** A text with a stand-in for every known object, as bytes that are good until the next call. */
  shorten(bytes: Buffer, cuts: readonly number[]): Buffer;
}

/** Returns true where an object begins as stand-ins do, or may: the chunk ends before it is clear. */
function seemsStandIn(chunk: Buffer, at: number): boolean {
  let i = at + 1;
  while (isBlank(chunk[i])) i += 1;
  return i + 1 >= chunk.length || (chunk[i] === QUOTE && chunk[i + 1] === QUOTE);
}

/**
 * Most bytes of an export occurred before: authors alone are three quarters of Jira Cloud's answers, and people,
 * projects, statuses, sprints and the same few changes are in every issue. Equal bytes are parsed once.
 */
export function createKnownObjects(): KnownObjects {
  const texts: Buffer[] = [];
  const indexes = new Map<number, number>();
  const met = new Set<number>();
  const found: FoundObject = { end: -1, index: -1 };
  let news: string[] = [];
  let knownBytes = 0;
  let awaits = false;
  let scratch = Buffer.allocUnsafe(FIRST_SIZE);

  function indexOf(hash: number, chunk: Buffer, at: number): number {
    const index = indexes.get(hash);
    const bytes = index === undefined ? undefined : texts[index];
    if (index === undefined || bytes === undefined || at + bytes.length > chunk.length) return -1;
    return bytes.compare(chunk, at, at + bytes.length) === 0 ? index : -1;
  }

  function learnAs(hash: number, chunk: Buffer, start: number, end: number): void {
    const size = end - start;
    if (indexes.has(hash) || size < SHORTEST || size > LONGEST || knownBytes + size > MAX_BYTES) return;
    if (met.size >= MAX_MET) met.clear();
    if (met.size < met.add(hash).size) return;
    const bytes = Buffer.from(chunk.subarray(start, end));
    const text = bytes.toString('utf8');
    if (!isJson(text)) return;
    indexes.set(hash, texts.length);
    texts.push(bytes);
    news.push(text);
    knownBytes += size;
  }

  /** These are small and all begin alike, so their whole text distinguishes them. */
  function findItem(chunk: Buffer, at: number): void {
    const limit = Math.min(chunk.length, at + LONGEST);
    let hash = 0;
    let inString = false;
    for (let i = at + 1; i < limit; i += 1) {
      const byte = chunk[i] ?? 0;
      hash = (Math.imul(hash, HASH_FACTOR) + byte) | 0;
      if (byte === QUOTE) inString = !inString;
      else if (inString) {
        if (byte === BACKSLASH) i += 1;
      } else if (byte === CLOSE_OBJECT) {
        found.end = i + 1;
        found.index = indexOf(hash, chunk, at);
        if (found.index < 0) learnAs(hash, chunk, at, i + 1);
        return;
      } else if ((byte | BRACE_BIT) === OPEN_OBJECT) return;
    }
  }

  return {
    takeNews() {
      const taken = news;
      news = [];
      return taken;
    },
    partAt(chunk, at) {
      if (isNamed(fieldsName, chunk, at)) return 'fields';
      return isNamed(changelogName, chunk, at) ? 'changelog' : 'none';
    },
    find(chunk, at, depth, part) {
      found.end = -1;
      found.index = -1;
      awaits = false;
      if (part === 'none') return found;
      if (part === 'changelog' && depth === ITEM_DEPTH) {
        if (isElement(chunk, at)) findItem(chunk, at);
        return found;
      }
      awaits =
        part === 'changelog'
          ? depth === AUTHOR_DEPTH && isNamed(authorName, chunk, at)
          : (depth === VALUE_DEPTH && chunk[beforeBlanks(chunk, at)] === COLON) ||
            (depth === ELEMENT_DEPTH && isElement(chunk, at));
      if (!awaits) return found;
      found.index = indexOf(hashOf(chunk, at), chunk, at);
      if (found.index < 0) return found;
      found.end = at + (texts[found.index]?.length ?? 0);
      awaits = false;
      return found;
    },
    awaitsEnd: () => awaits,
    learn: (chunk, start, end) => learnAs(hashOf(chunk, start), chunk, start, end),
    shorten(bytes, cuts) {
      // A stand-in is shorter than what it stands for.
      if (scratch.length < bytes.length) scratch = Buffer.allocUnsafe(bytes.length * 2);
      let from = 0;
      let length = 0;
      for (let i = 0; i < cuts.length; i += 3) {
        const start = cuts[i] ?? 0;
        length += bytes.copy(scratch, length, from, start);
        length += scratch.write(`${STAND_IN_START}${cuts[i + 2] ?? 0}}`, length, 'latin1');
        from = cuts[i + 1] ?? 0;
      }
      length += bytes.copy(scratch, length, from);
      return scratch.subarray(0, length);
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The hash of the first member, which distinguishes most objects: their address in Jira, or an id. */
function hashOf(bytes: Buffer, at: number): number {
  const limit = Math.min(bytes.length, at + LONGEST);
  let hash = 0;
  for (let i = at; i < limit; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === COMMA) break;
    hash = (Math.imul(hash, HASH_FACTOR) + byte) | 0;
  }
  return hash;
}

/** Returns true where the value that begins there is that of the member of this name. */
function isNamed(name: Buffer, chunk: Buffer, at: number): boolean {
  const colon = beforeBlanks(chunk, at);
  const start = colon - name.length;
  if (chunk[colon] !== COLON || chunk[colon - 1] !== QUOTE || start < 0) return false;
  for (let i = 0; i < name.length; i += 1) if (chunk[start + i] !== name[i]) return false;
  return true;
}

/** Returns true where the value that begins there is an element of a list, as far as the bytes before it show. */
function isElement(chunk: Buffer, at: number): boolean {
  const before = chunk[beforeBlanks(chunk, at)];
  return before === OPEN_LIST || before === COMMA;
}

function beforeBlanks(chunk: Buffer, at: number): number {
  let i = at - 1;
  while (isBlank(chunk[i])) i -= 1;
  return i;
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE;
}

/** The depth of the members of an issue in an element that is one, and in one that is a page of them. */
const ISSUE_DEPTH = 1;
const PAGED_DEPTH = 3;

/** Finds where an object or list ends, and the known objects within it, while chunks of its bytes stream by. */
export class NestedScan {
  readonly #known: KnownObjects | null;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #cuts: number[] = [];
  /** It has objects of its own that look like stand-ins. */
  #isUnclear = false;
  #part: IssuePart = 'none';
  #partDepth = 0;
  /** True while the present member is a list: in an issue no part is one, in a page the issues are. */
  #inList = false;

  constructor(known: KnownObjects | null) {
    this.#known = known;
  }

  /** Another object or list begins: its bracket has come by. */
  begin(): void {
    this.#depth = 1;
    this.#inString = false;
    this.#isEscaped = false;
    this.#cuts = [];
    this.#isUnclear = false;
    this.#part = 'none';
    this.#partDepth = 0;
  }

  hasEnded(): boolean {
    return this.#depth === 0;
  }

  /** Start, end and index of each known object within it; none where it has text that looks like stand-ins. */
  cuts(): readonly number[] {
    return this.#isUnclear ? [] : this.#cuts;
  }

  /**
   * Passes over the bytes of a chunk until the object or list ends, or the chunk does; where to go on. `before`: where in
   * the object or list the chunk begins. Nearly all bytes of an export come by here.
   */
  pass(chunk: Buffer, from: number, before: number): number {
    const known = this.#known;
    const { length } = chunk;
    let depth = this.#depth;
    let inString = this.#inString;
    let i = from;
    let begun = -1;
    let begunAt = -1;
    if (this.#isEscaped && i < length) {
      this.#isEscaped = false;
      i += 1;
    }
    while (i < length) {
      let byte = chunk[i] ?? 0;
      if (inString) {
        while (byte !== QUOTE && byte !== BACKSLASH) {
          i += 1;
          if (i >= length) break;
          byte = chunk[i] ?? 0;
        }
        if (i >= length) break;
        if (byte === QUOTE) inString = false;
        else {
          i += 1;
          // The escaped byte is the first of the next chunk.
          if (i === length) this.#isEscaped = true;
        }
        i += 1;
        continue;
      }
      if (byte === QUOTE) inString = true;
      else if ((byte | BRACE_BIT) === OPEN_OBJECT) {
        if (known !== null) {
          if (depth === ISSUE_DEPTH) this.#inList = byte === OPEN_LIST;
          if (depth === ISSUE_DEPTH || (depth === PAGED_DEPTH && this.#inList)) {
            this.#part = known.partAt(chunk, i);
            this.#partDepth = this.#part === 'none' ? 0 : depth;
          }
          if (byte === OPEN_OBJECT) {
            const { end, index } = known.find(chunk, i, depth - this.#partDepth + 1, this.#part);
            if (index >= 0) {
              this.#cuts.push(before + i, before + end, index);
            } else if (seemsStandIn(chunk, i)) {
              // Outside the parts too: one is not seen where a chunk ends in its name, or the name is escaped.
              this.#isUnclear = true;
            }
            if (end >= 0) {
              i = end;
              continue;
            }
            if (known.awaitsEnd()) {
              begun = i;
              begunAt = depth;
            }
          }
        }
        depth += 1;
      } else if ((byte | BRACE_BIT) === CLOSE_OBJECT) {
        depth -= 1;
        if (depth === begunAt) {
          known?.learn(chunk, begun, i + 1);
          begunAt = -1;
        }
        if (depth === 0) {
          this.#depth = 0;
          return i + 1;
        }
      }
      i += 1;
    }
    this.#depth = depth;
    this.#inString = inString;
    return length;
  }
}
