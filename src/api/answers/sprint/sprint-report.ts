import { durationFigures } from '../../../engine/measure/statistics.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import type { Provenance } from '../../../model/table.ts';
import { doubtsOf } from '../../outcomes/issue-outcomes.ts';
import type { SprintIssues, SprintOutcomes, SprintSpan, SprintsInput } from '../../outcomes/outcomes-api.ts';
import { isDecided, joinStatuses, mergeScopes } from '../../outcomes/read-table.ts';
import type { ReportingContext } from '../question-kind.ts';
import { findSprint, type SprintQuestion } from './find-sprint.ts';
import type { SprintFigures, SprintReport } from './sprint-answer.ts';

/**
 * A sprint's throughput, carried-over and added work, cycle times and time in status, beside the five sprints before it.
 * An issue is finished in a sprint where it came to a status that is done within it and was still there at its end;
 * it was added where it joined after the start, to the millisecond, as Jira's own sprint report has it.
 */
export async function sprintReport(
  question: SprintQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<SprintReport> {
  const { span, before: spansBefore } = await findSprint(question, { principal, asOf, reporting });
  const elapsed = span.end - span.start;
  // A part of a sprint is compared with the same part of others.
  const cut = (one: SprintSpan): SprintsInput['spans'][number] => {
    const end = span.running ? Math.min(one.end, one.start + elapsed) : one.end;
    return { ...one, end, isCut: end < one.end };
  };
  const spans = [{ ...span, isCut: false }, ...spansBefore.map(cut)];
  const { calendar } = question;
  const all = await reporting.sprintOutcomes({ principal, asOf, calendar, spans });
  const [own, ...before] = all;
  if (own === undefined) throw new Error('There is always a sprint.');
  const doubts = { ...doubtsOf(own.maybe), statusesWithoutCategory: own.withoutCategory };
  const mean = (id: string) =>
    before.length === 0
      ? null
      : before.reduce((sum, { within }) => sum + (within.get(id) ?? 0), 0) / before.length;
  return {
    sprint: figuresOf(own),
    previousSprints: before.map(figuresOf),
    statuses: joinStatuses(all.flatMap(({ statuses }) => statuses))
      .map(({ id, name, category, kind }) => ({
        id,
        name,
        category,
        kind,
        withinMs: unlessNone(own.within.get(id) ?? 0),
        previousMs: unlessNone(mean(id)),
      }))
      .filter(({ withinMs, previousMs }) => withinMs !== null || previousMs !== null),
    ...doubts,
    provenance: {
      ...own.provenance,
      ...contentsOf(all),
      reportType: 'sprint',
      query: `sprint = ${span.id}`,
      asOf,
      timeZone: question.timeZone,
      complete:
        own.provenance.cutHistories === 0 &&
        isDecided(own.provenance) &&
        doubts.statusesWithoutCategory.length === 0,
    },
  };
}

/** The sprint of a question and its issues. */
export async function sprintIssues(
  question: SprintQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<SprintIssues & { readonly span: SprintSpan }> {
  const { span } = await findSprint(question, { principal, asOf, reporting });
  const { calendar } = question;
  const spans = [{ ...span, isCut: false }];
  const [own] = await reporting.sprintOutcomes({ principal, asOf, calendar, spans });
  if (own === undefined) throw new Error('There is always a sprint.');
  return { span, ...(await own.issues()) };
}

function figuresOf({ span, ...own }: SprintOutcomes): SprintFigures {
  const { undecided } = own.provenance;
  return {
    ...span,
    withinMs: Object.fromEntries([...own.within].toSorted(([a], [b]) => compareIds(a, b))),
    finished: countOrNull(own.finished, own.maybe.length + undecided),
    carriedOver: countOrNull(own.open, own.unclear + undecided),
    added: own.added,
    cycleTime: durationFigures(own.cycleTimes),
  };
}

/** The scope of the issues of all sprints. */
function contentsOf(sprints: readonly SprintOutcomes[]): Pick<Provenance, 'contents'> {
  const all = sprints.map(({ provenance }) => provenance.contents ?? null).reduce(mergeScopes);
  return all === null ? {} : { contents: all };
}

/** No time at all is no figure. */
function unlessNone(duration: number | null): number | null {
  return duration === 0 ? null : duration;
}

/** Some is a figure, with what may be missing said beside it; none where some may be missing is not 0. */
function countOrNull(count: number, unknown: number): number | null {
  return count === 0 && unknown > 0 ? null : count;
}
