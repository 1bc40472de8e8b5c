import { z } from 'zod';
import { defineRoute } from '../define-route.ts';

/** Whether the process runs. */
export const healthz = defineRoute({
  methods: ['get'],
  paths: ['/healthz'],
  guarded: false,
  section: 'Service',
  summary: 'Whether the process runs',
  parameters: z.object({}),
  answers: {
    description: 'It runs.',
    content: { 'application/json': z.object({ status: z.literal('ok') }) },
  },
  answer: async () => ({ body: { status: 'ok' } }),
});
