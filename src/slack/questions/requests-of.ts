import type { Principal } from '../../model/principal.ts';
import type { AgingQuestion, Question } from '../../model/question.ts';
import { ask, type ReportRequest } from '../../model/request.ts';

/** Requests that are right exactly where what somebody typed of a question is; its dates are for later. */
export function requestsOf(question: Question, principal: Principal): readonly ReportRequest[] {
  const overall = { principal, reportType: 'statusDuration' } as const;
  switch (question.kind) {
    case 'report':
      return [ask({ ...question.request, principal, timeZone: question.timeZone })];
    case 'weekly':
    case 'aging':
      return [ask({ ...overall, selection: question.selection, ...measured(question) })];
    case 'compare':
      return question.sides.map(({ selection }) => ask({ ...overall, selection, ...measured(question) }));
    case 'issue':
    case 'mine':
    case 'saved':
      return [];
  }
}

function measured({ calendar, timeZone }: Pick<AgingQuestion, 'calendar' | 'timeZone'>) {
  return { calendar, timeZone };
}
