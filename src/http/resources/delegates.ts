import { z } from 'zod';
import type { DelegateQuestion } from '../../api/delegations/delegation-api.ts';
import type { Principal } from '../../model/request.ts';
import { text } from '../../parameters/parameter.ts';
import { wallTimeOf } from '../../time/date-text.ts';
import { instantOf } from '../../time/wall-clock.ts';
import { defineRoute, json } from '../define-route.ts';
import { delegationPaths, serverTime } from '../delegation-wire.ts';

const asOf = z
  .string()
  .meta({ description: 'The time looked at: yyyy-MM-dd HH:mm:ss Z in the zone of the server.' });
const category = z.string().meta({ description: 'The name as it is stored.' });
const people = z.array(z.string());

/** Who covers for a person. */
const delegatesAnswer = z
  .object({ delegator: z.string(), asOf, category, delegates: people })
  .meta({ id: 'Delegates', description: 'Who covers for a person.' });

/** The people a person covers for. */
const delegatorsAnswer = z
  .object({ delegate: z.string(), asOf, category, delegators: people })
  .meta({ id: 'Delegators', description: 'The people a person covers for.' });

/** Who covers for those who cover. */
const chainAnswer = z
  .object({
    delegator: z.string(),
    asOf,
    category,
    paths: z.array(
      z.object({
        people: people.meta({ description: 'User names, the delegator first.' }),
        backTo: z
          .string()
          .nullable()
          .meta({ description: 'The person who would be next again where delegates are away in a circle.' }),
      }),
    ),
    more: z.boolean().meta({ description: 'Further paths were left out: there are too many.' }),
  })
  .meta({ id: 'DelegationChain', description: 'Who covers for those who cover.' });

/** `yyyy-MM-dd HH:mm:ss` on the wall clock of the server, in ms as if it were UTC. */
const serverDatetime = z
  .string()
  .transform((given, context) => {
    const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(given.trim()) ?? [];
    // No clock has shown the year 0.
    const wall = Number(parts[0]) > 0 ? wallTimeOf(parts.map(Number)) : null;
    if (wall !== null) return wall;
    context.addIssue('is not a date with a time. Try: yyyy-MM-dd HH:mm:ss');
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['2024-12-18 18:00:00'] });

/** What every look-up takes besides whom it is about. */
const lookUpParameters = {
  category: text.meta({
    description:
      'general, or the name of a category, in any case. A named one is covered by general as well.',
    examples: ['general'],
  }),
  datetime: serverDatetime.optional().meta({
    description:
      'The time to look at, yyyy-MM-dd HH:mm:ss in the time zone of the server; now if left out. A time that daylight saving skips is moved forward; of one that occurs twice, the first counts.',
  }),
};

/** The question behind checked parameters; its time is read in the zone of the server. */
function readDelegateQuestion(
  person: string,
  asked: { readonly category: string; readonly datetime?: number | undefined },
  principal: Principal,
  timeZone: string,
): DelegateQuestion {
  const { category, datetime } = asked;
  return { principal, person, category, asOf: datetime === undefined ? null : instantOf(datetime, timeZone) };
}

const ofLookUps = { dialect: 'look-up', section: 'Delegations' } as const;

/** Who covers for a person. */
const delegatesOf = defineRoute({
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
  async answer({ delegator, ...asked }, principal, { delegations, timeZone }) {
    const question = readDelegateQuestion(delegator, asked, principal, timeZone);
    const { person, asOf, category, others } = await delegations.delegatesOf(question);
    return { body: { delegator: person, asOf: serverTime(asOf, timeZone), category, delegates: others } };
  },
});

/** The people a person covers for. */
const delegatorsOf = defineRoute({
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
  async answer({ delegate, ...asked }, principal, { delegations, timeZone }) {
    const question = readDelegateQuestion(delegate, asked, principal, timeZone);
    const { person, asOf, category, others } = await delegations.delegatorsOf(question);
    return { body: { delegate: person, asOf: serverTime(asOf, timeZone), category, delegators: others } };
  },
});

/** Who covers for those who cover. */
const delegationChain = defineRoute({
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
  async answer({ delegator, ...asked }, principal, { delegations, timeZone }) {
    const question = readDelegateQuestion(delegator, asked, principal, timeZone);
    const { person, asOf, category, paths, more } = await delegations.chainOf(question);
    return { body: { delegator: person, asOf: serverTime(asOf, timeZone), category, paths, more } };
  },
});

/** Every look-up of delegates. */
export const lookUpRoutes = [delegatesOf, delegatorsOf, delegationChain];
