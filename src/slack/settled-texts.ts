import { directionMarks, settled } from '../output/text-direction.ts';

/** What comes back to us as it was sent, or leads somewhere; nobody reads it. */
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

/** A message, a view or options in which no text that people read turns around what stands beside it. */
export function settledTexts<Payload>(payload: Payload): Payload {
  const sent = JSON.stringify(payload);
  if (!directionMarks.test(sent)) return payload;
  return JSON.parse(sent, (key, value) =>
    typeof value === 'string' && !unread.has(key) ? settled(value) : value,
  );
}
