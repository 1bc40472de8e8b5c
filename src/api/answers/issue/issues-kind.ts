import { AppError } from '../../../model/error.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import type { AudienceScope } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import { mergeScopes } from '../../outcomes/read-table.ts';
import { statusTimesOf } from '../figures/list-request.ts';
import type { AnswerContext, QuestionKind } from '../question-kind.ts';
import { figureId, readFigureId, unknownFigure } from '../why/explanation.ts';
import { explainIssue, issueFigures } from './explain-issue.ts';
import { issuesSchema } from './issue-answer.ts';
import { answerIssue, issueQuestion } from './issue-kind.ts';
import type { IssueAnswer } from './issue-summary.ts';

/** Several issues side by side. */
export interface IssuesQuestion extends MeasuredQuestion {
  readonly kind: 'issues';
  readonly keys: readonly string[];
}

/** The issues that the principal can see, in the order of the question, and the keys of the others. */
export interface IssuesAnswer {
  readonly issues: readonly IssueAnswer[];
  readonly missing: readonly string[];
  readonly provenance: Provenance;
}

/** `/tis WEB-350 APP-12 [in CALENDAR] [in hours]`. */
export const issuesKind: QuestionKind<IssuesQuestion, IssuesAnswer> = {
  kind: 'issues',
  selections: ({ keys }) => [{ by: 'keys', keys }],
  ranges: () => [],
  async answer({ keys, ...hours }, context) {
    const issues: IssueAnswer[] = [];
    const missing: string[] = [];
    for (const key of keys) {
      const found = await visible(issueQuestion(key, hours), context);
      if (found === null) missing.push(key);
      else if (!issues.some((one) => one.key === found.key)) issues.push(found);
    }
    const [first] = issues;
    if (first === undefined) {
      throw new AppError('unknown-issue', 'No such issue.', [], { data: { field: 'issueKey', keys } });
    }
    const scope = issues
      .map(({ provenance }) => provenance.contents ?? null)
      .reduce((sum: AudienceScope | null, one) => mergeScopes(sum, one));
    const cutHistories = issues.filter(({ history }) => !history.complete).length;
    const provenance = {
      ...first.provenance,
      issues: issues.length,
      cutHistories,
      complete: issues.every((one) => one.provenance.complete),
    };
    return { value: { issues, missing, provenance }, contents: scope };
  },
  isEmpty: () => false,
  withProvenance: (value, change) => ({
    ...value,
    issues: value.issues.map((one) => ({ ...one, provenance: change(one.provenance) })),
    provenance: change(value.provenance),
  }),
  document: { schema: issuesSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: ({ issues }) =>
    issues.flatMap((issue) =>
      issueFigures(issue)
        .slice(0, 2)
        .map(({ id, title }) => ({ id: figureId('issues', issue.key, id), title: `${issue.key}: ${title}` })),
    ),
  explain({ kind, words: [key = '', ...id] }, { calendar }, context) {
    if (kind !== 'issues') throw unknownFigure();
    return explainIssue(readFigureId(id.join(':')), { key, calendar }, context);
  },
  fileFacts: ({ keys }) => ({ selection: { by: 'keys', keys }, reportType: reportIds.statusDuration }),
  file: async ({ keys, calendar }, context) => statusTimesOf(keys, { calendar }, context),
};

/** Null where the principal can see no such issue. */
async function visible(
  question: ReturnType<typeof issueQuestion>,
  context: AnswerContext,
): Promise<IssueAnswer | null> {
  try {
    return await answerIssue(question, context);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}
