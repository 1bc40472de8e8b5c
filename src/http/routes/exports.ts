import { z } from 'zod';
import { wholeNumber } from '../../parameters/parameter.ts';
import { defineRoute } from '../define-route.ts';
import { exportJson } from '../wire/export-json.ts';
import { exportListSchema } from '../wire/export-schema.ts';

/** The queued exports of the principal. */
export const exports = defineRoute({
  methods: ['get'],
  paths: ['/rest/export', '/rest/export/status'],
  guarded: true,
  section: 'Exports',
  summary: 'Your queued exports, newest first, in pages',
  parameters: z.object({
    startIndex: wholeNumber(0, 1_000_000_000)
      .default(0)
      .meta({ description: 'Index of the first export of the page, counted from 0.' }),
    maxResults: wholeNumber(1, 200).default(50).meta({ description: 'How many exports a page has at most.' }),
  }),
  answers: {
    description: 'One page of the exports that run and that have ended.',
    content: { 'application/json': exportListSchema },
  },
  async answer({ startIndex, maxResults }, principal, parts) {
    const { records, total } = await parts.exports.list(principal, { start: startIndex, size: maxResults });
    const told = await Promise.all(records.map((record) => exportJson(record, principal, parts)));
    return { body: { startIndex, maxResults, total, exports: told } };
  },
});
