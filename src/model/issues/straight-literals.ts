/** A kind of quotes: the text between two of them is read by `text`, and what stands after it closes the literal. */
interface Quotes {
  readonly text: RegExp;
  readonly closing: string;
  readonly areBent: boolean;
}

const straightDouble: Quotes = { text: /(?:\\.|[^"\\])*/suy, closing: '"', areBent: false };
const straightSingle: Quotes = { text: /(?:\\.|[^'\\])*/suy, closing: "'", areBent: false };
const bentDouble: Quotes = { text: /(?:\\.|[^\\“”„‟"])*/suy, closing: '“”„‟"', areBent: true };
const bentSingle: Quotes = {
  text: /(?:\\.|[^\\‘’‚‛']|(?<=[\p{L}\p{N}])[’'](?=[\p{L}\p{N}]))*/suy,
  closing: "‘’‚‛'",
  areBent: true,
};

const quotesOf: ReadonlyMap<string, Quotes> = new Map([
  ['"', straightDouble],
  ["'", straightSingle],
  ...Array.from('“”„‟', (quote) => [quote, bentDouble] as const),
  ...Array.from('‘’‚‛', (quote) => [quote, bentSingle] as const),
]);

/** Bent single quotes that begin within a word are apostrophes. */
const opening = /["'“”„‟]|(?<![\p{L}\p{N}])[‘’‚‛]/gu;

/**
 * A query with straight double quotes where bent ones open and close a literal, as phones and word processors write
 * them. Text within literals stays as it was typed.
 */
export function straightLiterals(query: string): string {
  let straight = '';
  let at = 0;
  /** By kind: up to where an earlier quote was not closed, so that none in between is closed either. */
  const unclosed = new Map<Quotes, number>();
  opening.lastIndex = 0;
  for (let found = opening.exec(query); found !== null; found = opening.exec(query)) {
    const quotes = quotesOf.get(found[0]);
    const start = opening.lastIndex;
    if (quotes === undefined || start <= (unclosed.get(quotes) ?? -1)) continue;
    quotes.text.lastIndex = start;
    const [text = ''] = quotes.text.exec(query) ?? [];
    const end = start + text.length;
    if (end >= query.length || !quotes.closing.includes(query.charAt(end))) {
      unclosed.set(quotes, end);
      continue;
    }
    if (quotes.areBent) {
      straight += `${query.slice(at, found.index)}"${text.replaceAll(/(?<!\\)"/g, '\\"')}"`;
      at = end + 1;
    }
    opening.lastIndex = end + 1;
  }
  return straight + query.slice(at);
}
