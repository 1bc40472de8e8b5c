import { z } from 'zod';
import { flowChange, flowSchema } from '../../api/flows/flow-document.ts';
import { defineRoute, json } from '../define-route.ts';

const ofFlows = { section: 'Flows', paths: ['/rest/flows/:projectKey'] } as const;

const parameters = z.object({ projectKey: z.string().meta({ description: 'Key of the project.' }) });

/** Every route of the flows of projects. */
export const flowRoutes = [
  defineRoute({
    id: 'getFlow',
    methods: ['get'],
    ...ofFlows,
    summary: 'The flow of a project',
    parameters,
    answers: json('The flow that was set or, with isDefault, the one by categories.', flowSchema, 404),
    answer: async ({ projectKey }, principal, { flows }) => ({
      body: await flows.flow(principal, projectKey),
    }),
  }),
  defineRoute({
    id: 'setFlow',
    methods: ['put'],
    ...ofFlows,
    summary: 'Set the flow of a project (administrators of Dwell, or of the project in Jira)',
    parameters,
    body: flowChange,
    answers: json('The flow as it is now.', flowSchema, 403, 404, 409),
    permit: ({ projectKey }, principal, { flows }) => flows.permit(principal, projectKey),
    answer: async ({ projectKey }, principal, { flows }, change) => ({
      body: await flows.put(principal, projectKey, change),
    }),
  }),
];
