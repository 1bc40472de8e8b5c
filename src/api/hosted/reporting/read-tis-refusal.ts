import { z } from 'zod';
import { mediaTypeOf } from '../../../http-client/answer-head.ts';
import { readJson } from '../../../http-client/read-json.ts';
import type { HttpAnswer } from '../../../http-client/send-once.ts';

/** A failure that the service tells itself. */
export interface TisRefusal {
  readonly message: string;
  /** Whole sentences; none where it tells none. */
  readonly messages: readonly string[];
}

/** Data Center calls the status so, and leaves out a list that would be empty. */
const refusal = z
  .object({
    status: z.number().optional(),
    statusCode: z.number().optional(),
    message: z.string().min(1),
    messages: z.array(z.string()).nullish(),
    pluginVersion: z.string().nullish(),
  })
  .refine(({ messages, pluginVersion }) => messages !== undefined || pluginVersion !== undefined);

/** What the service itself says about a failure; null for a page, and for what somebody before it says. */
export function readTisRefusal(answer: Pick<HttpAnswer, 'status' | 'headers' | 'text'>): TisRefusal | null {
  const { status, text } = answer;
  if (mediaTypeOf(answer) === 'text/html') return null;
  const parsed = refusal.safeParse(readJson(text));
  if (!parsed.success) return null;
  const { message, messages, status: told, statusCode } = parsed.data;
  if ((told ?? statusCode ?? status) !== status) return null;
  return { message, messages: messages ?? [] };
}
