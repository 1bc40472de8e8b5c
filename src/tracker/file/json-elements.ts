/** One element of a JSON list, as text, and the byte at which it starts. */
export interface JsonElement {
  readonly text: string;
  readonly offset: number;
}

/** The text is no JSON beyond this byte; what came before it has been handed out. */
export class BrokenJson extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenJson';
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

interface Frame {
  readonly open: number;
  /** A list whose elements are handed out: the whole text, or the value of a member named "issues". */
  readonly elements: boolean;
  key: string | null;
  awaitsKey: boolean;
}

/**
 * Hands out the elements of every list named "issues", and of a text that is itself a list or several values one
 * after another, while the bytes stream by: memory holds one element, whatever the file's size. The elements are
 * not parsed, so that one that is broken costs only itself.
 */
export async function* jsonElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonElement> {
  const decoder = new TextDecoder();
  const stack: Frame[] = [];
  let kept: Uint8Array[] = [];
  let keepFrom = -1;
  let elementAt = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let keyBytes: number[] | null = null;
  let base = 0;
  let sawAnything = false;

  for await (const chunk of chunks) {
    const found: JsonElement[] = [];
    const finish = (end: number) => {
      if (keepFrom < end) kept.push(chunk.subarray(keepFrom, end));
      found.push({ text: decoder.decode(Buffer.concat(kept)), offset: elementAt });
      kept = [];
      keepFrom = -1;
    };
    if (depth > 0) keepFrom = 0;

    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i] ?? 0;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inString = false;
          const frame = stack.at(-1);
          if (keyBytes !== null && frame !== undefined) frame.key = String.fromCharCode(...keyBytes);
          keyBytes = null;
        } else if (keyBytes !== null && keyBytes.length < 16) keyBytes.push(byte);
        continue;
      }
      if (byte === QUOTE) {
        inString = true;
        const frame = stack.at(-1);
        if (depth === 0) {
          if (frame === undefined || frame.elements) throw unexpected(byte, base + i);
          keyBytes = frame.awaitsKey ? [] : null;
        }
        continue;
      }
      if (depth > 0) {
        if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          depth -= 1;
          if (depth === 0) finish(i + 1);
        }
        continue;
      }
      if (byte <= 0x20 || (byte >= 0xef && base + i < 3) || isMark(byte, base + i)) continue;
      sawAnything = true;
      const frame = stack.at(-1);
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (frame?.elements) {
          depth = 1;
          keepFrom = i;
          elementAt = base + i;
        } else {
          const elements = byte === OPEN_LIST && (frame === undefined || frame.key === 'issues');
          stack.push({ open: byte, elements, key: null, awaitsKey: byte === OPEN_OBJECT });
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        const opener = byte === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_LIST;
        if (stack.pop()?.open !== opener) throw unexpected(byte, base + i);
      } else if (frame === undefined || (frame.elements && byte !== COMMA)) {
        throw unexpected(byte, base + i);
      } else if (byte === COLON) {
        frame.awaitsKey = false;
      } else if (byte === COMMA) {
        frame.awaitsKey = frame.open === OPEN_OBJECT;
        if (frame.awaitsKey) frame.key = null;
      }
    }
    if (depth > 0) kept.push(chunk.subarray(keepFrom));
    base += chunk.length;
    yield* found;
  }
  if (!sawAnything) throw new BrokenJson('the file is empty');
  if (depth > 0) throw new BrokenJson(`the file ends inside the entry that starts at byte ${elementAt}`);
  if (stack.length > 0 || inString) throw new BrokenJson('the file ends before its JSON does');
}

/** The three bytes of a byte-order mark may stand in front. */
function isMark(byte: number, at: number): boolean {
  return (at === 1 && byte === 0xbb) || (at === 2 && byte === 0xbf);
}

function unexpected(byte: number, at: number): BrokenJson {
  return new BrokenJson(
    `it is no list of issues in JSON: unexpected ${JSON.stringify(String.fromCharCode(byte))} at byte ${at}`,
  );
}
