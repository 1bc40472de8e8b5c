import { z } from 'zod';
import { text } from '../../parameters/parameter.ts';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { lookUpParameters, readDelegateQuestion } from '../parameters/delegate-question.ts';
import { delegatesSchema } from '../wire/look-up-schema.ts';
import { serverTime } from '../wire/server-time.ts';

/** Who stands in for somebody. */
export const delegatesOf = defineRoute({
  methods: ['get'],
  paths: delegationPaths('delegation/getDelegates'),
  guarded: true,
  dialect: 'look-up',
  section: 'Delegations',
  summary: 'The delegates of a user in a category at a time',
  parameters: z.object({
    delegator: text.meta({ description: 'User name of the delegator.' }),
    ...lookUpParameters,
  }),
  answers: {
    description: 'By the start of the delegation, then in the order in which they are named.',
    content: { 'application/json': delegatesSchema },
    failures: [403, 404],
  },
  async answer({ delegator, ...asked }, principal, { delegations, timeZone }) {
    const question = readDelegateQuestion(delegator, asked, principal, timeZone);
    const { person, asOf, category, others } = await delegations.delegatesOf(question);
    return {
      body: { delegator: person, asOf: serverTime(asOf, timeZone), category, delegates: others },
    };
  },
});
