import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { formatsSchema } from '../wire/formats-schema.ts';

/** How dates are written. */
export const formatSettings = defineRoute({
  methods: ['get'],
  paths: ['/rest/formatSettings'],
  guarded: true,
  section: 'Format settings',
  summary: 'The patterns in which dates are written',
  parameters: z.object({}),
  answers: { description: 'The patterns.', content: { 'application/json': formatsSchema } },
  answer: async (_parameters, _principal, { settings }) => ({ body: await settings.formats() }),
});
