import type { AudienceScope } from '../../../model/request.ts';
import { emptyScope, mergeScopes } from '../../outcomes/read-table.ts';
import type { AgingIssue } from '../aging/aging-answer.ts';
import { measureAging } from '../figures/aging-figures.ts';
import { withReasons } from '../figures/with-reasons.ts';
import type { AnswerContext } from '../question-kind.ts';
import { nineWeeks, type WeeklyQuestion } from './nine-weeks.ts';
import type { Week } from './weekly-answer.ts';

/** The most issues of a summary. */
const MAX_ISSUES = 3;

/**
 * The started issues furthest beyond what is usual as of the answer, and the scope of that. They show nothing about a week
 * before the last one, so there are none then.
 */
export async function needsAttention(
  { selection, calendar, timeZone }: WeeklyQuestion,
  { start }: Week,
  context: AnswerContext,
): Promise<{ readonly issues: readonly AgingIssue[]; readonly scope: AudienceScope | null }> {
  const { asOf } = context;
  if (start < nineWeeks('last', { asOf, timeZone }).week.start) return { issues: [], scope: emptyScope };
  const input = { selection, calendar, timeZone, assignees: null, backlog: 'out' } as const;
  const { aging, issuesScope, baselineScope } = await measureAging(input, context);
  const first = aging.issues.filter(({ pace }) => (pace ?? 0) > 1).slice(0, MAX_ISSUES);
  return { issues: await withReasons(first, context), scope: mergeScopes(issuesScope, baselineScope) };
}
