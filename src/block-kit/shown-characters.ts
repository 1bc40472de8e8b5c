import { isRecord } from './rule.ts';

const shownMembers = new Set(['text', 'title', 'subtitle', 'caption', 'label', 'name', 'alt_text', 'body']);

/** How many characters a reader would be shown: what Slack's limits over whole tables and messages count. */
export function charactersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + charactersIn(each), 0);
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) =>
      sum +
      (typeof member === 'string' ? (shownMembers.has(name) ? member.length : 0) : charactersIn(member)),
    0,
  );
}
