import { z } from 'zod';
import { flag, text, wholeNumber } from '../../parameters/parameter.ts';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { delegationJson } from '../wire/delegation-json.ts';
import { delegationPageSchema } from '../wire/delegation-schema.ts';

const MOST_RESULTS = 100;

/** The delegations somebody may see. */
export const delegations = defineRoute({
  methods: ['get'],
  paths: delegationPaths('delegation'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'The delegations you can see, by id, in pages',
  parameters: z.object({
    startAt: wholeNumber(0, 1_000_000_000)
      .default(0)
      .meta({ description: 'Index of the first delegation of the page, counted from 0.' }),
    maxResults: wholeNumber(1, 1_000_000_000)
      .transform((wanted) => Math.min(wanted, MOST_RESULTS))
      .default(MOST_RESULTS)
      .meta({
        description: `How many a page has at most; more than ${MOST_RESULTS} means ${MOST_RESULTS}.`,
      }),
    includeExpired: flag.default(false).meta({ description: 'Whether expired ones are included.' }),
    delegator: text.optional().meta({ description: 'User name: only those of this delegator.' }),
    delegate: text.optional().meta({ description: 'User name: only those that name this delegate.' }),
    notes: text.default('').meta({ description: 'Only those whose notes hold this, in any case.' }),
  }),
  answers: {
    description: 'One page; total counts all that match.',
    content: { 'application/json': delegationPageSchema },
    failures: [403, 404],
  },
  async answer(asked, principal, parts) {
    const { startAt, maxResults, includeExpired, delegator = null, delegate = null, notes } = asked;
    const query = { includeExpired, delegator, delegate, notes, start: startAt, size: maxResults };
    const { values, total } = await parts.delegations.delegations(principal, query);
    return { body: { total, startAt, pageSize: maxResults, values: values.map(delegationJson) } };
  },
});
