/** Members of blocks and attachments that people read or follow. */
const shown = ['text', 'title', 'title_link', 'fallback', 'url'];

/**
 * Everything a message says (mrkdwn), a line each: its text, and that of its blocks and attachments, where apps put what
 * they tell.
 */
export function messageTexts(message: Readonly<Record<string, unknown>>): string {
  const { text, blocks, attachments } = message;
  const texts = [typeof text === 'string' ? text : '', ...textsIn(blocks), ...textsIn(attachments)];
  return [...new Set(texts)].join('\n').trim();
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'string') return shown.includes(name) ? [member] : [];
    return textsIn(member);
  });
}
