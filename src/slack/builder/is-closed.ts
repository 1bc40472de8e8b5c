/** Whether each parenthesis of a query, or of a piece of one, has its other half within it; those in quotes are text. */
export function isClosed(jql: string): boolean {
  let open = 0;
  for (const [piece] of jql.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|["'()]/gs)) {
    // A quote alone begins a text that ends outside.
    if (piece === '"' || piece === "'") return false;
    if (piece === '(') open += 1;
    if (piece === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
