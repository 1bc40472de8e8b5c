import { z } from 'zod';
import { readJson } from '../../http-client/read-json.ts';

const refusal = z.object({
  errorMessages: z.array(z.string()).optional(),
  // Sentences by field; a list of objects in some of the newer interfaces.
  errors: z.union([z.record(z.string(), z.string()), z.array(z.object({ message: z.string() }))]).optional(),
  // So the frame around Jira's interface tells of failures, and so does the gateway before Cloud.
  message: z.string().optional(),
  'status-code': z.number().optional(),
  code: z.number().optional(),
});

/** What Jira itself says about a failure, maybe nothing at all; null where somebody before it speaks. */
export function readRefusal(text: string): readonly string[] | null {
  const parsed = refusal.safeParse(readJson(text));
  if (!parsed.success) return null;
  const { errorMessages, errors, message, code, 'status-code': status } = parsed.data;
  if (errorMessages !== undefined || errors !== undefined) {
    const byField = Array.isArray(errors)
      ? errors.map((error) => error.message)
      : Object.entries(errors ?? {}).map(([field, sentence]) => `${field}: ${sentence}`);
    return [...(errorMessages ?? []), ...byField];
  }
  return message !== undefined && (code ?? status) !== undefined ? [message] : null;
}
