import { z } from 'zod';
import { defineRoute } from '../define-route.ts';

/** Whether the process lives. */
export const healthz = defineRoute({
  method: 'get',
  path: '/healthz',
  guarded: false,
  parameters: z.object({}),
  answer: async () => ({ body: { status: 'ok' } }),
});
