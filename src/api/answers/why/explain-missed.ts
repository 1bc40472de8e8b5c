import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { Explanation } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import { dayWords } from '../../../output/wording.ts';
import { flowAt } from '../../outcomes/issue-flow.ts';
import { type AgingInput, readOpen } from '../figures/aging-figures.ts';
import { compareWithTargets, type TargetedPlace } from '../figures/aging-targets.ts';
import type { AnswerContext } from '../question-kind.ts';
import { targetRule } from './explain-target.ts';
import { compose, MAX_PARTS, partOf, unknownFigure } from './explanation.ts';

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
