import { z } from 'zod';
import { text } from '../../parameters/parameter.ts';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { lookUpParameters, readDelegateQuestion } from '../parameters/delegate-question.ts';
import { delegatorsSchema } from '../wire/look-up-schema.ts';
import { serverTime } from '../wire/server-time.ts';

/** For whom somebody stands in. */
export const delegatorsOf = defineRoute({
  methods: ['get'],
  paths: delegationPaths('delegation/getDelegators'),
  guarded: true,
  dialect: 'look-up',
  section: 'Delegations',
  summary: 'The delegators of a user in a category at a time',
  parameters: z.object({
    delegate: text.meta({ description: 'User name of the delegate.' }),
    ...lookUpParameters,
  }),
  answers: {
    description: 'By the start of the delegation.',
    content: { 'application/json': delegatorsSchema },
    failures: [403, 404],
  },
  async answer({ delegate, ...asked }, principal, { delegations, timeZone }) {
    const question = readDelegateQuestion(delegate, asked, principal, timeZone);
    const { person, asOf, category, others } = await delegations.delegatorsOf(question);
    return {
      body: { delegate: person, asOf: serverTime(asOf, timeZone), category, delegators: others },
    };
  },
});
