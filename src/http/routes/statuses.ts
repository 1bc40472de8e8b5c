import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { statusJson } from '../wire/outer-json.ts';
import { statusesSchema } from '../wire/report-schema.ts';

/** The statuses whose ids the report parameters take. */
export const statuses = defineRoute({
  methods: ['get'],
  paths: ['/rest/statuses'],
  guarded: true,
  section: 'Statuses',
  summary: 'Workflow statuses: ids and names, for the parameters of reports',
  parameters: z.object({}),
  answers: {
    description: 'Every status you can see, in workflow order: by category, then as issues enter them.',
    content: { 'application/json': statusesSchema },
  },
  answer: async (_parameters, principal, { reporting }) => ({
    body: (await reporting.statuses(principal)).map(statusJson),
  }),
});
