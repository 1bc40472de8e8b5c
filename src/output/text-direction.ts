/** Overrides, embeddings and forced isolates: they turn around what is beside them, and no one types them by hand. */
const turning = /[\u202A-\u202E\u2066\u2067]/g;

/** The characters by which a text gives its direction, or parts of it apart. */
export const directionMarks = /[\u202A-\u202E\u2066-\u2069]/;
const [OPEN, CLOSE] = ['\u2068', '\u2069'];
const isolates = /\u2068[^\u2068\u2069]*\u2069/g;

/** Letters of the scripts that are written from right to left, by the blocks Unicode keeps for them. */
const fromRight = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * A text that turns nothing around beside it: without marks of direction, but for pairs within one line that keep what
 * they hold apart. Never longer than what it is given.
 */
export function settled(text: string): string {
  if (!directionMarks.test(text)) return text;
  return text.split('\n').map(settledLine).join('\n');
}

/** The same, where each line that runs from right to left is kept apart, so that figures beside it stay in place. */
export function isolated(text: string): string {
  if (!directionMarks.test(text) && !fromRight.test(text)) return text;
  return settled(text).split('\n').map(isolatedLine).join('\n');
}

function settledLine(line: string): string {
  const characters = line.replaceAll(turning, '').split('');
  const open: number[] = [];
  const alone = new Set<number>();
  for (const [at, character] of characters.entries()) {
    if (character === OPEN) open.push(at);
    else if (character === CLOSE && open.pop() === undefined) alone.add(at);
  }
  for (const at of open) alone.add(at);
  return characters.filter((_, at) => !alone.has(at)).join('');
}

function isolatedLine(line: string): string {
  return fromRight.test(withoutIsolates(line)) ? `${OPEN}${line}${CLOSE}` : line;
}

/** From the innermost pair to the outermost. */
function withoutIsolates(line: string): string {
  const left = line.replaceAll(isolates, '');
  return left === line ? line : withoutIsolates(left);
}
