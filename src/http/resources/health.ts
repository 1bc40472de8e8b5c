import { z } from 'zod';
import { pausedText } from '../../model/restore.ts';
import { defineRoute } from '../define-route.ts';
import { jsonType } from '../route.ts';

/** Whether the process runs. */
export const healthz = defineRoute({
  id: 'getHealth',
  methods: ['get'],
  paths: ['/healthz'],
  guarded: false,
  section: 'Service',
  summary: 'Whether the process runs',
  answers: {
    description: 'It runs.',
    content: { 'application/json': z.object({ status: z.literal('ok') }) },
  },
  answer: async () => ({ body: { status: 'ok' as const } }),
});

/**
 * Whether the process can take work: the store answers, the disk is not full and Slack is connected. While a first fill is under way it can:
 * single issues are answered already, and the body tells how far the rest is.
 */
export const readyz = defineRoute({
  id: 'getReadiness',
  methods: ['get'],
  paths: ['/readyz'],
  guarded: false,
  section: 'Service',
  summary: 'Whether the process can take work',
  answers: {
    description: 'It can.',
    content: {
      'application/json': z.object({
        status: z.literal('ready'),
        firstFill: z.string().optional().describe('How far the initial sync is, while it is under way.'),
        paused: z
          .string()
          .optional()
          .describe('Why no digest or alert is posted, and what to do, after a database was restored.'),
      }),
    },
    others: {
      503: {
        description: 'It cannot yet.',
        schema: z.object({ status: z.literal('not ready'), waitingFor: z.string() }),
      },
    },
  },
  async answer(_parameters, _principal, { waitingFor, firstFill, restore }) {
    const reason = await waitingFor();
    if (reason !== null)
      return { status: 503, type: jsonType, body: { status: 'not ready', waitingFor: reason } };
    const fill = await firstFill();
    const body = { status: 'ready' as const, ...(fill === null ? {} : { firstFill: fill }) };
    return { body: (await restore.isPaused()) ? { ...body, paused: pausedText } : body };
  },
});
