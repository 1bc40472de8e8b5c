import type { Question } from '../../model/question.ts';
import { type Asker, ask, type ReportRequest } from '../../model/request.ts';

/** Requests that are right exactly where what somebody typed of a question is; its dates are for later. */
export function requestsOf(question: Question, asker: Asker): readonly ReportRequest[] {
  const overall = { asker, reportType: 'statusDuration' } as const;
  switch (question.kind) {
    case 'report':
      return [ask({ ...question.request, asker })];
    case 'weekly':
    case 'aging':
      return [ask({ ...overall, selection: question.selection, calendar: question.calendar })];
    case 'compare':
      return question.sides.map(({ selection }) =>
        ask({ ...overall, selection, calendar: question.calendar }),
      );
    case 'issue':
    case 'mine':
    case 'saved':
      return [];
  }
}
