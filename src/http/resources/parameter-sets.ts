import { z } from 'zod';
import { requestOfSaved } from '../../api/settings/request-of-saved.ts';
import { AppError } from '../../model/error.ts';
import type { ParameterSet, SavedReport } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/request.ts';
import { shown, wholeNumber } from '../../parameters/parameter.ts';
import { parametersOf, readParameters, unknownNames } from '../../parameters/saved-report.ts';
import { defineJsonRoute, defineRoute, json } from '../define-route.ts';
import type { HttpParts } from '../route.ts';
import { pageMembers, pageNumber, pageOf, searchByName, searchParameters } from '../search.ts';
import { isoInstant, madeOf } from '../wire.ts';

const example = { reportType: 'statusDuration', filterType: 'project', projectKey: 'WEB' };

/** A saved report configuration: request parameters by name. */
const parametersSchema = z.record(z.string(), z.unknown()).meta({
  description:
    'Request parameters by name; reportType says what columnsBy says in a request. Checked when the set is used.',
  id: 'Parameters',
  examples: [example],
});

const name = z.string();
const isPublic = z.boolean();
const ownerId = z.string().nullable();

/** What a new set is made of; `ownerId` null is the person who saves it. */
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

/** A change replaces the members it has. */
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

/** A parameter set as it is answered. */
const parameterSet = madeOf(
  ({ report, ...set }: ParameterSet) => ({ ...set, parameters: parametersOf(report) }),
  z
    .object({ ...entryMembers, parameters: parametersSchema, createdAt: isoInstant, updatedAt: isoInstant })
    .meta({ id: 'ParameterSet', description: 'A parameter set with its whole configuration.' }),
);

const page = z
  .object({
    ...pageMembers,
    parameterSets: z.array(entry),
    elements: z.array(entry).meta({ description: 'The same list, under the name that some clients read.' }),
  })
  .meta({ id: 'ParameterSetPage', description: 'A page of parameter sets.' });

/** Whether parameters can be used. */
const verdict = z
  .object({
    valid: z.boolean(),
    messages: z
      .array(z.string())
      .meta({ description: 'What a request with these parameters would be refused for.' }),
  })
  .meta({ id: 'Validation', description: 'Whether parameters can be used.' });

const ofSets = { section: 'Parameter sets' } as const;

/** Sets have two names in the product's documents. */
const pathsOf = (below: string): [string, string] => [
  `/rest/reportSettings${below}`,
  `/rest/parameterSets${below}`,
];

/** The id of a parameter set. One of a wrong form was never given to any, so it is not found like every other. */
const parameterSetId = z.string().meta({ format: 'uuid', description: 'Id of the parameter set.' });

/** The parameter sets a person can use. */
const parameterSets = defineRoute({
  id: 'listParameterSets',
  methods: ['get'],
  paths: pathsOf(''),
  ...ofSets,
  summary: 'The parameter sets you can see: ids and names',
  parameters: z.object({
    pageNumber,
    maxResults: wholeNumber(1, 100)
      .optional()
      .meta({ description: 'How many a page has at most; without it everything is one page.' }),
  }),
  answers: json('Your own and the public sets, for an administrator all, by name.', page),
  async answer({ pageNumber: number, maxResults }, principal, { settings }) {
    const all = await settings.parameterSets(principal);
    const size = maxResults ?? Math.max(1, all.length);
    return pageReply(all, { pageNumber: number, maxResults: size });
  },
});

/** Parameter sets by name. */
const parameterSetsSearch = defineRoute({
  id: 'searchParameterSets',
  methods: ['get'],
  paths: pathsOf('/search'),
  ...ofSets,
  summary: 'Parameter sets by name, in pages',
  parameters: z.object(searchParameters),
  answers: json('One page of the parameter sets found.', page),
  async answer(asked, principal, { settings }) {
    return pageReply(searchByName(await settings.parameterSets(principal), asked), asked);
  },
});

/** One parameter set with its whole configuration. */
const parameterSetById = defineRoute({
  id: 'getParameterSet',
  methods: ['get'],
  paths: pathsOf('/:id'),
  ...ofSets,
  summary: 'One parameter set with its whole configuration',
  parameters: z.object({ id: parameterSetId }),
  answers: json('The parameter set.', parameterSet, 404),
  answer: async ({ id }, principal, { settings }) => ({
    body: await settings.parameterSet(principal, id),
  }),
});

/** Saves a parameter set. */
const parameterSetCreate = defineJsonRoute({
  id: 'createParameterSet',
  methods: ['post'],
  paths: pathsOf(''),
  ...ofSets,
  summary: 'Save a parameter set',
  body: parameterSetInput,
  answers: json('The set as it is stored.', parameterSet, 403),
  async answer(_parameters, principal, { settings }, { parameters, ...input }) {
    const report = readParameters(parameters);
    return { body: await settings.createParameterSet(principal, { ...input, report }) };
  },
});

/** Changes a parameter set. */
const parameterSetUpdate = defineJsonRoute({
  id: 'updateParameterSet',
  methods: ['put'],
  paths: pathsOf('/:id'),
  ...ofSets,
  summary: 'Change a parameter set; members left out stay as they are',
  parameters: z.object({ id: parameterSetId }),
  body: parameterSetChange,
  answers: json('The set as it is stored now.', parameterSet, 403, 404),
  permit: ({ id }, principal, { settings }) => settings.permit(principal, { parameterSet: id }),
  async answer({ id }, principal, { settings }, { parameters, ...others }) {
    const changes = parameters === undefined ? others : { ...others, report: readParameters(parameters) };
    return { body: await settings.updateParameterSet(principal, id, changes) };
  },
});

/**
 * Deletes a parameter set. A set that a digest names is deleted as well: its owner does not see the digests of others, and so
 * could not act upon a refusal. (A category is a record for the audit, and is refused.)
 */
const parameterSetDelete = defineRoute({
  id: 'deleteParameterSet',
  methods: ['delete'],
  paths: pathsOf('/:id'),
  ...ofSets,
  summary: 'Delete a parameter set; what names it by paramSetId fails from then on',
  parameters: z.object({ id: parameterSetId }),
  answers: {
    description: 'It is gone.',
    content: {},
    failures: [403, 404],
  },
  async answer({ id }, principal, { settings }) {
    await settings.deleteParameterSet(principal, id);
    return { body: undefined };
  },
});

/** Whether parameters could be saved and used. They come as they are, or as the member `parameters` of a set. */
const parametersValidate = defineJsonRoute({
  id: 'validateParameters',
  methods: ['post'],
  paths: pathsOf('/validate'),
  ...ofSets,
  summary: 'Whether parameters can be used, and if not, why',
  body: parametersSchema,
  answers: json('The verdict.', verdict),
  async answer(_parameters, principal, parts, body) {
    const inner = parametersSchema.safeParse(body.parameters);
    return verdictOn(readParameters(inner.success ? inner.data : body), principal, parts);
  },
});

/** Whether a saved parameter set can still be used. */
const parameterSetValidate = defineRoute({
  id: 'validateParameterSet',
  methods: ['get'],
  paths: pathsOf('/:id/validate'),
  ...ofSets,
  summary: 'Whether a parameter set can be used, and if not, why',
  parameters: z.object({ id: parameterSetId }),
  answers: json('The verdict.', verdict, 404),
  async answer({ id }, principal, parts) {
    return verdictOn((await parts.settings.parameterSet(principal, id)).report, principal, parts);
  },
});

/**
 * What a saved report would be refused for; nothing where it would run. A report about one issue need not name it: a request
 * that uses it does.
 */
async function verdictOn(
  report: SavedReport,
  principal: Principal,
  parts: Pick<HttpParts, 'reporting' | 'settings' | 'now'>,
) {
  const unknown = unknownNames(report);
  const answer = (messages: readonly string[]) => ({ body: { valid: messages.length === 0, messages } });
  if (unknown.length > 0) {
    return answer(
      unknown.slice(0, 20).map((name) => `'${shown(name)}' is not a parameter that a report takes.`),
    );
  }
  try {
    const request = await requestOfSaved(report, principal, parts);
    if (request !== null) await parts.reporting.check(request);
    return answer([]);
  } catch (error) {
    if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
    return answer(error.details.length === 0 ? [error.message] : error.details);
  }
}

function pageReply(sets: readonly ParameterSet[], asked: Parameters<typeof pageOf>[1]) {
  const { found, ...place } = pageOf(sets, asked);
  return { body: { ...place, parameterSets: found, elements: found } };
}

/** Every route of parameter sets. */
export const parameterSetRoutes = [
  parameterSets,
  parameterSetsSearch,
  parameterSetById,
  parameterSetCreate,
  parameterSetUpdate,
  parameterSetDelete,
  parametersValidate,
  parameterSetValidate,
];
