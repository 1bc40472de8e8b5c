import { z } from 'zod';
import { wholeNumber } from '../../parameters/parameter.ts';
import { defineRoute } from '../define-route.ts';
import { pageOf } from '../search/search-by-name.ts';
import { pageNumber } from '../search/search-parameters.ts';
import { parameterSetEntry } from '../wire/parameter-set-json.ts';
import { parameterSetPageSchema } from '../wire/parameter-set-schema.ts';

/** The parameter sets somebody may use. */
export const parameterSets = defineRoute({
  methods: ['get'],
  paths: ['/rest/reportSettings', '/rest/parameterSets'],
  guarded: true,
  section: 'Parameter sets',
  summary: 'The parameter sets visible to the asker: ids and names',
  parameters: z.object({
    pageNumber,
    maxResults: wholeNumber(1, 100)
      .optional()
      .meta({ description: 'How many a page has at most; without it everything is one page.' }),
  }),
  answers: {
    description: "The asker's own and the public sets, of an administrator all, by name.",
    content: { 'application/json': parameterSetPageSchema },
  },
  async answer({ pageNumber: number, maxResults }, principal, { settings }) {
    const all = await settings.parameterSets(principal);
    const size = maxResults ?? Math.max(1, all.length);
    const { found, ...page } = pageOf(all, { pageNumber: number, maxResults: size });
    const list = found.map(parameterSetEntry);
    return { body: { ...page, parameterSets: list, elements: list } };
  },
});
