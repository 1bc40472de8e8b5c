import { z } from 'zod';
import { type DateFormats, defaultDateFormats } from '../../model/settings.ts';
import { defineRoute, json } from '../define-route.ts';

const formats = z
  .object({
    dateFormat: z.string().meta({ description: 'Java date pattern.', examples: ['dd/MMM/yy'] }),
    dateTimeFormat: z.string().meta({ description: 'Java date pattern.', examples: ['dd/MMM/yy h:mm a'] }),
  })
  .meta({
    id: 'Formats',
    description: 'The patterns in which dates are written.',
    examples: [defaultDateFormats],
  }) satisfies z.ZodType<DateFormats>;

/** Every route of format settings. */
export const formatRoutes = [
  defineRoute({
    id: 'getFormatSettings',
    methods: ['get'],
    paths: ['/rest/formatSettings'],
    section: 'Format settings',
    summary: 'The patterns in which dates are written',
    answers: json('The patterns.', formats),
    answer: async (_parameters, _principal, { settings }) => ({ body: await settings.formats() }),
  }),
  defineRoute({
    id: 'updateFormatSettings',
    methods: ['put'],
    paths: ['/rest/formatSettings'],
    section: 'Format settings',
    summary: 'Set the patterns in which dates are written (administrators)',
    body: formats,
    answers: json('The patterns as they are now.', formats, 403),
    permit: (_parameters, principal, { settings }) => settings.permit(principal, 'formats'),
    answer: async (_parameters, principal, { settings }, input) => ({
      body: await settings.putFormats(principal, input),
    }),
  }),
];
