import { z } from 'zod';
import { defineJsonRoute } from '../define-route.ts';
import { formatsSchema } from '../wire/formats-schema.ts';

/** Sets how dates are written. */
export const formatSettingsUpdate = defineJsonRoute({
  methods: ['put'],
  paths: ['/rest/formatSettings'],
  guarded: true,
  section: 'Format settings',
  summary: 'Set the patterns in which dates are written (administrators)',
  parameters: z.object({}),
  body: formatsSchema,
  answers: {
    description: 'The patterns as they are now.',
    content: { 'application/json': formatsSchema },
    failures: [403],
  },
  permit: (_parameters, principal, { settings }) => settings.permit(principal, 'formats'),
  answer: async (_parameters, principal, { settings }, formats) => ({
    body: await settings.putFormats(principal, formats),
  }),
});
