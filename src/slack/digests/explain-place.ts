import { explainRefusal } from '../exports/explain-refusal.ts';

/** What Slack's words mean where the place is what is wrong with a digest, and what to do about it: whole sentences. */
const explanations: Readonly<Record<string, string>> = {
  not_in_channel: 'I am not in this channel. Type `/invite @Dwell` there, and the next one will come.',
  channel_not_found:
    'I cannot find this channel: it is gone, or private and I am not in it. Type `/invite @Dwell` there, or choose another channel: `/tis digest`, *Edit*.',
  is_archived:
    'This channel is archived. Choose another channel with `/tis digest`, *Edit*, or delete the digest.',
  user_not_found: 'I cannot write to its owner any more. Hand the digest over to somebody else.',
  cannot_dm_bot: 'I cannot write to its owner. Hand the digest over to somebody else.',
};

/** Why Slack did not take a digest, in words, with what to do. */
export function explainPlace(code: string): string {
  return Object.hasOwn(explanations, code) ? (explanations[code] ?? '') : explainRefusal(code);
}
