import type { Args } from './args.ts';
import { Refusal } from './refusal.ts';

/** A slice of a list and where the next one begins, as Slack's cursors work. */
export function pageOf<T>(
  items: readonly T[],
  args: Args,
  usual: number,
): { page: readonly T[]; nextCursor: string } {
  const limit = Math.min(Math.max(args.count('limit') ?? usual, 1), 1_000);
  const cursor = args.text('cursor');
  const start =
    cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('next:', ''));
  if (!Number.isInteger(start) || start < 0) throw new Refusal('invalid_cursor');
  const end = start + limit;
  const nextCursor = end < items.length ? Buffer.from(`next:${end}`).toString('base64') : '';
  return { page: items.slice(start, end), nextCursor };
}
