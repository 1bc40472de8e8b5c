/** Whether a text needs two bytes a character; all else is stored with one, as the lower byte. [MS-XLS] 2.5.294. */
export function isWide(text: string): boolean {
  return /[^\0-\xff]/.test(text);
}

/** A text of at most 255 characters: its length in one byte, how it is stored, its characters. */
export function shortString(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), characters(text)]);
}

/** A text of at most 65,535 characters: its length in two bytes, how it is stored, its characters. */
export function longString(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length & 0xff, text.length >> 8), characters(text)]);
}

function characters(text: string): Buffer {
  const wide = isWide(text);
  return Buffer.concat([Buffer.of(wide ? 1 : 0), Buffer.from(text, wide ? 'utf16le' : 'latin1')]);
}
