import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { durationFigures } from '../../engine/statistics.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { DurationFigures, Unknowns } from '../../model/answer.ts';
import type { Sprint } from '../../model/directory.ts';
import { AppError, about, badRequest } from '../../model/error.ts';
import type { Instant, StatusCategory } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import { ask, type Selection } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { isDecided, joinContents } from '../figures/answer-provenance.ts';
import {
  type AskedIssues,
  cycleTimes,
  doubtsOf,
  finishedIssues,
  type IssueLife,
} from '../figures/issue-lives.ts';
import { joinStatuses, type ObservedStatus } from '../figures/observed-statuses.ts';
import { timeWithin } from '../figures/time-within.ts';
import { asLiteral } from '../parse/typed-words.ts';

/** So many sprints before are compared. */
const MOST_BEFORE = 5;

/**
 * What a sprint was like. `sprint` is its id or its name; null: the last one that has begun, with issues of the selection
 * where there is one.
 */
export interface SprintQuestion extends MeasuredQuestion {
  readonly kind: 'sprint';
  readonly sprint: string | null;
  readonly selection: Selection | null;
}

/** A sprint from its start to its end: when it was closed, or the instant it is spoken of while it runs. */
interface SprintSpan {
  readonly id: string;
  readonly name: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly isRunning: boolean;
}

/** The figures of one sprint; durations are working ms. */
export interface SprintFigures {
  readonly span: SprintSpan;
  /** Issues finished within it, its throughput. */
  readonly finished: number;
  /** Issues in it that were not done at its end. */
  readonly carriedOver: number;
  /** Issues that joined it after its start; null where cut histories do not show it. */
  readonly added: number | null;
  readonly cycleTime: DurationFigures;
  /** Time all of its issues spent within it, by status id; statuses of category Done are left out. */
  readonly within: ReadonlyMap<string, number>;
}

/** A sprint beside those before it on its board, the newest of them first. */
export interface SprintReport {
  readonly own: SprintFigures;
  readonly before: readonly SprintFigures[];
  /** In the tracker's order; `before` is the mean of the sprints before, null without one. */
  readonly statuses: readonly {
    readonly id: string;
    readonly title: string;
    readonly category: StatusCategory;
    readonly within: number;
    readonly before: number | null;
  }[];
  readonly doubts: Unknowns;
  readonly provenance: Provenance;
}

/** A sprint and its issues, for its figures and for what explains them. */
export interface SprintIssues extends Pick<SprintFigures, 'span' | 'within'> {
  /** All that were in it at its end. */
  readonly lives: readonly IssueLife[];
  readonly finished: readonly IssueLife[];
  readonly carriedOver: readonly IssueLife[];
  /** Null where cut histories do not show which. */
  readonly added: readonly IssueLife[] | null;
  readonly statuses: readonly ObservedStatus[];
  readonly provenance: Provenance;
  /** What reports over them are asked with. */
  readonly asked: AskedIssues;
}

type Parts = { readonly reporting: ReportingApi };

/**
 * A sprint's throughput, carried-over and added work, cycle times and time in status, beside the five sprints before it.
 * An issue is finished in a sprint where it came to a status of category Done within it and was still there at its end;
 * it was added where it joined after the start, to the millisecond, as Jira's own sprint report has it.
 */
export async function sprintReport(
  question: SprintQuestion,
  principal: Principal,
  asOf: Instant,
  { reporting }: Parts,
): Promise<SprintReport> {
  const { span, before: spansBefore } = await findSprint(question, principal, asOf, reporting);
  const own = await issuesOf(span, question, principal, asOf, reporting);
  const before: SprintIssues[] = [];
  for (const one of spansBefore) {
    before.push(await issuesOf(one, question, principal, asOf, reporting));
    await yieldToOthers();
  }
  const doubts = doubtsOf(own.lives);
  const mean = (id: string) =>
    before.length === 0
      ? null
      : before.reduce((sum, { within }) => sum + (within.get(id) ?? 0), 0) / before.length;
  const observed = joinStatuses([own, ...before].flatMap(({ statuses }) => statuses));
  return {
    own: figuresOf(own),
    before: before.map(figuresOf),
    statuses: observed
      .map(({ id, title, category }) => ({
        ...{ id, title, category },
        within: own.within.get(id) ?? 0,
        before: mean(id),
      }))
      .filter((one) => one.within > 0 || (one.before ?? 0) > 0),
    doubts,
    provenance: {
      ...own.provenance,
      ...contentsOf([own, ...before]),
      reportType: 'sprint',
      query: `sprint = ${span.id}`,
      asOf,
      timeZone: question.timeZone,
      complete:
        own.provenance.cutHistories === 0 && isDecided(own.provenance) && doubts.withoutCategory.length === 0,
    },
  };
}

/** What issues all sprints are about. */
function contentsOf(sprints: readonly SprintIssues[]): Pick<Provenance, 'contents'> {
  const all = sprints.map(({ provenance }) => provenance.contents ?? null).reduce(joinContents);
  return all === null ? {} : { contents: all };
}

function figuresOf({ span, finished, carriedOver, added, within }: SprintIssues): SprintFigures {
  return {
    span,
    finished: finished.length,
    carriedOver: carriedOver.length,
    added: added?.length ?? null,
    cycleTime: durationFigures([cycleTimes(finished)]),
    within,
  };
}

/** The sprint that is meant, and those before it on the same board. `unknown-sprint` for one that is not known. */
export async function findSprint(
  { sprint: id, selection }: Pick<SprintQuestion, 'sprint' | 'selection'>,
  principal: Principal,
  asOf: Instant,
  reporting: Pick<ReportingApi, 'sprints' | 'count'>,
): Promise<{ readonly span: SprintSpan; readonly before: readonly SprintSpan[] }> {
  const all = await reporting.sprints(principal);
  const begun = all
    .flatMap((one) => {
      const span = spanOf(one, asOf);
      return span === null ? [] : [{ board: one.board, span }];
    })
    .toSorted((a, b) => b.span.start - a.span.start);
  const chosen =
    id === null
      ? await lastWithIssues(begun, selection, principal, reporting)
      : (begun.find(({ span }) => span.id === id) ?? begun.find(({ span }) => isNamed(span, id)));
  if (chosen === undefined) throw notFound(id, all);
  const before = begun.filter(({ board, span }) => board === chosen.board && span.start < chosen.span.start);
  return { span: chosen.span, before: before.slice(0, MOST_BEFORE).map(({ span }) => span) };
}

function isNamed({ name }: { readonly name: string }, wanted: string): boolean {
  return foldedName(name) === foldedName(wanted);
}

/** The issues a question names itself; null where it names none. */
export function selectionOf({
  sprint,
  selection,
}: Pick<SprintQuestion, 'sprint' | 'selection'>): readonly [Selection] | null {
  if (sprint === null) return selection === null ? null : [selection];
  return [
    /^\d+$/.test(sprint) ? { by: 'sprint', id: sprint } : { by: 'jql', jql: `sprint = ${asLiteral(sprint)}` },
  ];
}

/** Null for a sprint that has not begun. */
function spanOf({ id, name, state, start, end, completed }: Sprint, asOf: Instant): SprintSpan | null {
  if (state === 'future' || start === null || start > asOf) return null;
  const closed = completed ?? (state === 'closed' ? end : null);
  const isRunning = closed === null || closed > asOf;
  return { id, name, start, end: isRunning ? asOf : Math.max(closed, start), isRunning };
}

async function lastWithIssues<One extends { readonly span: SprintSpan }>(
  begun: readonly One[],
  selection: Selection | null,
  principal: Principal,
  reporting: Pick<ReportingApi, 'count'>,
): Promise<One | undefined> {
  if (selection?.by !== 'project') return begun[0];
  for (const one of begun) {
    const jql = `project = ${asLiteral(selection.project)} AND sprint = ${one.span.id}`;
    const request = ask({ principal, reportType: 'statusCount', selection: { by: 'jql', jql } });
    if ((await reporting.count(request)) > 0) return one;
  }
  return undefined;
}

function notFound(id: string | null, all: readonly Sprint[]): AppError {
  if (id === null) {
    return new AppError('unknown-sprint', 'No sprint found', [
      'No sprint has begun here, or you cannot see its issues. Sprints come from Jira boards and from imports.',
    ]);
  }
  const future = all.find((one) => one.id === id || isNamed(one, id));
  if (future !== undefined) return badRequest(`The sprint '${future.name}' has not begun.`);
  return new AppError('unknown-sprint', 'No sprint found', [
    about('sprint', `'${id}' could not be found, or you cannot see its issues.`),
  ]);
}

/** The issues of a sprint as of its end, and what became of them within it. */
export async function issuesOf(
  span: SprintSpan,
  { calendar }: Pick<SprintQuestion, 'calendar'>,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<SprintIssues> {
  const { id, start, end } = span;
  const count = (at: Instant, selection: Selection) =>
    reporting.report(ask({ principal, reportType: 'statusCount', selection, asOf: at }));
  // Trackers leave an issue in the sprints it was in, so those of now are all there are to look at.
  const { issues } = await count(asOf, { by: 'jql', jql: `sprint = ${id}` });
  const among: Selection = {
    by: 'jql',
    jql: `sprint = ${id}${issues.length === 0 ? '' : ` AND key in (${issues.map(({ key }) => key).join(', ')})`}`,
  };
  const asked = { principal, selection: among, dateRange: null, asOf: end, calendar };
  const [atStart, { lives, statuses, provenance }, within] = await Promise.all([
    count(start, among),
    finishedIssues(asked, reporting),
    timeWithin({ start, end }, asked, reporting),
  ]);
  const known = new Set(atStart.issues.map(({ key }) => key));
  const shown = new Set(statuses.map((status) => status.id));
  return {
    span,
    lives,
    finished: lives.filter(({ finish }) => isWithin(finish?.at ?? null, span)),
    carriedOver: lives.filter(({ open }) => open),
    added: isDecided(atStart.provenance) ? lives.filter(({ facts }) => !known.has(facts.key)) : null,
    within: new Map([...within].filter(([status, ms]) => shown.has(status) && ms > 0)),
    statuses,
    provenance,
    asked,
  };
}

function isWithin(at: Instant | null, { start, end }: SprintSpan): boolean {
  return at !== null && at >= start && at <= end;
}
