/** A text in quotes, whatever it holds, or the function that stands for who asks. */
const parts = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\bcurrentUser\s*\(\s*\)/gi;

/**
 * JQL in which the principal stands where it says `currentUser()`: to the service that would be the user of the token,
 * whoever asks.
 */
export function asPrincipal(jql: string, user: string): string {
  const quoted = `"${user.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return jql.replaceAll(parts, (part) => (/^["']/.test(part) ? part : quoted));
}

/** Whether for others a query chooses other issues. */
export function dependsOnPrincipal(jql: string, user: string): boolean {
  return asPrincipal(jql, user) !== jql;
}
