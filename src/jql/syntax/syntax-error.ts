import { type AppError, badRequest } from '../../model/error.ts';

/** What Atlassian's parser says of a mistake; `start` and `line` are missing where it does not know them. */
export interface ParserError {
  readonly message: string;
  readonly start?: number;
  readonly stop?: number;
  readonly line?: number;
  readonly charPositionInLine?: number;
}

/**
 * The parser's words as a sentence for people. The position counts characters from 0, line and column from 1, as
 * editors do.
 */
export function syntaxError(
  error: ParserError,
  characters: readonly string[],
  { name, reserved }: { readonly name: string; readonly reserved: ReadonlySet<string> },
): AppError {
  const start = error.start ?? 0;
  const place = `position ${start} (line ${error.line ?? 1}, column ${(error.charPositionInLine ?? start) + 1})`;
  const found = characters.slice(start, error.stop ?? start + 1).join('');
  const expected = expectedBy(error.message);
  if (start >= characters.length)
    return badRequest(`${name}: expected ${expected} at ${place}, but the query ends there.`);
  return badRequest(
    `${name}: expected ${expected} at ${place}, but found '${found}'${adviceOn(found, reserved)}.`,
  );
}

function adviceOn(found: string, reserved: ReadonlySet<string>): string {
  if (/^["']/.test(found)) return ', a quotation mark that is not closed';
  if (reserved.has(found.toLowerCase()))
    return ', a reserved word: as a name or a value it needs quotation marks';
  return '';
}

const values = ['POSNUMBER', 'NEGNUMBER', 'STRING', 'QUOTE_STRING', 'SQUOTE_STRING'];

const inWords: Readonly<Record<string, string>> = {
  '<EOF>': 'the end of the query',
  ORDER: 'ORDER BY',
  CUSTOMFIELD: 'a field',
};

function expectedBy(message: string): string {
  const [, many, missing] = /expecting (.+)$|^missing (.+) at /s.exec(message) ?? [];
  const expected = many ?? missing;
  // Where several ways would go on, the parser names none of them.
  if (expected === undefined) return 'the rest of the clause';
  const tokens: readonly string[] = expected.match(/'[^']*'|[\w<>]+/g) ?? [];
  const fields = tokens.includes('CUSTOMFIELD');
  const words = tokens.map((token) =>
    values.includes(token) ? (fields ? 'a field' : 'a value') : (inWords[token] ?? token),
  );
  const more = tokens.includes('<EOF>') && !fields ? ['AND', 'OR'] : [];
  const all = [...new Set([...more, ...words])];
  return all.length === 1 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
