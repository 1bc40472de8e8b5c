import { z } from 'zod';
import { pausedText } from '../../model/digest.ts';
import { defineRoute } from '../define-route.ts';
import { jsonType } from '../route.ts';

const outageState = z.enum(['refused', 'unreachable']);

/** The liveness route: it answers while the process runs, and while the store is upgraded, before any route does. */
export const healthz = defineRoute({
  id: 'getHealth',
  methods: ['get'],
  paths: ['/healthz'],
  guarded: false,
  section: 'Service',
  summary: 'Liveness: the process is up',
  // It has no failures, not even 503: it answers without the store.
  answers: {
    description: 'It runs.',
    content: {
      [jsonType]: z.object({
        status: z.enum(['ok', 'upgrading']).describe('`upgrading`: nothing else is answered yet.'),
        step: z.string().optional().describe('The step of the upgrade of the store, in words.'),
        done: z.int().optional().describe('How much of the step is done.'),
        of: z.int().optional().describe('How much there is to do in the step.'),
      }),
    },
  },
  answer: async () => ({ body: { status: 'ok' as const } }),
});

/**
 * The readiness route: the process can take work if the store answers and the disk is not full. It can while a first
 * fill is under way, and while Slack or Redis cannot be used: the body says so.
 */
export const readyz = defineRoute({
  id: 'getReadiness',
  methods: ['get'],
  paths: ['/readyz'],
  guarded: false,
  section: 'Service',
  summary: 'Readiness: the process can take requests',
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
        slack: outageState.optional().describe('Only while Slack cannot be used; everything else goes on.'),
        slackReason: z.string().optional().describe('Why Slack cannot be used.'),
        redis: outageState.optional().describe('Only while Redis cannot be used; Dwell goes on without it.'),
        redisReason: z.string().optional().describe('Why Redis cannot be used.'),
      }),
    },
    others: {
      503: {
        description: 'It cannot yet.',
        schema: z.object({ status: z.literal('not ready'), waitingFor: z.string() }),
      },
    },
  },
  async answer(_parameters, _principal, { waitingFor, firstFill, restore, outages }) {
    const reason = await waitingFor();
    if (reason !== null)
      return { status: 503, type: jsonType, body: { status: 'not ready', waitingFor: reason } };
    const fill = await firstFill();
    const { slack, redis } = outages();
    return {
      body: {
        status: 'ready' as const,
        ...(fill === null ? {} : { firstFill: fill }),
        ...((await restore.isPaused()) ? { paused: pausedText } : {}),
        ...(slack === null ? {} : { slack: slack.state, slackReason: slack.reason }),
        ...(redis === null ? {} : { redis: redis.state, redisReason: redis.reason }),
      },
    };
  },
});
