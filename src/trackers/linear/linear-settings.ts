import type { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { address, oneOf, secret, wholeNumber } from '../setting-shapes.ts';
import type { LiveTrackerKind } from '../tracker-kind.ts';
import type { LinearAccess } from './linear-client.ts';

const settings = {
  LINEAR_API_KEY: secret.describe(
    'an API key of a member of the workspace; it reads what that member can see',
  ),
  LINEAR_URL: address
    .default('https://api.linear.app/graphql')
    .describe('the address of the GraphQL API, where it is reached through a proxy'),
  LINEAR_RIGHTS: oneOf('linear', 'rules')
    .default('linear')
    .describe('`linear`: Linear decides who can see what; `rules`: `npx dwell access` decides'),
  LINEAR_REQUESTS_PER_MINUTE: wholeNumber(1, 1000)
    .default(40)
    .describe('the request limit; permission checks have a limit of their own of the same size'),
  LINEAR_WEBHOOK_SECRET: secret.describe(
    'the signing secret of the webhook to `/rest/webhooks/linear`; unset: none are accepted',
  ),
};

type LinearValues = z.output<z.ZodObject<typeof settings>>;

/** Linear, a tracker in the cloud. */
export const linear = {
  name: 'linear',
  title: 'Linear',
  settings,
  needs: 'an API key. Try: LINEAR_API_KEY',
  read(values: LinearValues) {
    const { LINEAR_API_KEY: apiKey, LINEAR_URL: url, LINEAR_WEBHOOK_SECRET: webhookSecret } = values;
    if (apiKey === undefined) {
      if (webhookSecret === undefined) return null;
      throw new AppError('not-configured', 'The settings of Linear are incomplete. Try: LINEAR_API_KEY.');
    }
    const access: LinearAccess = {
      url,
      apiKey,
      webhookSecret: webhookSecret ?? null,
      requestsPerMinute: values.LINEAR_REQUESTS_PER_MINUTE,
    };
    return {
      address: url,
      query: null,
      decidedBy: values.LINEAR_RIGHTS === 'linear' ? 'LINEAR_RIGHTS' : null,
      open: async (surroundings) => (await import('./open-linear.ts')).openLinear(access, surroundings),
    };
  },
} as const satisfies LiveTrackerKind<LinearValues>;
