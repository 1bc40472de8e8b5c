import { z } from 'zod';
import { defineRoute } from '../define-route.ts';

/** Whether the process can take work: the store answers and Slack is connected. */
export const readyz = defineRoute({
  method: 'get',
  path: '/readyz',
  guarded: false,
  parameters: z.object({}),
  async answer(_parameters, _asker, { waitingFor }) {
    const reason = await waitingFor();
    return reason === null
      ? { body: { status: 'ready' } }
      : { status: 503, body: { status: 'not ready', waitingFor: reason } };
  },
});
