import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { inStatus } from '../../../output/figure-words.ts';
import { endedVisits } from '../../outcomes/ended-visits.ts';
import type { Aging, AgingIssue } from '../aging/aging-answer.ts';
import { measureAging } from '../figures/aging-figures.ts';
import {
  baselineSince,
  baselineUntil,
  MIN_VISITS,
  USUAL_DAYS,
  USUAL_PERCENT,
} from '../figures/cycle-percentiles.ts';
import type { AnswerContext } from '../question-kind.ts';
import { visitParts } from './explain-parts.ts';
import { explainTarget, targetFigure } from './explain-target.ts';
import {
  compose,
  type FigureName,
  figureId,
  longestFirst,
  partOf,
  percentileRule,
  unknownFigure,
} from './explanation.ts';

/** The targets of the issues, the age of each, and what is usual where it is. */
export function agingFigures({ issues, provenance }: Aging): readonly FigureChoice[] {
  const targets = issues.flatMap(({ project, target }) =>
    target === null ? [] : [targetFigure({ project, ...target }, provenance.calendar)],
  );
  return [
    ...new Map(targets.map((one) => [one.id, one])).values(),
    ...issues.flatMap(({ key, status, usual: baseline }) => [
      { id: figureId('ageMs', key), title: `${key}: time ${inStatus(status.name)}` },
      ...(baseline === null
        ? []
        : [{ id: figureId('usual', key), title: `${key}: usual time ${inStatus(status.name)}` }]),
    ]),
  ];
}

/** An issue of an answer, and the provenance of its ages. */
interface AgedIssue extends Pick<Aging, 'provenance'> {
  readonly issue: AgingIssue;
}

/**
 * Explains a target, an age by its visit, and a usual time by the visits it is made of. `find` finds an issue of the answer by
 * its key; undefined: it is not in it. By default it is measured alone.
 */
export async function explainAging(
  figure: FigureName,
  { calendar, timeZone }: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>,
  context: AnswerContext,
  find: (key: string) => Promise<AgedIssue | undefined> = async (key) => {
    const selection = { by: 'keys', keys: [key] } as const;
    const { aging } = await measureAging({ selection, calendar, timeZone, assignees: null }, context);
    const [issue] = aging.issues;
    return issue && { issue, provenance: aging.provenance };
  },
): Promise<Explanation> {
  const { kind, words } = figure;
  if (kind === 'target') return explainTarget(figure, { calendar, timeZone }, context);
  const key = words.join(':');
  if (key === '' || (kind !== 'ageMs' && kind !== 'usual')) throw unknownFigure();
  const found = await find(key);
  if (found === undefined) throw unknownFigure();
  const { issue, provenance } = found;
  return kind === 'ageMs'
    ? explainAge(issue, calendar, context)
    : explainBaseline(issue, calendar, provenance, context);
}

async function explainAge(
  { key, status, ageMs }: AgingIssue,
  calendar: string,
  { principal, asOf, parts: { reporting } }: AnswerContext,
): Promise<Explanation> {
  const { visits, facts, provenance } = await visitParts({ principal, calendar, key, asOf }, reporting);
  const last = visits.at(-1);
  return compose(
    {
      title: `${key}: time ${inStatus(status.name)}`,
      value: { kind: 'duration', value: ageMs },
      rules: ['Only the current stay counts, not earlier ones in this status.'],
      parts: last === undefined ? [] : [{ ...last.part, label: status.name, link: facts.link }],
      adds: true,
    },
    provenance,
    asOf,
  );
}

async function explainBaseline(
  { project, status, usual: baseline }: AgingIssue,
  calendar: string,
  provenance: Aging['provenance'],
  { principal, asOf, parts: { reporting } }: AnswerContext,
): Promise<Explanation> {
  if (baseline === null) throw unknownFigure();
  const until = baselineUntil(asOf);
  const input = { principal, calendar, asOf: until, since: baselineSince(until) };
  const visits = await endedVisits(project, input, reporting);
  const counted = visits.filter(({ statusId }) => statusId === status.id);
  return compose(
    {
      title: `Usual time ${inStatus(status.name)} for ${project}`,
      value: { kind: 'duration', value: baseline.p85Ms },
      rules: [
        `Based on stays of ${project} issues in this status that ended in the last ${USUAL_DAYS} days.`,
        percentileRule(USUAL_PERCENT),
        `At least ${MIN_VISITS} stays are needed. Those with a part missing in a cut history are left out.`,
      ],
      parts: longestFirst(
        counted.map(({ key, link, start, end, ms }) =>
          partOf({ label: key, link, from: start, until: end, wallMs: end - start, countedMs: ms }),
        ),
      ),
      adds: false,
    },
    provenance,
    asOf,
  );
}
