/** Without the quotes around it, if they are of one kind. */
export function unquoted(text: string): string {
  return /^(?:".+"|'.+'|[“”„‟].+[“”„‟]|[‘’‚‛].+[‘’‚‛])$/s.test(text) ? text.slice(1, -1) : text;
}

/** A text as a literal of JQL. */
export function asLiteral(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
