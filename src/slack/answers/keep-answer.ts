import type { Answer, AnswersApi } from '../../api/answers.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question, Run } from '../../model/question.ts';

/**
 * Keeps what an answer answered. Of a saved parameter set that is what it asked for then: others may not read the set,
 * and it may change.
 */
export function keepAnswer(
  account: string,
  answer: Answer,
  { keep }: Pick<AnswersApi, 'keep'>,
): Promise<Run> {
  const { question, asOf } = askedBy(answer);
  return keep(account, question, asOf);
}

function askedBy({ question, asOf, told }: Answer): { readonly question: Question; readonly asOf: Instant } {
  if (question.kind !== 'saved' || told.kind !== 'report') return { question, asOf };
  const { principal: _principal, asOf: own, page: _page, dateRange, ...request } = told.request;
  const range =
    dateRange === null
      ? null
      : ({ field: dateRange.field, when: { by: 'dates', from: dateRange.from, to: dateRange.to } } as const);
  const { timeZone } = question;
  return { question: { kind: 'report', request, range, timeZone }, asOf: own ?? asOf };
}
