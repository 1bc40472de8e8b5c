/** A literal of JQL, which runs to its own quote whatever stands in it, or text that begins with a bent double quote. */
const literal = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[“”„‟]((?:\\.|[^\\“”„‟"])*)[“”„‟"]/gsu;

/**
 * A query with straight double quotes where bent ones open and close a literal, as phones and word processors write
 * them. What stands within literals stays as it was typed.
 */
export function straightLiterals(query: string): string {
  return query.replaceAll(literal, (whole: string, bent: string | undefined) =>
    bent === undefined ? whole : `"${bent}"`,
  );
}
