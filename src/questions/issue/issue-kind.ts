import type { MeasuredQuestion } from '../../model/question.ts';
import { statusTimesOf } from '../figures/list-request.ts';
import type { QuestionKind } from '../kind.ts';
import type { Hours } from '../parse/parser-context.ts';
import { explainIssue, issueFigures } from './explain-issue.ts';
import { type IssueSummary, summarizeIssue } from './issue-summary.ts';
import { issueView } from './issue-view.ts';

/** Where the time of one issue went. */
export interface IssueQuestion extends MeasuredQuestion {
  readonly kind: 'issue';
  readonly key: string;
}

/** The question where the time of an issue went, by the hours of here. */
export function issueQuestion(key: string, { calendar, timeZone }: Hours): IssueQuestion {
  return { kind: 'issue', key, calendar, timeZone };
}

/** `/tis WEB-350`. */
export const issueKind: QuestionKind<IssueQuestion, IssueSummary> = {
  kind: 'issue',
  commands: [],
  selections: ({ key }) => [{ by: 'keys', keys: [key] }],
  ranges: () => [],
  async answer({ key, calendar }, { principal, asOf, parts }) {
    const value = await summarizeIssue(parts.reporting, principal, key, { calendar, asOf });
    return { value, contents: value.provenance.contents ?? null };
  },
  isEmpty: () => false,
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  title: ({ key }) => `the time of ${key}`,
  view: issueView,
  figures: issueFigures,
  explain: (figure, question, { principal, asOf, parts }) =>
    explainIssue(figure, question, principal, asOf, parts.reporting),
  fileFacts: ({ key }) => ({ selection: { by: 'keys', keys: [key] }, reportType: 'statusDuration' }),
  file: async ({ key, calendar }, context) => statusTimesOf([key.toUpperCase()], { calendar }, context),
};
