import { z } from 'zod';
import type { RouteFacts } from '../route.ts';

/** Members of a JSON body that a route reads; null where it takes any, as for the parameters of a set. */
export function knownMembers(schema: z.ZodType | undefined): readonly string[] | null {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : null;
}

/** Members that nobody reads, as they were spelled: those of the answer itself may be sent back as they came. */
export function unknownMembers(
  body: unknown,
  { body: taken, answers }: Pick<RouteFacts, 'body' | 'answers'>,
): readonly string[] {
  const read = knownMembers(taken);
  if (read === null || typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const known = new Set([...read, ...(knownMembers(answers.content['application/json']) ?? [])]);
  return Object.keys(body)
    .filter((name) => !known.has(name))
    .slice(0, MOST_NAMES);
}

const MOST_NAMES = 20;
