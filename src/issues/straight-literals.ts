/**
 * A literal of JQL, which runs to its own quote whatever is in it, or text between bent quotes: double ones, and single ones
 * that do not begin within a word, where they are apostrophes.
 */
const literal =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[“”„‟]((?:\\.|[^\\“”„‟"])*)[“”„‟"]|(?<![\p{L}\p{N}])[‘’‚‛]((?:\\.|[^\\‘’‚‛']|(?<=[\p{L}\p{N}])[’'](?=[\p{L}\p{N}]))*)[‘’‚‛']/gsu;

/**
 * A query with straight double quotes where bent ones open and close a literal, as phones and word processors write
 * them. Text within literals stays as it was typed.
 */
export function straightLiterals(query: string): string {
  return query.replaceAll(literal, (whole: string, double?: string, single?: string) => {
    const text = double ?? single;
    return text === undefined ? whole : `"${text.replaceAll(/(?<!\\)"/g, '\\"')}"`;
  });
}
