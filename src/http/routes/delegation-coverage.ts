import { z } from 'zod';
import { readSpan, spanParameters } from '../../api/delegations/coverage-span.ts';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { coverageJson } from '../wire/coverage-json.ts';
import { coverageSchema } from '../wire/delegation-schema.ts';

/** Who covers for whom in a span of time, and where nobody does. */
export const delegationCoverage = defineRoute({
  methods: ['get'],
  paths: delegationPaths('delegation/getCoverage'),
  guarded: true,
  dialect: 'look-up',
  section: 'Delegations',
  summary: 'Who covers for each person in a span of time, and where cover is missing',
  parameters: z.object(spanParameters),
  answers: {
    description: 'Of all delegations; without the right to view all, of those that name you.',
    content: { 'application/json': coverageSchema },
    failures: [403],
  },
  async answer(asked, principal, { delegations, now, timeZone }) {
    const coverage = await delegations.coverage(principal, readSpan(asked, now(), timeZone));
    return { body: coverageJson(coverage, await delegations.categories(principal)) };
  },
});
