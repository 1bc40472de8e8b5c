import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { describeInterface } from '../openapi/describe-interface.ts';

/** The interface described for programs. */
export const openapi = defineRoute({
  methods: ['get'],
  paths: ['/openapi.json'],
  guarded: false,
  section: 'Service',
  summary: 'This interface as an OpenAPI 3.1 document',
  parameters: z.object({}),
  answers: {
    description: 'The document.',
    content: { 'application/json': z.record(z.string(), z.unknown()) },
  },
  answer: async (_parameters, _asker, { routes, reporting, version }) => ({
    body: describeInterface(routes, { version, reportTypes: reporting.reportTypes }),
  }),
});
