import { z } from 'zod';
import { defineRoute } from '../define-route.ts';

/** Whether the process can take work: the store answers and Slack is connected. */
export const readyz = defineRoute({
  methods: ['get'],
  paths: ['/readyz'],
  guarded: false,
  section: 'Service',
  summary: 'Whether the process can take work',
  parameters: z.object({}),
  answers: {
    description: 'It can.',
    content: { 'application/json': z.object({ status: z.literal('ready') }) },
    others: {
      503: {
        description: 'It cannot yet.',
        schema: z.object({ status: z.literal('not ready'), waitingFor: z.string() }),
      },
    },
  },
  async answer(_parameters, _asker, { waitingFor }) {
    const reason = await waitingFor();
    return reason === null
      ? { body: { status: 'ready' } }
      : { status: 503, body: { status: 'not ready', waitingFor: reason } };
  },
});
