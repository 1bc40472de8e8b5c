const special = /[&<>"]|[^\t\n -\uFFFD]|_x[0-9A-Fa-f]{4}_/;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const edge = /^[ \t\n]|[ \t\n]$/;

/**
 * A well-formed text for the inside of an element or attribute. Characters that XML cannot hold, and the carriage
 * return, which it would drop, are written _xHHHH_; what looks so already is made to mean itself (ECMA-376 part 1,
 * 22.9.2.19).
 */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[^\t\n -\uFFFD]/g, (one) => `_x${hex(one)}_`)
    .replaceAll(/[&<>"]/g, (one) => escapes[one] ?? one);
}

/** Most texts need neither, and are looked through once. */
const needsCare = new RegExp(`${special.source}|${edge.source}`);

/** The element of a text, with the blanks at its ends kept. */
export function textElement(text: string): string {
  if (!needsCare.test(text)) return `<t>${text}</t>`;
  return edge.test(text) ? `<t xml:space="preserve">${escapeXml(text)}</t>` : `<t>${escapeXml(text)}</t>`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}
