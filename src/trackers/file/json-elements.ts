import { type KnownObjects, NestedScan } from './known-objects.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** Far beyond any issue, and below the longest string there can be. */
const MAX_ELEMENT_BYTES = 1 << 28;

/** An answer that is neither an issue nor a list is far smaller. */
const MAX_WHOLE_BYTES = 1 << 22;

/** Members of an answer that is an issue; what holds a list of issues has none of them. */
const issueMembers: readonly string[] = ['key', 'fields', 'changelog'];

/** No answer of Jira nests its lists of issues deeper; garbage does. */
const MAX_DEPTH = 64;

/** More than the longest key that is looked for. */
const KEY_BYTES = 16;

/** The text is no list in JSON beyond some byte; every element before it has been handed out. */
export class BrokenJson extends Error {
  override name = 'BrokenJson';
}

/** A part of a JSON text that is read by itself, and the byte at which it starts. */
export interface JsonElement {
  readonly offset: number;
  /** An element of a list; a whole answer that holds no list, such as one issue; or the member `names` of an answer. */
  readonly role: 'listed' | 'whole' | 'names';
  readonly bytes: Buffer;
  /**
   * The same with a stand-in for every known object, valid until the next call for another; null where there is none.
   */
  shortBytes(): Buffer | null;
}

/** The elements that a chunk ends, and the objects that are known from then on, as JSON. */
export interface FoundElements {
  readonly elements: readonly JsonElement[];
  readonly learnt: readonly string[];
}

/** The options by which elements are cut. */
interface ElementOptions {
  /** In bytes. */
  readonly longest?: number;
  /** The known objects, which are replaced where an issue repeats them. */
  readonly known?: KnownObjects | null;
}

/**
 * Hands out the elements of every list named "issues", of an answer's list named "values", and of a text that is
 * itself a list, and whole answers that hold no such list, while the bytes stream by: memory holds those that a chunk
 * ends, whatever the file's size. A text may be several answers one after another, as JSON lines are. The member "names"
 * of an answer is handed out as well. The elements are not parsed, so that one that is broken costs only itself.
 */
export async function* jsonElements(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ElementOptions = {},
): AsyncGenerator<FoundElements> {
  const scan = new Scan(options);
  for await (const chunk of chunks) {
    const problem = scan.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    yield { elements: scan.found, learnt: options.known?.takeNews() ?? [] };
    if (problem !== null) throw problem;
  }
  const problem = scan.problemAtEnd();
  if (problem !== null) throw problem;
}

interface Frame {
  readonly open: number;
  /** A list whose elements are handed out: the whole text, or the value of a member named as such lists are. */
  readonly elements: boolean;
  key: string | null;
  awaitsKey: boolean;
}

/** The state of a text after the chunks so far. */
class Scan {
  /** The elements that the last chunk has ended. */
  found: JsonElement[] = [];
  readonly #stack: Frame[] = [];
  readonly #longest: number;
  readonly #known: KnownObjects | null;
  readonly #nested: NestedScan;
  /** The kind of the element whose end has not come by yet: an object or list, a string, or a bare word. */
  #kind: 'none' | 'nested' | 'string' | 'word' = 'none';
  #role: JsonElement['role'] = 'listed';
  /** The start of the element, counted from the start of the file, and within this chunk. */
  #offset = 0;
  #from = 0;
  /** The part of it in earlier chunks. */
  #pieces: Buffer[] = [];
  #carried = 0;
  #inString = false;
  #escaped = false;
  #keyBytes: number[] | null = null;
  #base = 0;
  #sawAnything = false;
  /** True once issues were found, an empty list of them included. */
  #sawIssues = false;
  /** The answer that has begun and may be an element as a whole: its part in earlier chunks; null where it is none. */
  #whole: { readonly offset: number; from: number; readonly pieces: Buffer[]; length: number } | null = null;

  constructor({ longest = MAX_ELEMENT_BYTES, known = null }: ElementOptions) {
    this.#longest = longest;
    this.#known = known;
    this.#nested = new NestedScan(known);
  }

  /** Looks through a chunk; what is wrong with the text, if anything. */
  take(chunk: Buffer): BrokenJson | null {
    this.found = [];
    try {
      this.#look(chunk);
      // The chunk itself may be gone by then.
      if (this.#kind !== 'none') this.#keep(Buffer.from(chunk.subarray(this.#from)));
      this.#keepWhole(chunk);
    } catch (error) {
      if (error instanceof BrokenJson) return error;
      throw error;
    }
    this.#from = 0;
    this.#base += chunk.length;
    return null;
  }

  problemAtEnd(): BrokenJson | null {
    if (!this.#sawAnything) return new BrokenJson('the file is empty');
    if (this.#kind !== 'none') {
      return new BrokenJson(`the file ends inside the entry that starts at byte ${this.#offset}`);
    }
    if (this.#stack.length > 0) return new BrokenJson('the file ends before its JSON does');
    return this.#sawIssues ? null : new BrokenJson('the file holds no list of issues');
  }

  #look(chunk: Buffer): void {
    for (let i = 0; i < chunk.length; i += 1) {
      if (this.#kind === 'nested') {
        i = this.#nested.pass(chunk, i, this.#carried - this.#from);
        if (!this.#nested.hasEnded()) return;
        this.#finish(chunk, i);
        if (i === chunk.length) return;
      }
      const byte = chunk[i] ?? 0;
      if (this.#inString) this.#inText(chunk, i, byte);
      else {
        if (this.#kind === 'word') {
          if (isWord(byte)) continue;
          this.#finish(chunk, i);
        }
        const at = this.#base + i;
        if (isSpace(byte) || isByteOrderMark(byte, at)) continue;
        this.#sawAnything = true;
        this.#outside(chunk, byte, i, at);
      }
    }
  }

  #inText(chunk: Buffer, i: number, byte: number): void {
    if (byte === QUOTE && !this.#escaped) {
      this.#inString = false;
      const frame = this.#stack.at(-1);
      if (this.#keyBytes !== null && frame !== undefined) {
        frame.key = String.fromCharCode(...this.#keyBytes);
        if (this.#stack.length === 1 && issueMembers.includes(frame.key)) this.#takeWhole();
      }
      this.#keyBytes = null;
      if (this.#kind === 'string') this.#finish(chunk, i + 1);
      return;
    }
    this.#escaped = byte === BACKSLASH && !this.#escaped;
    if (this.#keyBytes !== null && this.#keyBytes.length < KEY_BYTES) this.#keyBytes.push(byte);
  }

  /** A byte of what stands around the elements. */
  #outside(chunk: Buffer, byte: number, i: number, at: number): void {
    const stack = this.#stack;
    const frame = stack.at(-1);
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      const ofAnswer = stack.length === 1 ? (frame?.key ?? null) : null;
      const isNames = byte === OPEN_OBJECT && ofAnswer === 'names';
      if (frame?.elements || isNames) {
        this.#start('nested', at, i, isNames ? 'names' : 'listed');
      } else {
        if (stack.length === MAX_DEPTH) throw unexpected(byte, at);
        const named = frame === undefined || frame.key === 'issues' || ofAnswer === 'values';
        const elements = byte === OPEN_LIST && named;
        if (frame === undefined && byte === OPEN_OBJECT) {
          this.#whole = { offset: at, from: i, pieces: [], length: 0 };
        }
        stack.push({ open: byte, elements, key: null, awaitsKey: byte === OPEN_OBJECT });
        if (elements) this.#whole = null;
        this.#sawIssues ||= elements;
      }
    } else if (frame === undefined) {
      throw unexpected(byte, at);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (frame.open !== (byte === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_LIST)) throw unexpected(byte, at);
      stack.pop();
      if (stack.length > 0 || this.#whole === null) return;
      stack.push(frame);
      this.#takeWhole();
      this.#finish(chunk, i + 1);
    } else if (byte === COMMA) {
      frame.awaitsKey = frame.open === OPEN_OBJECT;
      frame.key = null;
    } else if (byte === COLON && frame.open === OPEN_OBJECT) {
      frame.awaitsKey = false;
    } else if (byte === QUOTE) {
      this.#inString = true;
      if (frame.elements) this.#start('string', at, i, 'listed');
      else if (frame.awaitsKey) this.#keyBytes = [];
    } else if (!isWord(byte)) {
      throw unexpected(byte, at);
    } else if (frame.elements) {
      this.#start('word', at, i, 'listed');
    }
  }

  #start(kind: 'nested' | 'string' | 'word', at: number, from: number, role: JsonElement['role']): void {
    this.#kind = kind;
    this.#role = role;
    this.#offset = at;
    this.#from = from;
    this.#pieces = [];
    this.#carried = 0;
    this.#nested.begin();
  }

  /** The answer that has begun is an element: it goes on as one in which one bracket is open. */
  #takeWhole(): void {
    const whole = this.#whole;
    if (whole === null) return;
    this.#whole = null;
    this.#stack.pop();
    this.#start('nested', whole.offset, whole.from, 'whole');
    this.#pieces = whole.pieces;
    this.#carried = whole.length;
    this.#sawIssues = true;
  }

  /** Keeps what a chunk holds of the answer that has begun, as long as it may still be an element. */
  #keepWhole(chunk: Buffer): void {
    const whole = this.#whole;
    if (whole === null) return;
    const piece = Buffer.from(chunk.subarray(whole.from));
    whole.pieces.push(piece);
    whole.length += piece.length;
    whole.from = 0;
    if (whole.length > MAX_WHOLE_BYTES) this.#whole = null;
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#carried += piece.length;
    if (this.#carried > this.#longest) {
      throw new BrokenJson(
        `the entry that starts at byte ${this.#offset} is longer than ${this.#longest} bytes`,
      );
    }
  }

  #finish(chunk: Buffer, to: number): void {
    this.#keep(chunk.subarray(this.#from, to));
    const [first, ...others] = this.#pieces;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#pieces);
    const cuts = this.#nested.cuts();
    const known = cuts.length === 0 ? null : this.#known;
    const shortBytes = () => known?.shorten(bytes, cuts) ?? null;
    this.found.push({ offset: this.#offset, role: this.#role, bytes, shortBytes });
    this.#kind = 'none';
    this.#from = 0;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** A byte of `null`, `true`, `false` or a number. */
function isWord(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}

/** The three bytes of UTF-8's mark may stand in front. */
function isByteOrderMark(byte: number, at: number): boolean {
  return (at === 0 && byte === 0xef) || (at === 1 && byte === 0xbb) || (at === 2 && byte === 0xbf);
}

function unexpected(byte: number, at: number): BrokenJson {
  const character = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `byte value ${byte}`;
  return new BrokenJson(`it is no list of issues in JSON: unexpected ${character} at byte ${at}`);
}
