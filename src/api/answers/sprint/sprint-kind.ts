import { durationFigures } from '../../../engine/measure/statistics.ts';
import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import { countOf, inStatus } from '../../../output/figure-words.ts';
import { doubtsOf } from '../../outcomes/issue-outcomes.ts';
import type {
  IssueOutcome,
  SprintIssues,
  SprintOutcomes,
  SprintSpan,
  SprintsInput,
} from '../../outcomes/outcomes-api.ts';
import { isComplete, isDecided, joinStatuses, mergeScopes, reaches } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { figuresOf, type QuestionKind, type ReportingContext, statusTimesOf } from '../question-kind.ts';
import { cycleFigures, doubtful, explainCount, explainOutcomes } from '../why/explain-outcomes.ts';
import { explainWithin } from '../why/explain-parts.ts';
import { type FigureName, figureId, shortName, unknownFigure } from '../why/explanation.ts';
import { endOf, findSprint, type SprintQuestion, selectionOf } from './find-sprint.ts';
import { type SprintFigures, type SprintReport, sprintSchema } from './sprint-answer.ts';

/** `/tis sprint [NAME | PROJECT | last] [in CALENDAR]`. */
export const sprintKind: QuestionKind<SprintQuestion, SprintReport> = {
  kind: 'sprint',
  selections: (question) => selectionOf(question) ?? [],
  answer: async (question, context) => figuresOf(await sprintReport(question, context)),
  isEmpty: ({ sprint: own, provenance }) =>
    provenance.issues === 0 && isDecided(provenance) && reaches(provenance, endOf(own)),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  document: {
    schema: sprintSchema,
    facts: ({ provenance, sprint }) => ({ provenance, until: endOf(sprint) }),
  },
  figures: sprintFigures,
  explain: explainSprint,
  async file(question, context) {
    const { span, outcomes } = await sprintIssues(question, context);
    const keys = outcomes.map(({ facts }) => facts.key);
    const title = `${countOf(keys.length, 'issue')} within ${span.name}`;
    const list = statusTimesOf(keys, { calendar: question.calendar, title }, context);
    return { ...list, trim: { from: span.start, to: span.end } };
  },
};

/** Finished, carried-over and added issues, the cycle times, and the time in each status within the sprint. */
function sprintFigures({ sprint: own, statuses }: SprintReport): readonly FigureChoice[] {
  const { name, running, cycleTime, added } = own;
  return [
    { id: figureId('finished'), title: `Finished in ${name}` },
    { id: figureId('carriedOver'), title: running ? 'Not done yet' : 'Carried over' },
    ...(added === null ? [] : [{ id: figureId('added'), title: 'Added after the start' }]),
    ...cycleFigures(cycleTime),
    ...statuses
      .filter(({ withinMs }) => withinMs !== null)
      .toSorted((a, b) => Number(a.kind === 'queue') - Number(b.kind === 'queue'))
      .map(({ id, name: title }) => ({
        id: figureId('withinMs', shortName(id)),
        title: `Time ${inStatus(title)} within the sprint`,
      })),
  ];
}

/** Explains a figure of a sprint by the issues it is made of, and by those of which it is unknown whether they belong to it. */
async function explainSprint(
  figure: FigureName,
  question: SprintQuestion,
  context: ReportingContext,
): Promise<Explanation> {
  const { asOf, parts } = context;
  const sprint = await sprintIssues(question, context);
  const explanation = await explainFigure(figure, sprint, asOf, parts.reporting);
  const { undecided } = sprint.provenance;
  const unknown = `Left out: ${countOf(undecided, 'more issue')} that may have been in the sprint.`;
  return {
    ...explanation,
    asOf,
    rules: undecided === 0 ? explanation.rules : [...explanation.rules, unknown],
  };
}

async function explainFigure(
  figure: FigureName,
  {
    span,
    outcomes,
    finished,
    maybe,
    open,
    added,
    statuses,
    provenance,
    input,
  }: Awaited<ReturnType<typeof sprintIssues>>,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<Explanation> {
  const { name, running: isRunning } = span;
  const { undecided } = provenance;
  const unclear = outcomes.filter((outcome) => outcome.unclear !== null);
  switch (figure.kind) {
    case 'withinMs':
      return explainWithin(figure, { ...span, called: name, kind: 'sprint' }, input, reporting);
    case 'carriedOver':
      return explainCount(
        {
          title: isRunning ? `Not done yet in ${name}` : `Carried over from ${name}`,
          rules: [
            'An issue counts if it was in the sprint at its end (or is now, while it runs) and in a status that is not done.',
          ],
          unknown: noneReason('carried over', open, unclear.length + undecided),
        },
        open,
        { outcomes, provenance, asOf },
        doubtful(unclear),
      );
    case 'added':
      if (added === null) throw unknownFigure();
      return explainCount(
        {
          title: `Added to ${name} after the start`,
          rules: [
            'An issue counts if it was not in the sprint yet when the sprint started, and is in it at its end.',
          ],
        },
        added,
        { outcomes, provenance, asOf },
      );
    default: {
      const possible = new Set([...finished, ...maybe]);
      return explainOutcomes(figure, {
        outcomes: finished,
        maybe,
        statuses,
        provenance,
        asOf,
        // Those done before the sprint could not be finished in it.
        of: outcomes.filter((outcome) => outcome.finish === null || possible.has(outcome)),
        called: `issues finished in ${name}`,
        finishedCalled: `Finished in ${name}`,
        finishedWhere:
          'An issue counts if it finished within the sprint, and was in the sprint and still finished at its end.',
        unknown: noneReason('finished', finished, maybe.length + undecided),
      });
    }
  }
}

/** Why it is unknown how many there are, where none is known; null where it is known. */
function noneReason(what: string, counted: readonly IssueOutcome[], possible: number): string | null {
  return counted.length > 0 || possible === 0 ? null : `${countOf(possible, 'issue')} may have been ${what}`;
}

/**
 * A sprint's throughput, carried-over and added work, cycle times and time in status, beside the five sprints before it.
 * An issue is finished in a sprint where it came to a status that is done within it and was still there at its end;
 * it was added where it joined after the start, to the millisecond, as Jira's own sprint report has it.
 */
async function sprintReport(
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
  const contents = all.map(({ provenance }) => provenance.contents ?? null).reduce(mergeScopes);
  const doubts = { ...doubtsOf(own.maybe), statusesWithoutCategory: own.withoutCategory };
  const mean = (id: string) =>
    before.length === 0
      ? null
      : before.reduce((sum, { within }) => sum + (within.get(id) ?? 0), 0) / before.length;
  return {
    sprint: figuresOfSprint(own),
    previousSprints: before.map(figuresOfSprint),
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
      ...(contents === null ? {} : { contents }),
      reportType: 'sprint',
      query: `sprint = ${span.id}`,
      asOf,
      timeZone: question.timeZone,
      complete: isComplete({ ...own, cutHistories: own.provenance.cutHistories }),
    },
  };
}

/** The sprint of a question and its issues. */
async function sprintIssues(
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

function figuresOfSprint({ span, ...own }: SprintOutcomes): SprintFigures {
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

/** No time at all is no figure. */
function unlessNone(duration: number | null): number | null {
  return duration === 0 ? null : duration;
}

/** Some is a figure, with what may be missing said beside it; none where some may be missing is not 0. */
function countOrNull(count: number, unknown: number): number | null {
  return count === 0 && unknown > 0 ? null : count;
}
