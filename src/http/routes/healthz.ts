import { z } from 'zod';
import { defineRoute } from '../define-route.ts';

/** Whether the process lives. */
export const healthz = defineRoute({
  methods: ['get'],
  paths: ['/healthz'],
  guarded: false,
  section: 'Service',
  summary: 'Whether the process lives',
  parameters: z.object({}),
  answers: {
    description: 'It lives.',
    content: { 'application/json': z.object({ status: z.literal('ok') }) },
  },
  answer: async () => ({ body: { status: 'ok' } }),
});
