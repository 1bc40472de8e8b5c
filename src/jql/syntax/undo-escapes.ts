/** What a written word means: without its quotes, and with JQL's escapes (`\n`, `\t`, `\r`, `\u0041`, `\"`) undone. */
export function undoEscapes(source: string): { readonly text: string; readonly quoted: boolean } {
  const quoted = /^(?:".*"|'.*')$/s.test(source) && source.length > 1;
  const inner = quoted ? source.slice(1, -1) : source;
  return { text: inner.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gsu, undo), quoted };
}

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function undo(_escape: string, code: string | undefined, character: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  const sign = character ?? '';
  return Object.hasOwn(controls, sign) ? (controls[sign] ?? sign) : sign;
}
