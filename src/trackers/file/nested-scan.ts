import { type IssuePart, type KnownObjects, seemsStandIn } from './known-objects.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;

/** A bracket and the brace of the same direction differ in this bit alone. */
const BRACE_BIT = 0x20;

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

  /** Start, end and place of each known object within it; none where it has text that looks like stand-ins. */
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
            const { end, place } = known.find(chunk, i, depth - this.#partDepth + 1, this.#part);
            if (place >= 0) {
              this.#cuts.push(before + i, before + end, place);
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
