import { z } from 'zod';
import { text } from '../../parameters/parameter.ts';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { lookUpParameters, readDelegateQuestion } from '../parameters/delegate-question.ts';
import { chainSchema } from '../wire/look-up-schema.ts';
import { serverTime } from '../wire/server-time.ts';

/** Who stands in for those who stand in. */
export const delegationChain = defineRoute({
  methods: ['get'],
  paths: delegationPaths('delegation/getChain'),
  guarded: true,
  dialect: 'look-up',
  section: 'Delegations',
  summary: 'The delegates of a user, their delegates, and so on',
  parameters: z.object({
    delegator: text.meta({ description: 'User name of the delegator at the start of the chain.' }),
    ...lookUpParameters,
  }),
  answers: {
    description:
      'Every path from the delegator to a person without a delegate, or back to a person in the path.',
    content: { 'application/json': chainSchema },
    failures: [403, 404],
  },
  async answer({ delegator, ...asked }, principal, { delegations, timeZone }) {
    const question = readDelegateQuestion(delegator, asked, principal, timeZone);
    const { person, asOf, category, paths, more } = await delegations.chainOf(question);
    return { body: { delegator: person, asOf: serverTime(asOf, timeZone), category, paths, more } };
  },
});
