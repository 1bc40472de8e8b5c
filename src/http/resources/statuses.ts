import { z } from 'zod';
import { defineRoute, json } from '../define-route.ts';
import { workflowStatus } from '../report/table.ts';

/** The statuses whose ids the report parameters take. */
export const statuses = defineRoute({
  id: 'listStatuses',
  methods: ['get'],
  paths: ['/rest/statuses'],
  section: 'Statuses',
  summary: 'Workflow statuses: ids and names, for the parameters of reports',
  answers: json(
    'Every status you can see, in workflow order: by category, then as issues enter them.',
    z.array(workflowStatus),
  ),
  answer: async (_parameters, principal, { reporting }) => ({
    body: await reporting.statuses(principal),
  }),
});
