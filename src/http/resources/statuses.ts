import { z } from 'zod';
import { settableCategories } from '../../api/settings/status-categories.ts';
import { defineRoute, json } from '../define-route.ts';
import { workflowStatus } from '../report/table.ts';

const status = z.string().meta({ description: 'Id of the status, or a name that only one has.' });

/** Every route of statuses. */
export const statusRoutes = [
  defineRoute({
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
  }),
  defineRoute({
    id: 'setStatusCategory',
    methods: ['put'],
    paths: ['/rest/statuses/:id/category'],
    section: 'Statuses',
    summary: 'Set the category of a status to which the tracker gives none (administrators)',
    parameters: z.object({ id: status }),
    body: z
      .object({
        name: z
          .enum(settableCategories)
          .nullable()
          .describe('Null takes back what was set: Dwell assumes a category again if it can.'),
      })
      .meta({
        id: 'StatusCategoryInput',
        description: 'A category of statuses.',
        examples: [{ name: 'In Progress' }],
      }),
    answers: json('The status as it is now.', workflowStatus, 403, 404),
    permit: (_parameters, principal, { statusCategories }) => statusCategories.permit(principal),
    answer: async ({ id }, principal, { statusCategories }, { name }) => ({
      body: (await statusCategories.put(principal, id, name)).status,
    }),
  }),
];
