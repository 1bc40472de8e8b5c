/** What stands behind a field where a query is meant, and not the name of something. */
const operator = /^(=|!|~|<|>|(not\s+)?in\s*\(|(not\s+)?in\s+\w+\(|is\s+(not\s+)?(empty|null)\b)/i;

/** Whether what stands behind the name of a field is the rest of a query. */
export function beginsQuery(text: string): boolean {
  return operator.test(text);
}
