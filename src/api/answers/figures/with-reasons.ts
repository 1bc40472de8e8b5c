import { countsIn } from '../../nudges/nudges-api.ts';
import type { AgingIssue } from '../aging/aging-answer.ts';
import type { AnswerContext, AnswerParts } from '../question-kind.ts';

/** Issues with the latest answers to nudges about the stays that they are in. */
export async function withReasons(
  issues: readonly AgingIssue[],
  { asOf, parts }: AnswerContext<Pick<AnswerParts, 'reasonsFor'>>,
): Promise<readonly AgingIssue[]> {
  const keys = issues.map(({ key }) => key);
  const reasons = await parts.reasonsFor(keys, asOf);
  return issues.map((issue) => {
    const reason = reasons.get(issue.key);
    const visit = { statusId: issue.status.id, since: issue.since };
    return reason !== undefined && countsIn(reason, visit, asOf) ? { ...issue, reason } : issue;
  });
}
