import { z } from 'zod';

const example = { reportType: 'statusDuration', filterType: 'project', projectKey: 'WEB' };

/** A saved report configuration: request parameters by name. */
export const parametersSchema = z.record(z.string(), z.unknown()).meta({
  description:
    'Request parameters by name; reportType says what columnsBy says in a request. Checked when the set is used.',
  id: 'Parameters',
  examples: [example],
});

const name = z.string();
const isPublic = z.boolean();
const ownerId = z.string().nullable();

/** What is told of a new set; `ownerId` null is whoever saves it. */
export const parameterSetWishSchema = z
  .object({
    name,
    public: isPublic.default(false),
    ownerId: ownerId.default(null),
    parameters: parametersSchema,
  })
  .meta({ id: 'ParameterSetWish', examples: [{ name: 'Web by status', public: true, parameters: example }] });

/** A change replaces the members it has. */
export const parameterSetChangeSchema = z
  .object({
    name: name.exactOptional(),
    public: isPublic.exactOptional(),
    ownerId: ownerId.exactOptional(),
    parameters: parametersSchema.exactOptional(),
  })
  .meta({ id: 'ParameterSetChange', examples: [{ public: false }] });

const entryMembers = { id: z.string(), name, ownerId: z.string(), public: isPublic };
const entry = z.object(entryMembers).meta({ id: 'ParameterSetEntry' });

/** A parameter set as it is answered. */
export const parameterSetSchema = z
  .object({
    ...entryMembers,
    parameters: parametersSchema,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'ParameterSet' });

/** One page of parameter sets. */
export const parameterSetPageSchema = z
  .object({
    pageNumber: z.int(),
    pageSize: z.int(),
    total: z.int(),
    last: z.boolean(),
    parameterSets: z.array(entry),
    elements: z.array(entry).meta({ description: 'The same list, under the name that some clients read.' }),
  })
  .meta({ id: 'ParameterSetPage' });

/** Whether parameters can be used. */
export const validationSchema = z
  .object({
    valid: z.boolean(),
    messages: z
      .array(z.string())
      .meta({ description: 'What a request with these parameters would be refused for.' }),
  })
  .meta({ id: 'Validation' });
