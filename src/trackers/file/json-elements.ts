import { BrokenJson } from './broken-json.ts';
import { type JsonElement, keepElement } from './kept-element.ts';
import { NoList } from './no-list.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** Far beyond any issue, and below the longest string there can be. */
const LONGEST_ELEMENT_BYTES = 1 << 28;

/** No answer of Jira nests its lists of issues deeper; garbage does. */
const DEEPEST = 64;

/** More than the longest key that is looked for. */
const KEY_BYTES = 16;

interface Frame {
  readonly open: number;
  /** A list whose elements are handed out: the whole text, or the value of a member named as such lists are. */
  readonly elements: boolean;
  key: string | null;
  awaitsKey: boolean;
}

/**
 * Hands out the elements of every list named "issues", of an answer's list named "values", and of a text that is
 * itself a list or several values one after another, while the bytes stream by: memory holds one element, whatever
 * the file's size. The member "names" of an answer is handed out as a whole. The elements are not parsed, so that
 * one that is broken costs only itself.
 */
export async function* jsonElements(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longestElement = LONGEST_ELEMENT_BYTES,
): AsyncGenerator<JsonElement> {
  const stack: Frame[] = [];
  const element = keepElement(longestElement);
  let depth = 0;
  let inString = false;
  let escaped = false;
  let keyBytes: number[] | null = null;
  let base = 0;
  let sawAnything = false;
  let sawList = false;

  for await (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i += 1) {
      if (inString && !escaped && keyBytes === null) {
        i = endOfPlainText(chunk, i);
        if (i === chunk.length) break;
      }
      const byte = chunk[i] ?? 0;
      if (inString) {
        if (byte === QUOTE && !escaped) {
          inString = false;
          const frame = stack.at(-1);
          if (keyBytes !== null && frame !== undefined) frame.key = String.fromCharCode(...keyBytes);
          keyBytes = null;
          if (element.kind === 'string') yield element.finish(chunk, i + 1);
        } else {
          escaped = byte === BACKSLASH && !escaped;
          if (keyBytes !== null && keyBytes.length < KEY_BYTES) keyBytes.push(byte);
        }
        continue;
      }
      if (element.kind === 'nested') {
        if (byte === QUOTE) inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          depth -= 1;
          if (depth === 0) yield element.finish(chunk, i + 1);
        }
        continue;
      }
      if (element.kind === 'word') {
        if (isWord(byte)) continue;
        yield element.finish(chunk, i);
      }
      const at = base + i;
      if (isSpace(byte) || isByteOrderMark(byte, at)) continue;
      sawAnything = true;
      const frame = stack.at(-1);
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        const ofAnswer = stack.length === 1 ? frame?.key : null;
        if (frame?.elements || (byte === OPEN_OBJECT && ofAnswer === 'names')) {
          element.start('nested', at, i, ofAnswer ?? undefined);
          depth = 1;
        } else {
          if (stack.length === DEEPEST) throw unexpected(byte, at);
          const named = frame === undefined || frame.key === 'issues' || ofAnswer === 'values';
          const elements = byte === OPEN_LIST && named;
          stack.push({ open: byte, elements, key: null, awaitsKey: byte === OPEN_OBJECT });
          sawList ||= elements;
        }
      } else if (frame === undefined) {
        throw unexpected(byte, at);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (frame.open !== (byte === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_LIST)) throw unexpected(byte, at);
        stack.pop();
      } else if (byte === COMMA) {
        frame.awaitsKey = frame.open === OPEN_OBJECT;
        frame.key = null;
      } else if (byte === COLON && frame.open === OPEN_OBJECT) {
        frame.awaitsKey = false;
      } else if (byte === QUOTE) {
        inString = true;
        if (frame.elements) element.start('string', at, i);
        else if (frame.awaitsKey) keyBytes = [];
      } else if (!isWord(byte)) {
        throw unexpected(byte, at);
      } else if (frame.elements) {
        element.start('word', at, i);
      }
    }
    if (element.kind !== 'none') element.carry(chunk);
    base += chunk.length;
  }
  if (!sawAnything) throw new BrokenJson('the file is empty');
  if (element.kind !== 'none') {
    throw new BrokenJson(`the file ends inside the entry that starts at byte ${element.offset}`);
  }
  if (stack.length > 0) throw new BrokenJson('the file ends before its JSON does');
  if (!sawList) throw new NoList();
}

/** Where the first quote or backslash stands; most bytes of an export are passed over here. */
function endOfPlainText(chunk: Uint8Array, from: number): number {
  let i = from;
  while (i < chunk.length && chunk[i] !== QUOTE && chunk[i] !== BACKSLASH) i += 1;
  return i;
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
  // What a redirected output of Windows PowerShell starts with.
  if (at === 0 && (byte === 0xff || byte === 0xfe)) {
    return new BrokenJson('the file is written in UTF-16; save it as UTF-8');
  }
  const character = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `byte value ${byte}`;
  return new BrokenJson(`it is no list of issues in JSON: unexpected ${character} at byte ${at}`);
}
