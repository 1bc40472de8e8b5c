import { z } from 'zod';
import { readJson } from '../../http-client/read-json.ts';

/** A failure that the delegation service tells itself, in its own words. */
export interface ServiceRefusal {
  readonly message: string;
  /** Sentences by parameter. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Its `timestamp`, a number here and a text there, tells nothing that is needed. */
const refusal = z.object({
  message: z.string().min(1),
  errors: z.record(z.string(), z.string()).catch({}),
  // The tracker around the service tells failures in JSON as well, and then calls the status so.
  'status-code': z.undefined().optional(),
});

/** What the service itself says about a failure; null for a page, or for what the tracker around it says. */
export function readRefusal(text: string): ServiceRefusal | null {
  const parsed = refusal.safeParse(readJson(text));
  return parsed.success ? { message: parsed.data.message, errors: parsed.data.errors } : null;
}

/** Both stand in every failure the service tells, and hardly in one that somebody before it tells. */
const own = z.object({
  status: z.union([z.number(), z.string().transform(Number)]),
  timestamp: z.union([z.number(), z.string()]),
});

/** Whether a failure surely is the service's, so that it is there and its path is right. */
export function isOwnRefusal({ status, text }: { readonly status: number; readonly text: string }): boolean {
  const parsed = own.safeParse(readJson(text));
  return parsed.success && parsed.data.status === status && readRefusal(text) !== null;
}
