const yesterday = '(?:yesterday|(?:the )?last (?:working day|workday|stand-?up|daily))';
const where = '(?: (?:in|with|at|for|of) (\\S+))?';

/** Questions about what is new since the last working day; the part is where. */
const sentences: readonly RegExp[] = [
  new RegExp(`^(?:(?:the|our|my|a|today'?s) )?(?:stand-?up|daily|daily stand-?up|daily scrum)${where}$`, 'i'),
  new RegExp(
    `^what(?:'s| is| was| has| has been)? (?:happened|new|moved|going on|the news)${where} since ${yesterday}$`,
    'i',
  ),
  new RegExp(
    `^what(?:'s| is| was| has| has been)? (?:happened|new|moved|going on|the news) since ${yesterday}${where}$`,
    'i',
  ),
  new RegExp(
    `^what (?:did|have) (?:we|the team|everyone) (?:do|done|get done) (?:since )?${yesterday}${where}$`,
    'i',
  ),
];

/** A longer text is no such sentence. */
const MAX_LENGTH = 120;

/**
 * The line after `/tis` of a sentence that asks for a standup: `what happened in WEB since yesterday?`, `our daily`. Null for any
 * other.
 */
export function standupLine(typed: string): string | null {
  if (typed.length > MAX_LENGTH) return null;
  const text = typed
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/’/g, "'")
    .replace(/[\s?!.]+$/, '');
  for (const pattern of sentences) {
    const parts = pattern.exec(text);
    if (parts !== null) return `standup ${parts[1] ?? ''}`.trim();
  }
  return null;
}
