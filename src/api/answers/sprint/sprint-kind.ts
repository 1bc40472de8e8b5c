import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import { countOf, inStatus } from '../../../output/figure-words.ts';
import type { IssueOutcome } from '../../outcomes/outcomes-api.ts';
import { isDecided, reaches } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { statusTimesOf } from '../figures/list-request.ts';
import type { QuestionKind, ReportingContext } from '../question-kind.ts';
import { cycleFigures, doubtful, explainCount, explainOutcomes } from '../why/explain-outcomes.ts';
import { explainWithin } from '../why/explain-parts.ts';
import { type FigureName, figureId, shortName, unknownFigure } from '../why/explanation.ts';
import { endOf, type SprintQuestion, selectionOf } from './find-sprint.ts';
import { type SprintReport, sprintSchema } from './sprint-answer.ts';
import { sprintIssues, sprintReport } from './sprint-report.ts';

/** `/tis sprint [NAME | PROJECT | last] [in CALENDAR]`. */
export const sprintKind: QuestionKind<SprintQuestion, SprintReport> = {
  kind: 'sprint',
  selections: (question) => selectionOf(question) ?? [],
  ranges: () => [],
  async answer(question, context) {
    const value = await sprintReport(question, context);
    return { value, contents: value.provenance.contents ?? null };
  },
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
