import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { statusJson } from '../wire/report-json.ts';

/** The statuses whose ids the report parameters take. */
export const statuses = defineRoute({
  method: 'get',
  path: '/rest/statuses',
  guarded: true,
  parameters: z.object({}),
  answer: async (_parameters, asker, { reporting }) => ({
    body: (await reporting.statuses(asker)).map(statusJson),
  }),
});
