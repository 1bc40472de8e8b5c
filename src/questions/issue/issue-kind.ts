import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import type { Instant, StatusCategory } from '../../model/issue.ts';
import type { AudienceScope, Principal } from '../../model/permissions.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import { ask, type ReportRequest, type Statistic, type TimePeriod } from '../../model/request.ts';
import { cellOf, type IssueFacts, type Provenance, type Table, type UnknownTime } from '../../model/table.ts';
import { whenReadable } from '../figures/cycle-percentiles.ts';
import { statusTimesOf } from '../figures/list-request.ts';
import { mergeScopes, observedStatuses, type ReadVisit, readVisits } from '../figures/read-table.ts';
import type { AnswerContext, QuestionKind } from '../kind.ts';
import type { Hours, QuestionReader } from '../parse/parser-context.ts';
import { takeTails, unitOf } from '../parse/take-tails.ts';
import { oneOf, readIssueKeys } from '../parse/typed-words.ts';
import type { NamedPerson } from '../view/wording.ts';
import { explainIssue, issueFigures } from './explain-issue.ts';
import { issueView } from './issue-view.ts';

/** The time (working ms) an issue spent in one status within a phase of its life. */
export interface StageTime {
  readonly id: string;
  readonly status: string;
  readonly category: StatusCategory;
  readonly visits: number;
  readonly ms: number;
  /** The issue is in this status at the as-of instant. */
  readonly now: boolean;
}

/** Where an issue is, and since when; `since` and `forMs` (working ms) are null where a cut history does not show it. */
export interface CurrentStage {
  readonly id: string;
  readonly title: string;
  readonly category: StatusCategory;
  readonly since: Instant | null;
  readonly forMs: number | null;
}

/**
 * One issue: what it is doing now, and where its time went. Its life has three phases: `before` work began, the `stages`
 * of the work until it was done or until now, and `after` it was done; each in workflow order.
 */
export interface IssueSummary {
  readonly key: string;
  /** Key in upper case. */
  readonly project: string;
  readonly summary: string;
  readonly link: string | null;
  readonly assignee: NamedPerson | null;
  readonly created: Instant;
  readonly before: readonly StageTime[];
  readonly stages: readonly StageTime[];
  readonly after: readonly StageTime[];
  /** All of `stages`; of a finished issue its cycle time. */
  readonly tookMs: number;
  /** When it first entered a status of category In Progress; null where it never did, or where that is unknown. */
  readonly begun: Instant | null;
  /** When it was last done, by whom, and how often it was done; null where it is open, or where that is unknown. */
  readonly finish: { readonly at: Instant; readonly by: NamedPerson | null; readonly rounds: number } | null;
  /** It was done before, and is open again. */
  readonly reopened: boolean;
  /** Null where neither the history nor the tracker shows it. */
  readonly current: CurrentStage | null;
  /** Statuses without a known category, so that nothing tells work from waiting. */
  readonly withoutCategory: readonly string[];
  readonly unknown: UnknownTime | null;
  readonly history: IssueFacts['history'];
  readonly contradictions: number;
  readonly provenance: Provenance;
}

/** What is usual (working ms): of the status an open issue is in, or of the cycle times of a finished issue's project. */
export interface UsualTime {
  readonly p85: number;
}

/** An issue, what is usual for it, and its time by something else than its statuses where that was asked for. */
export interface IssueAnswer extends IssueSummary {
  readonly usual: UsualTime | null;
  /** The principal is its assignee. */
  readonly isOwn: boolean;
  readonly by: { readonly table: Table; readonly request: ReportRequest } | null;
  /** What issues the answer is about without `usual`. */
  readonly ownScope: AudienceScope | null;
}

/** Which hours count, a calendar's id or `normalHours`, and as of which instant; null: now. */
type IssueMeasure = Pick<ReportRequest, 'calendar' | 'asOf'>;

/** Summarizes one issue until an instant; `unknown-issue` where the principal cannot see it. Of other issues it takes the order of statuses alone. */
export async function summarizeIssue(
  reporting: ReportingApi,
  principal: Principal,
  key: string,
  { calendar, asOf: asked }: IssueMeasure = { calendar: 'normalHours', asOf: null },
): Promise<IssueSummary> {
  const selection = { by: 'keys', keys: [key.toUpperCase()] } as const;
  const whole = { principal, selection, calendar, includeDeletedStatuses: true };
  const table = await reporting.report(
    ask({ ...whole, reportType: 'statusDuration', asOf: asked, fields: ['status', 'assignee'] }),
  );
  const [facts] = table.issues;
  if (facts === undefined) throw new Error(`The report lost the issue ${key}`);
  const { asOf } = table.provenance;
  const expanded = await reporting.report(ask({ ...whole, reportType: 'statusDurationExpanded', asOf }));
  // While the tracker is read for the first time nothing but single issues is known.
  const readable = await whenReadable(() => reporting.statuses(principal));
  const known = readable ?? [];
  const statuses = observedStatuses(table, known);
  const categories = new Map(known.map(({ id, category }) => [id, category]));
  const visits = readVisits(expanded);
  const phases = phasesOf(visits, facts, (id) => categories.get(id) ?? 'Undefined');
  const [current] = facts.current;
  const timesOf = (some: readonly ReadVisit[]): StageTime[] =>
    statuses.flatMap(({ id, title, category }) => {
      const own = some.filter(({ status }) => status?.id === id);
      if (own.length === 0) return [];
      const now = current?.columnId === id && own.some(({ end }) => end === null);
      const ms = own.reduce((sum, visit) => sum + visit.ms, 0);
      return [{ id, status: title, category, visits: own.length, ms, now }];
    });
  const assignee = cellOf(facts.cells, 'assignee');
  const stages = timesOf(phases.stages);
  return {
    ...{ key: facts.key, project: projectKeyOf(facts).toUpperCase() },
    summary: String(cellOf(facts.cells, 'summary')?.value ?? ''),
    link: facts.link,
    assignee: assignee === undefined ? null : { id: assignee.id ?? null, name: String(assignee.value) },
    created: facts.created,
    ...{ before: timesOf(phases.before), stages, after: timesOf(phases.after) },
    tookMs: stages.reduce((sum, { ms }) => sum + ms, 0),
    ...{ begun: phases.begun, finish: finishOf(phases), reopened: phases.reopened },
    current: currentOf(facts, visits.at(-1), (id) => categories.get(id) ?? 'Undefined'),
    withoutCategory: statuses.flatMap(({ title, category }) =>
      readable !== null && category === 'Undefined' ? [title] : [],
    ),
    unknown: facts.unknown,
    ...{ history: facts.history, contradictions: facts.contradictions },
    provenance: table.provenance,
  };
}

/** The visits of the phases of an issue's life. */
export interface Phases {
  readonly before: readonly ReadVisit[];
  readonly stages: readonly ReadVisit[];
  readonly after: readonly ReadVisit[];
  readonly begun: Instant | null;
  readonly rounds: number;
  readonly reopened: boolean;
}

/**
 * Work begins with the first visit of a status of category In Progress and ends with the last move from another category to
 * Done, as for every cycle time (docs/metrics.md). Where a category is unknown, nothing says when work began and all time
 * until it was done is a stage; where a history is cut, all known time is.
 */
export function phasesOf(
  visits: readonly ReadVisit[],
  { unknown }: Pick<IssueFacts, 'unknown'>,
  categoryOf: (status: string) => StatusCategory,
): Phases {
  if (unknown !== null) {
    return { before: [], stages: visits, after: [], begun: null, rounds: 0, reopened: false };
  }
  const categories = visits.map(({ status }) => (status === null ? 'Undefined' : categoryOf(status.id)));
  const doneFrom = categories.findLastIndex((category) => category !== 'Done') + 1;
  const begin = categories.includes('Undefined') ? -1 : categories.indexOf('In Progress');
  const work = begin !== -1 ? begin : categories.includes('Undefined') ? 0 : doneFrom;
  // A run of Done statuses is one finish.
  const rounds = categories.filter(
    (category, i) => category === 'Done' && categories[i - 1] !== 'Done',
  ).length;
  return {
    before: visits.slice(0, work),
    stages: visits.slice(work, doneFrom),
    after: visits.slice(doneFrom),
    begun: begin === -1 ? null : (visits[begin]?.start ?? null),
    rounds,
    reopened: rounds > 0 && doneFrom === visits.length,
  };
}

function finishOf({ before, stages, after, rounds }: Phases): IssueSummary['finish'] {
  const [first] = after;
  // One that was created as done was never worked on here.
  if (first === undefined || before.length + stages.length === 0) return null;
  return { at: first.start, by: first.by, rounds };
}

function currentOf(
  { current: [current], cells }: IssueFacts,
  last: ReadVisit | undefined,
  categoryOf: (status: string) => StatusCategory,
): CurrentStage | null {
  if (current === undefined) {
    const shown = cellOf(cells, 'status');
    if (shown?.id === undefined) return null;
    const { id, value } = shown;
    return { id, title: String(value), category: categoryOf(id), since: null, forMs: null };
  }
  const { columnId: id, title, since } = current;
  const isLast = last?.status?.id === id && last.end === null;
  return { id, title, category: categoryOf(id), since, forMs: since === null || !isLast ? null : last.ms };
}

/** Where the time of one issue went; `by` absent: by status. */
export interface IssueQuestion extends MeasuredQuestion {
  readonly kind: 'issue';
  readonly key: string;
  readonly by?: { readonly reportType: string; readonly timePeriod?: TimePeriod };
}

/** The question where the time of an issue went, by the hours of here. */
export function issueQuestion(key: string, { calendar, timeZone }: Hours): IssueQuestion {
  return { kind: 'issue', key, calendar, timeZone };
}

/** `/tis WEB-350 [by assignee|week|month|REPORT] [in CALENDAR] [in hours]`. */
export const issueKind: QuestionKind<IssueQuestion, IssueAnswer> = {
  kind: 'issue',
  commands: [],
  selections: ({ key }) => [{ by: 'keys', keys: [key] }],
  ranges: () => [],
  async answer(question, context) {
    const value = await answerIssue(question, context);
    return { value, contents: value.provenance.contents ?? null };
  },
  isEmpty: () => false,
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  withoutBaseline: (value) => ({ value: { ...value, usual: null }, contents: value.ownScope }),
  title: ({ key, by }) => `the time of ${key}${by === undefined ? '' : ` by ${byWords(by)}`}`,
  view: issueView,
  figures: issueFigures,
  explain: (figure, question, { principal, asOf, parts }) =>
    explainIssue(figure, question, principal, asOf, parts.reporting),
  fileFacts: ({ key, by }) => ({
    selection: { by: 'keys', keys: [key] },
    reportType: by?.reportType ?? 'statusDuration',
  }),
  file: async ({ key, calendar, by }, context) => ({
    ...statusTimesOf([key.toUpperCase()], { calendar }, context),
    ...by,
  }),
};

/** One issue with what is usual for it; the same with or without `by`. */
export async function answerIssue(
  { key, calendar, by }: IssueQuestion,
  { principal, asOf, parts }: AnswerContext,
): Promise<IssueAnswer> {
  const { reporting } = parts;
  const issue = await summarizeIssue(reporting, principal, key, { calendar, asOf });
  const ownScope = issue.provenance.contents ?? null;
  const { usual, contents } = await usualOf(issue, calendar, { principal, asOf, parts });
  const both = usual === null ? ownScope : mergeScopes(ownScope, contents);
  const { contents: _, ...provenance } = issue.provenance;
  const request =
    by === undefined
      ? null
      : ask({
          ...{ principal, asOf, calendar, selection: { by: 'keys', keys: [issue.key] } },
          ...{ ...by, includeDeletedStatuses: true, statistic: total },
        });
  return {
    ...issue,
    provenance: both === null ? provenance : { ...provenance, contents: both },
    usual,
    isOwn: issue.assignee?.id === principal.account,
    by: request === null ? null : { request, table: await reporting.report(request) },
    ownScope,
  };
}

/** Of one issue every statistic is its own figure. */
const total: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 };

/** Nothing is usual for what was not begun, and a service elsewhere would be asked for all of its issues. */
async function usualOf(
  { project, current, finish, begun }: IssueSummary,
  calendar: string,
  { principal, asOf, parts }: AnswerContext,
): Promise<{ readonly usual: UsualTime | null; readonly contents: AudienceScope | null }> {
  const nothing = { usual: null, contents: null };
  if (parts.reporting.scan === undefined || current === null) return nothing;
  if (current.category === 'Done') {
    if (finish === null || begun === null) return nothing;
    const found = await whenReadable(() => parts.cyclePercentiles(principal, project, calendar, asOf));
    const p85 = found?.p85 ?? null;
    return p85 === null ? nothing : { usual: { p85 }, contents: found?.contents ?? null };
  }
  const found = await whenReadable(() => parts.dwellPercentiles(principal, [project], calendar, asOf));
  const usual = found?.get(project)?.byStatus.get(current.id) ?? null;
  return usual === null ? nothing : { usual, contents: found?.get(project)?.contents ?? null };
}

/**
 * Reads `KEY [by …] [in CALENDAR] [in hours]`, the ends in any order; null where the words are no question about one issue.
 */
export const readIssue: QuestionReader = async (words, context) => {
  const [first, ...others] = words;
  const { keys, others: noKeys } = readIssueKeys(first === undefined ? [] : [first.plain]);
  const [key] = keys;
  if (key === undefined || keys.length > 1 || noKeys.length > 0) return null;
  const { rest, tails } = await takeTails(others, ['calendar', 'unit', 'reportType', 'groupBy'], context);
  const { groupBy, timePeriod } = tails;
  const isAssignee = groupBy?.length === 1 && oneOf(['assignee'], groupBy[0]) !== undefined;
  if (rest.length > 0 || (groupBy !== undefined && !isAssignee)) return null;
  const reportType = isAssignee ? 'assigneeDuration' : tails.reportType;
  const by =
    reportType === undefined ? null : { reportType, ...(timePeriod === undefined ? {} : { timePeriod }) };
  const question: IssueQuestion = {
    ...issueQuestion(key, { ...context.hours, calendar: tails.calendar ?? context.hours.calendar }),
    ...(by === null ? {} : { by }),
    ...unitOf(tails),
  };
  return { question, remark: null };
};

function byWords({ reportType, timePeriod }: NonNullable<IssueQuestion['by']>): string {
  if (timePeriod !== undefined) return timePeriod.toLowerCase();
  return reportType === 'assigneeDuration' ? 'assignee' : reportType;
}
