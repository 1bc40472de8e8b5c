/**
 * A literal of JQL, which runs to its own quote whatever is in it, or text that begins with a bent quote. A bent single
 * quote opens and closes only where a value can begin and end: elsewhere it is an apostrophe.
 */
const literal =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[“”„‟]((?:\\.|[^\\“”„‟"])*)[“”„‟"]|(?<=^|[\s(,=~<>!])[‘‚‛]((?:\\.|[^\\‘‚‛])*?)[’‘‛](?=$|[\s),])/gsu;

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
