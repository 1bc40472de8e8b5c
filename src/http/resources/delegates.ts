import { z } from 'zod';
import type { DelegateQuestion } from '../../api/delegations/delegation-api.ts';
import { readSpan, spanParameters } from '../../api/parameters/dates.ts';
import { text } from '../../api/parameters/parameter.ts';
import {
  type Category,
  type CategoryId,
  type Coverage,
  type Delegation,
  GENERAL,
  uncoveredReasons,
} from '../../model/delegation.ts';
import type { Principal } from '../../model/request.ts';
import { wallTimeOf } from '../../time/date-text.ts';
import { instantOf } from '../../time/wall-clock.ts';
import { defineRoute, json } from '../define-route.ts';
import {
  delegationMembers,
  delegationOf,
  delegationPaths,
  sentMinute,
  serverTime,
} from '../delegation-wire.ts';

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

/** The parameters of every look-up besides the person. */
const lookUpParameters = {
  category: text.meta({
    description:
      'general, or the name of a category, in any case. A named one is covered by general as well.',
    examples: ['general'],
  }),
  datetime: serverDatetime
    .optional()
    .describe(
      'The time to look at, yyyy-MM-dd HH:mm:ss in the time zone of the server; now if left out. A time that daylight saving skips is moved forward; of one that occurs twice, the first counts.',
    ),
};

const asOf = z.string().describe('Time of the lookup: yyyy-MM-dd HH:mm:ss Z in the zone of the server.');
const category = z.string().describe('The name as it is stored.');
const people = z.array(z.string());

const delegatesAnswer = z
  .object({ delegator: z.string(), asOf, category, delegates: people })
  .meta({ id: 'Delegates', description: 'Who covers for a person.' });

const delegatorsAnswer = z
  .object({ delegate: z.string(), asOf, category, delegators: people })
  .meta({ id: 'Delegators', description: 'The people someone covers for.' });

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

const namedDelegation = z.object({
  ...delegationMembers,
  categories: z.array(z.string()).describe('Names of the categories, or general.'),
});
const spanMembers = {
  from: sentMinute.describe('ISO 8601 in UTC, to the minute.'),
  until: sentMinute.describe('Not included.'),
};

const coverage = z
  .object({
    span: z.object(spanMembers),
    delegations: z.array(namedDelegation).describe('Active at some time in the span.'),
    uncovered: z
      .array(
        z.object({
          person: z.string(),
          category: z.string(),
          reason: z
            .enum(uncoveredReasons)
            .describe(
              'loop: the delegates are away in a circle; gap: one delegation ended and the next is yet to begin; unknown: the tracker knows none of the delegates.',
            ),
          ...spanMembers,
        }),
      )
      .describe('A person is away without cover.'),
    awayToo: z
      .array(
        z.object({
          person: z.string(),
          delegate: z.string(),
          category: z.string(),
          standIns: z
            .array(z.string())
            .nullable()
            .describe(
              "The last people of the delegate's own chain; null without the right to view all delegations.",
            ),
          ...spanMembers,
        }),
      )
      .describe('A delegate is away as well.'),
    ending: z
      .array(namedDelegation)
      .describe('Delegations that end within the span without another right after.'),
  })
  .meta({ id: 'DelegationCoverage', description: 'Who covers for each person in a span of time.' });

/** Cover in a span of time, and where it is missing. */
export const delegationCoverage = defineRoute({
  id: 'getCoverage',
  methods: ['get'],
  paths: delegationPaths('delegation/getCoverage'),
  dialect: 'look-up',
  section: 'Delegations',
  summary: 'Who covers for each person in a span of time, and where cover is missing',
  parameters: z.object(spanParameters),
  answers: json('All delegations; without the right to view all, only those that name you.', coverage, 403),
  async answer(input, principal, { delegations, now, timeZone }) {
    const found = await delegations.coverage(principal, readSpan(input, now(), timeZone));
    return { body: coverageOf(found, await delegations.categories(principal)) };
  },
});

function coverageOf(found: Coverage, categories: readonly Category[]) {
  const names = new Map<CategoryId, string>(categories.map(({ id, name }) => [id, name]));
  const nameOf = (id: CategoryId) => names.get(id) ?? (id === null ? GENERAL : String(id));
  const named = (delegation: Delegation) => ({
    ...delegationOf(delegation),
    categories: delegation.categoryIds.length === 0 ? [GENERAL] : delegation.categoryIds.map(nameOf),
  });
  const withCategory = <One extends { readonly categoryId: CategoryId }>({ categoryId, ...one }: One) => ({
    ...one,
    category: nameOf(categoryId),
  });
  return {
    span: found.span,
    delegations: found.delegations.map(named),
    uncovered: found.uncovered.map(withCategory),
    awayToo: found.awayToo.map(withCategory),
    ending: found.ending.map(named),
  };
}
