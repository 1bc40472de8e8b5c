import { AppError, nullOn } from '../../../model/error.ts';
import type { Hours, MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import {
  type AudienceScope,
  ask,
  defaultStatistic,
  type Statistic,
  type TimePeriod,
} from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import { mergeScopes } from '../../outcomes/read-table.ts';
import { withKnownCategories } from '../document.ts';
import { blockedTimes } from '../figures/blocked-times.ts';
import { type AnswerContext, figuresOf, type QuestionKind, statusTimesOf } from '../question-kind.ts';
import { figureId, readFigureId, unknownFigure } from '../why/explanation.ts';
import { explainIssue, issueFigures } from './explain-issue.ts';
import { type IssueSummary, issueSchema, issuesSchema, type UsualTime } from './issue-answer.ts';
import { type IssueAnswer, summarizeIssue } from './issue-summary.ts';

/** The report of the moves of an issue: when each was, and who made it. */
export const HISTORY = reportIds.statusDurationExpanded;

/** A question about the time of one issue; `by` absent: by status. `to`: the moves to a status alone, of all that have its name. */
export interface IssueQuestion extends MeasuredQuestion {
  readonly kind: 'issue';
  readonly key: string;
  readonly by?: {
    readonly reportType: string;
    readonly timePeriod?: TimePeriod;
    /** The times are of the stages of the flow, in the place of its statuses. */
    readonly byStage?: true;
    readonly to?: { readonly name: string; readonly ids: readonly string[] };
  };
}

/** The question about the time of an issue, by these hours. */
export function issueQuestion(key: string, { calendar, timeZone }: Hours): IssueQuestion {
  return { kind: 'issue', key, calendar, timeZone };
}

/** `/tis WEB-350 [by assignee|week|month|REPORT] [in CALENDAR] [in hours]`. */
export const issueKind: QuestionKind<IssueQuestion, IssueAnswer> = {
  kind: 'issue',
  selections: ({ key }) => [{ by: 'keys', keys: [key] }],
  answer: async (question, context) => figuresOf(await answerIssue(question, context)),
  isEmpty: () => false,
  withProvenance: (value, change) => ({
    ...value,
    provenance: change(value.provenance),
    by:
      value.by === null
        ? null
        : { ...value.by, table: { ...value.by.table, provenance: change(value.by.table.provenance) } },
  }),
  withoutBaseline: (value) => ({ value: { ...value, usual: null }, contents: value.ownScope }),
  document: {
    schema: issueSchema,
    facts: (issue) => ({ provenance: withKnownCategories(issue.provenance, issue), until: null }),
  },
  figures: issueFigures,
  explain: explainIssue,
  fileFacts: ({ key, by }) => ({
    selection: { by: 'keys', keys: [key] },
    reportType: by?.reportType ?? reportIds.statusDuration,
  }),
  file: async ({ key, calendar, by }, context) => ({
    ...statusTimesOf([key.toUpperCase()], { calendar }, context),
    ...(by === undefined ? {} : reportBy(by)),
  }),
};

/** One issue with what is usual for it; the same with or without `by`. */
async function answerIssue(
  { key, calendar, by }: IssueQuestion,
  { principal, asOf, parts }: AnswerContext,
): Promise<IssueAnswer> {
  const { reporting } = parts;
  const issue = await summarizeIssue(reporting, principal, key, { calendar, asOf });
  const blocked = await blockedTimes([issue.key], { principal, calendar, asOf }, reporting);
  const statusScope = issue.provenance.contents ?? null;
  const ownScope = blocked === null ? statusScope : mergeScopes(statusScope, blocked.contents);
  const { usual, contents } = await usualOf(issue, calendar, { principal, asOf, parts });
  const both = usual === null ? ownScope : mergeScopes(ownScope, contents);
  const { contents: _, ...provenance } = issue.provenance;
  const request =
    by === undefined
      ? null
      : ask({
          principal,
          asOf,
          calendar,
          selection: { by: 'keys', keys: [issue.key] },
          ...reportBy(by),
          includeDeletedStatuses: true,
          statistic: by.reportType === HISTORY ? null : total,
        });
  return {
    ...issue,
    provenance: both === null ? provenance : { ...provenance, contents: both },
    usual,
    blocked: blocked?.byKey.get(issue.key) ?? null,
    isOwn: issue.assignee?.id === principal.account,
    reason: (await parts.reasonsFor([issue.key], asOf)).get(issue.key) ?? null,
    by: request === null ? null : { request, table: await reporting.report(request), to: by?.to ?? null },
    ownScope,
  };
}

/** The value of `by` in a request. */
function reportBy({ reportType, timePeriod, byStage }: NonNullable<IssueQuestion['by']>) {
  return {
    reportType,
    ...(timePeriod === undefined ? {} : { timePeriod }),
    ...(byStage === true ? ({ consolidated: 'stages' } as const) : {}),
  };
}

/** The statistic of one issue, for which every statistic gives the issue's own figure. */
const total: Statistic = { ...defaultStatistic, type: 'sum' };

/** While issues are still being read, what is usual is beside the point. */
const unreadable = nullOn('unavailable');

/** An issue that was not begun has no usual time; nor has one whose service would read all issues of the project for it. */
async function usualOf(
  { project, current, finish, startedAt: begun }: IssueSummary,
  calendar: string,
  { principal, asOf, parts }: AnswerContext,
): Promise<{ readonly usual: UsualTime | null; readonly contents: AudienceScope | null }> {
  const nothing = { usual: null, contents: null };
  if (!parts.reporting.passesOverProjects || current === null) return nothing;
  if (current.kind === 'done') {
    if (finish === null || begun === null) return nothing;
    const found = await parts.cyclePercentiles(principal, project, calendar, asOf).catch(unreadable);
    const p85 = found?.p85 ?? null;
    return p85 === null ? nothing : { usual: { p85Ms: p85 }, contents: found?.contents ?? null };
  }
  const found = await parts.dwellPercentiles(principal, [project], calendar, asOf).catch(unreadable);
  const usual = found?.get(project)?.byStatus.get(current.id) ?? null;
  return usual === null ? nothing : { usual, contents: found?.get(project)?.contents ?? null };
}

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
  async answer({ keys, ...hours }, context) {
    const issues: IssueAnswer[] = [];
    const missing: string[] = [];
    for (const key of keys) {
      const found = await answerIssue(issueQuestion(key, hours), context).catch(nullOn('not-found'));
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
