import { z } from 'zod';
import { readSpan, spanParameters } from '../../api/parameters/dates.ts';
import {
  type Category,
  type CategoryId,
  type Coverage,
  type Delegation,
  GENERAL,
  uncoveredReasons,
} from '../../model/delegation.ts';
import { defineRoute, json } from '../define-route.ts';
import { delegationMembers, delegationOf, delegationPaths, sentMinute } from '../delegation-wire.ts';

const namedDelegation = z.object({
  ...delegationMembers,
  categories: z.array(z.string()).describe('Names of the categories, or general.'),
});
const spanMembers = {
  from: sentMinute.describe('ISO 8601 in UTC, to the minute.'),
  until: sentMinute.describe('Not included.'),
};

/** Cover in a span of time, in an answer. */
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

/** Coverage in an answer, with the names of categories. */
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
