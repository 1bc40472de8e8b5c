import { z } from 'zod';

/** An answer for somebody before a browser. */
export function pageOf(description: string) {
  return { description, schema: z.string(), type: 'text/html' };
}
