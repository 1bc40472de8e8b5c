import { z } from 'zod';
import type { DelegateQuestion } from '../../api/delegations/delegation-api.ts';
import { text } from '../../api/parameters/parameter.ts';
import type { Principal } from '../../model/request.ts';
import { instantOf } from '../../time/wall-clock.ts';
import { defineRoute, json } from '../define-route.ts';
import { delegationPaths, serverTime } from '../delegation-wire.ts';
import { lookUpParameters } from '../parameters/delegate-lookup.ts';

const asOf = z.string().describe('Time of the lookup: yyyy-MM-dd HH:mm:ss Z in the zone of the server.');
const category = z.string().describe('The name as it is stored.');
const people = z.array(z.string());

/** The parameters of a look-up of delegates. */
const delegatesAnswer = z
  .object({ delegator: z.string(), asOf, category, delegates: people })
  .meta({ id: 'Delegates', description: 'Who covers for a person.' });

/** The people someone covers for. */
const delegatorsAnswer = z
  .object({ delegate: z.string(), asOf, category, delegators: people })
  .meta({ id: 'Delegators', description: 'The people someone covers for.' });

/** The delegates of delegates. */
const chainAnswer = z
  .object({
    delegator: z.string(),
    asOf,
    category,
    paths: z.array(
      z.object({
        people: people.describe('User names, the delegator first.'),
        backTo: z
          .string()
          .nullable()
          .describe('The next person again, if the delegates are away in a circle.'),
      }),
    ),
    more: z.boolean().describe('Further paths are left out, as there are too many.'),
  })
  .meta({ id: 'DelegationChain', description: 'The delegates of delegates.' });

/** The question behind checked parameters; its time is read in the zone of the server. */
function readDelegateQuestion(
  person: string,
  input: { readonly category: string; readonly datetime?: number | undefined },
  principal: Principal,
  timeZone: string,
): DelegateQuestion {
  const { category, datetime } = input;
  return { principal, person, category, asOf: datetime === undefined ? null : instantOf(datetime, timeZone) };
}

const ofLookUps = { dialect: 'look-up', section: 'Delegations' } as const;

/** Every look-up of delegates. */
export const lookUpRoutes = [
  defineRoute({
    id: 'getDelegates',
    methods: ['get'],
    paths: delegationPaths('delegation/getDelegates'),
    ...ofLookUps,
    summary: 'The delegates of a user in a category at a time',
    parameters: z.object({
      delegator: text.meta({ description: 'User name of the delegator.', examples: ['ada'] }),
      ...lookUpParameters,
    }),
    answers: json(
      'By the start of the delegation, then in the order in which they are named.',
      delegatesAnswer,
      403,
      404,
    ),
    async answer({ delegator, ...input }, principal, { delegations, timeZone }) {
      const question = readDelegateQuestion(delegator, input, principal, timeZone);
      const { person, asOf, category, others } = await delegations.delegatesOf(question);
      return { body: { delegator: person, asOf: serverTime(asOf, timeZone), category, delegates: others } };
    },
  }),
  defineRoute({
    id: 'getDelegators',
    methods: ['get'],
    paths: delegationPaths('delegation/getDelegators'),
    ...ofLookUps,
    summary: 'The delegators of a user in a category at a time',
    parameters: z.object({
      delegate: text.meta({ description: 'User name of the delegate.', examples: ['bob'] }),
      ...lookUpParameters,
    }),
    answers: json('By the start of the delegation.', delegatorsAnswer, 403, 404),
    async answer({ delegate, ...input }, principal, { delegations, timeZone }) {
      const question = readDelegateQuestion(delegate, input, principal, timeZone);
      const { person, asOf, category, others } = await delegations.delegatorsOf(question);
      return { body: { delegate: person, asOf: serverTime(asOf, timeZone), category, delegators: others } };
    },
  }),
  defineRoute({
    id: 'getDelegationChain',
    methods: ['get'],
    paths: delegationPaths('delegation/getChain'),
    ...ofLookUps,
    summary: 'The delegates of a user, their delegates, and so on',
    parameters: z.object({
      delegator: text.meta({
        description: 'User name of the delegator at the start of the chain.',
        examples: ['ada'],
      }),
      ...lookUpParameters,
    }),
    answers: json(
      'Every path from the delegator to a person without a delegate, or back to a person in the path.',
      chainAnswer,
      403,
      404,
    ),
    async answer({ delegator, ...input }, principal, { delegations, timeZone }) {
      const question = readDelegateQuestion(delegator, input, principal, timeZone);
      const { person, asOf, category, paths, more } = await delegations.chainOf(question);
      return { body: { delegator: person, asOf: serverTime(asOf, timeZone), category, paths, more } };
    },
  }),
];
