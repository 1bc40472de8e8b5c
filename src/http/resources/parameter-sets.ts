import { z } from 'zod';
import { wholeNumber } from '../../api/parameters/parameter.ts';
import { parametersOf, readParameters } from '../../api/parameters/saved-report.ts';
import { problemsOfSaved } from '../../api/settings/request-of-saved.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import { reportIds } from '../../model/report-ids.ts';
import { isoInstant, mapped } from '../../output/encode.ts';
import { defineRoute, json } from '../define-route.ts';
import { pageMembers, pageNumber, pagePart, searchByName, searchParameters } from '../search.ts';

const example = { reportType: reportIds.statusDuration, filterType: 'project', projectKey: 'WEB' };

const parametersSchema = z.record(z.string(), z.unknown()).meta({
  description:
    'Request parameters by name; reportType says what columnsBy says in a request. Checked when the set is used.',
  id: 'Parameters',
  examples: [example],
});

const name = z.string();
const isPublic = z.boolean();
const ownerId = z.string().nullable();

/** The members of a new set; `ownerId` null is the person who saves it. */
const parameterSetInput = z
  .object({
    name,
    public: isPublic.default(false),
    ownerId: ownerId.default(null),
    parameters: parametersSchema,
  })
  .meta({
    id: 'ParameterSetInput',
    description: 'A new parameter set.',
    examples: [{ name: 'Web by status', public: true, parameters: example }],
  });

const parameterSetChange = z
  .object({
    name: name.exactOptional(),
    public: isPublic.exactOptional(),
    ownerId: ownerId.exactOptional(),
    parameters: parametersSchema.exactOptional(),
  })
  .meta({
    id: 'ParameterSetChange',
    description: 'Members of a parameter set that are replaced.',
    examples: [{ public: false }],
  });

const entryMembers = { id: z.string(), name, ownerId: z.string(), public: isPublic };
const entry = z
  .object(entryMembers)
  .meta({ id: 'ParameterSetEntry', description: 'A parameter set in a list.' });

const parameterSet = mapped(
  ({ report, ...set }: ParameterSet) => ({ ...set, parameters: parametersOf(report) }),
  z
    .object({ ...entryMembers, parameters: parametersSchema, createdAt: isoInstant, updatedAt: isoInstant })
    .meta({ id: 'ParameterSet', description: 'A parameter set with its whole configuration.' }),
);

const page = z
  .object({
    ...pageMembers,
    parameterSets: z.array(entry),
    elements: z.array(entry).describe('The same list, under the name that some clients read.'),
  })
  .meta({ id: 'ParameterSetPage', description: 'A page of parameter sets.' });

const verdict = z
  .object({
    valid: z.boolean(),
    messages: z.array(z.string()).describe('What a request with these parameters would be refused for.'),
  })
  .meta({ id: 'Validation', description: 'Whether parameters can be used.' });

/** Sets have two names in the product's documents. */
const pathsOf = (below: string): [string, string] => [
  `/rest/reportSettings${below}`,
  `/rest/parameterSets${below}`,
];

/** The id of a parameter set. One of a wrong form was never given to any, so it is not found like every other. */
const parameterSetId = z.string().meta({ format: 'uuid', description: 'Id of the parameter set.' });

/** Every route of parameter sets. */
export const parameterSetRoutes = [
  defineRoute({
    id: 'listParameterSets',
    methods: ['get'],
    paths: pathsOf(''),
    section: 'Parameter sets',
    summary: 'The parameter sets you can see: ids and names',
    parameters: z.object({
      pageNumber,
      maxResults: wholeNumber(1, 100).optional().describe('Maximum page size; leave out for a single page.'),
    }),
    answers: json('Your own and the public sets, for an administrator all, by name.', page),
    async answer({ pageNumber: number, maxResults }, principal, { settings }) {
      const all = await settings.parameterSets(principal);
      const size = maxResults ?? Math.max(1, all.length);
      return pageReply(all, { pageNumber: number, maxResults: size });
    },
  }),
  defineRoute({
    id: 'searchParameterSets',
    methods: ['get'],
    paths: pathsOf('/search'),
    section: 'Parameter sets',
    summary: 'Parameter sets by name, in pages',
    parameters: z.object(searchParameters),
    answers: json('One page of the parameter sets found.', page),
    async answer(input, principal, { settings }) {
      return pageReply(searchByName(await settings.parameterSets(principal), input), input);
    },
  }),
  defineRoute({
    id: 'getParameterSet',
    methods: ['get'],
    paths: pathsOf('/:id'),
    section: 'Parameter sets',
    summary: 'One parameter set with its whole configuration',
    parameters: z.object({ id: parameterSetId }),
    answers: json('The parameter set.', parameterSet, 404),
    answer: async ({ id }, principal, { settings }) => ({
      body: await settings.parameterSet(principal, id),
    }),
  }),
  defineRoute({
    id: 'createParameterSet',
    methods: ['post'],
    paths: pathsOf(''),
    section: 'Parameter sets',
    summary: 'Save a parameter set',
    body: parameterSetInput,
    answers: json('The set as it is stored.', parameterSet, 403),
    async answer(_parameters, principal, { settings }, { parameters, ...input }) {
      const report = readParameters(parameters);
      return { body: await settings.createParameterSet(principal, { ...input, report }) };
    },
  }),
  defineRoute({
    id: 'updateParameterSet',
    methods: ['put'],
    paths: pathsOf('/:id'),
    section: 'Parameter sets',
    summary: 'Change a parameter set; members left out stay as they are',
    parameters: z.object({ id: parameterSetId }),
    body: parameterSetChange,
    answers: json('The set as it is stored now.', parameterSet, 403, 404),
    permit: ({ id }, principal, { settings }) => settings.permit(principal, { parameterSet: id }),
    async answer({ id }, principal, { settings }, { parameters, ...others }) {
      const changes = parameters === undefined ? others : { ...others, report: readParameters(parameters) };
      return { body: await settings.updateParameterSet(principal, id, changes) };
    },
  }),
  // Deletes a parameter set. A set that a digest names is deleted as well: its owner does not see the digests of others, and so
  // could not act upon a refusal. (A category is a record for the audit, and is refused.)
  defineRoute({
    id: 'deleteParameterSet',
    methods: ['delete'],
    paths: pathsOf('/:id'),
    section: 'Parameter sets',
    summary: 'Delete a parameter set; requests with its paramSetId fail afterwards',
    parameters: z.object({ id: parameterSetId }),
    answers: { description: 'It is gone.', content: {}, failures: [403, 404] },
    async answer({ id }, principal, { settings }) {
      await settings.deleteParameterSet(principal, id);
      return { body: undefined };
    },
  }),
  defineRoute({
    id: 'validateParameters',
    methods: ['post'],
    paths: pathsOf('/validate'),
    section: 'Parameter sets',
    summary: 'Validate report parameters',
    body: parametersSchema,
    answers: json('The result.', verdict),
    async answer(_parameters, principal, parts, body) {
      const inner = parametersSchema.safeParse(body.parameters);
      const report = readParameters(inner.success ? inner.data : body);
      return verdictOf(await problemsOfSaved(report, principal, parts));
    },
  }),
  defineRoute({
    id: 'validateParameterSet',
    methods: ['get'],
    paths: pathsOf('/:id/validate'),
    section: 'Parameter sets',
    summary: 'Validate a parameter set',
    parameters: z.object({ id: parameterSetId }),
    answers: json('The result.', verdict, 404),
    async answer({ id }, principal, parts) {
      const { report } = await parts.settings.parameterSet(principal, id);
      return verdictOf(await problemsOfSaved(report, principal, parts));
    },
  }),
];

function verdictOf(messages: readonly string[]) {
  return { body: { valid: messages.length === 0, messages } };
}

function pageReply(sets: readonly ParameterSet[], input: Parameters<typeof pagePart>[1]) {
  const { found, ...place } = pagePart(sets, input);
  return { body: { ...place, parameterSets: found, elements: found } };
}
