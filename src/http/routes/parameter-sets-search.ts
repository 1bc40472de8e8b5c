import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { pageOf, searchByName } from '../search/search-by-name.ts';
import { searchParameters } from '../search/search-parameters.ts';
import { parameterSetEntry } from '../wire/parameter-set-json.ts';
import { parameterSetPageSchema } from '../wire/parameter-set-schema.ts';

/** Parameter sets by name. */
export const parameterSetsSearch = defineRoute({
  methods: ['get'],
  paths: ['/rest/reportSettings/search', '/rest/parameterSets/search'],
  guarded: true,
  section: 'Parameter sets',
  summary: 'Parameter sets by name, in pages',
  parameters: z.object(searchParameters),
  answers: {
    description: 'One page of the parameter sets found.',
    content: { 'application/json': parameterSetPageSchema },
  },
  async answer(asked, principal, { settings }) {
    const { found, ...page } = pageOf(searchByName(await settings.parameterSets(principal), asked), asked);
    const list = found.map(parameterSetEntry);
    return { body: { ...page, parameterSets: list, elements: list } };
  },
});
