import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { madeOnce } from '../made-once.ts';
import { describeInterface } from '../openapi/describe-interface.ts';

const document = madeOnce(async ({ routes, reporting: { reportTypes }, version }) =>
  JSON.stringify(await describeInterface(routes, { version, reportTypes })),
);

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
  answer: async (_parameters, _principal, parts) => ({
    type: 'application/json; charset=utf-8',
    body: await document(parts),
  }),
});
