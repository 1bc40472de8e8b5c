import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { inStatus } from '../../../output/figure-words.ts';
import { dayWords } from '../../../output/wording.ts';
import { endedVisits } from '../../outcomes/ended-visits.ts';
import { flowAt } from '../../outcomes/issue-flow.ts';
import type { Aging, AgingIssue } from '../aging/aging-answer.ts';
import { type AgingInput, measureAging, readOpen } from '../figures/aging-figures.ts';
import { compareWithTargets, type TargetedPlace } from '../figures/targets.ts';
import {
  baselineSince,
  baselineUntil,
  MIN_VISITS,
  USUAL_DAYS,
  USUAL_PERCENT,
} from '../figures/usual-times.ts';
import type { AnswerContext } from '../question-kind.ts';
import { visitParts } from './explain-parts.ts';
import { explainTarget, targetFigure, targetRule } from './explain-target.ts';
import {
  compose,
  type FigureName,
  figureId,
  longestFirst,
  MAX_PARTS,
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

/** The title of the number of issues that have missed their target. */
export const missedTitle = 'Missed their target';

/** Explains the number of issues that have missed their target by these, the furthest beyond it first, and by those due next. */
export async function explainMissed(input: AgingInput, context: AnswerContext): Promise<Explanation> {
  const { principal, asOf, parts } = context;
  const open = await readOpen(input, context);
  const { provenance } = open;
  const { target, targetsOf, placesIn } = await compareWithTargets(open, input, context);
  if (target === null) throw unknownFigure();
  const started = open.groups.filter(({ isStarted }) => isStarted);
  const flows = await parts.reporting.flows(principal);
  const flowsIn = (project: string) => flows.inProject(project).map((index) => flowAt(flows, index));
  const projects = [...new Set(started.map(({ project }) => project))].sort();
  const places: TargetedPlace[] = [];
  const unknown: string[] = [];
  const rules = new Set<string>();
  const pace = createYieldIfDue();
  for (const group of started) {
    await pace();
    for (const place of placesIn(group)) {
      rules.add(targetRule({ project: group.project, ...place.target }, provenance.calendar));
      if (Number.isNaN(place.leftMs)) unknown.push(group.keyAt(place.index));
      else places.push(place);
    }
  }
  places.sort((a, b) => a.leftMs - b.leftMs);
  const first = places.slice(0, MAX_PARTS);
  const issues = await open.issues(first);
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const targetOf = await targetsOf(issues);
  const dayOf = (at: Instant) => dayWords(at, { timeZone: input.timeZone, near: asOf });
  const dayIn = (at: Instant) => (dayOf(at) === dayOf(asOf) ? 'today' : dayOf(at));
  return compose(
    {
      title: missedTitle,
      value: { kind: 'count', value: target.missed },
      rules: [
        'A started issue has missed its target when its cycle time so far is longer: the time from its first started status until now.',
        ...(projects.some((project) => flowsIn(project).some(({ pauses }) => pauses))
          ? ['Where the flow pauses the clock, time back before the start does not count.']
          : []),
        ...rules,
        'Those furthest beyond their target come first, then those due next.',
      ],
      parts: places.map(({ group, index, leftMs }) => {
        const key = group.keyAt(index);
        const dueAt = targetOf.get(key)?.dueAt ?? null;
        const { summary = '', link = null } = byKey.get(key) ?? {};
        const note = [leftMs < 0 ? 'missed' : 'due', ...(dueAt === null ? [] : [dayIn(dueAt)])];
        const countedMs = group.work[index] ?? null;
        return partOf({ label: `${key} ${summary}`.trim(), link, countedMs, note: note.join(' ') });
      }),
      adds: false,
      denominator: { counted: target.missed, of: places.length },
      excluded: unknown.map((key) => ({ key, reason: 'its history does not show its cycle time so far' })),
    },
    provenance,
    asOf,
  );
}
