import type { IssueQuestion } from '../../model/question.ts';
import type { Hours } from '../hours-here.ts';

/** The question where the time of an issue went, by the hours of here. */
export function issueQuestion(key: string, { calendar, timeZone }: Hours): IssueQuestion {
  return { kind: 'issue', key, calendar, timeZone };
}
