import { directionMarks, settled } from '../output/text-direction.ts';

/** What comes back to us as it was sent, or leads somewhere; no one reads it. */
const unread = new Set([
  'value',
  'initial_value',
  'private_metadata',
  'callback_id',
  'external_id',
  'action_id',
  'block_id',
  'url',
  'image_url',
]);

/** A message, a view or options in which no text that people read turns around what is beside it. */
export function settledTexts<Payload>(payload: Payload): Payload {
  const sent = JSON.stringify(payload);
  if (!directionMarks.test(sent)) return payload;
  return JSON.parse(sent, (key, value) =>
    typeof value === 'string' && !unread.has(key) ? settled(value) : value,
  );
}

/** Members of blocks and attachments that people read or follow. */
const shown = ['text', 'title', 'title_link', 'fallback', 'url'];

/** All texts (mrkdwn) of a message, a line each: its own, and those of the blocks and attachments that apps fill. */
export function messageTexts(message: Readonly<Record<string, unknown>>): string {
  const { text, blocks, attachments } = message;
  const texts = [...textsIn({ text }), ...textsIn(blocks), ...textsIn(attachments)];
  return [...new Set(texts)].join('\n').trim();
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'string') return shown.includes(name) ? [member] : [];
    return textsIn(member);
  });
}
