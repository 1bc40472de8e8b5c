import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import type { Selection } from '../../../model/request.ts';
import { countOf, inStatus } from '../../../output/figure-words.ts';
import { dayWords } from '../../../output/wording.ts';
import { endedVisits } from '../../outcomes/ended-visits.ts';
import { flowAt } from '../../outcomes/issue-flow.ts';
import { mergeScopes } from '../../outcomes/read-table.ts';
import {
  type AgingInput,
  hasNoneOpen,
  measureAging,
  openKeys,
  readOpen,
  withReasons,
} from '../figures/aging-figures.ts';
import { compareWithTargets, type StartedIssue } from '../figures/targets.ts';
import {
  baselineSince,
  baselineUntil,
  MIN_VISITS,
  USUAL_DAYS,
  USUAL_PERCENT,
} from '../figures/usual-times.ts';
import { type AnswerContext, ofProject, openTimesOf, type QuestionKind } from '../question-kind.ts';
import { visitParts } from '../why/explain-parts.ts';
import { explainTarget, targetFigure, targetRule } from '../why/explain-target.ts';
import {
  compose,
  type FigureName,
  figureId,
  longestFirst,
  MAX_PARTS,
  partOf,
  percentileRule,
  unknownFigure,
} from '../why/explanation.ts';
import { type Aging, type AgingIssue, agingSchema } from './aging-answer.ts';

/** Open issues that have been in their status longer than usual. */
export interface AgingQuestion extends MeasuredQuestion {
  readonly kind: 'aging';
  readonly selection: Selection;
  /** Issues that are not started count as well. */
  readonly backlog?: true;
}

/** The name of the figure that counts issues which have missed their target. */
const MISSED = 'missed';

/** No page has more issues; watches, which show no reasons, take all there are. */
const MAX_REASONS = 100;

/** `/tis aging [FILTER] [with backlog] [in CALENDAR]`. */
export const agingKind: QuestionKind<AgingQuestion, Aging> = {
  kind: 'aging',
  selections: ({ selection }) => [selection],
  async answer(question, context) {
    const { aging, issuesScope, baselineScope } = await measureAging(agingInput(question), context);
    const { start, size } = context.parts.part;
    const end = start + Math.min(size, MAX_REASONS);
    const shown = await withReasons(aging.issues.slice(start, end), context);
    const issues = [...aging.issues.slice(0, start), ...shown, ...aging.issues.slice(end)];
    return { value: { ...aging, issues }, contents: mergeScopes(issuesScope, baselineScope) };
  },
  isEmpty: hasNoneOpen,
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  listLength: ({ total: count }) => count,
  issuesBehind({ selection }, { projects }, about) {
    // The usual time comes from all issues of a project.
    return [about(selection), ...projects.map((project) => about({ by: 'project', project }))];
  },
  document: { schema: agingSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: (aging) => [
    ...(aging.target === null ? [] : [{ id: figureId(MISSED), title: missedTitle }]),
    ...agingFigures(aging),
  ],
  explain: (figure, question, context) =>
    figure.kind === MISSED
      ? explainMissed(agingInput(question), context)
      : explainAging(figure, question, context),
  async file(question, context) {
    const keys = await openKeys(await measureAging(agingInput(question), context));
    const title = agingTitle(keys.length, question);
    return openTimesOf(keys, { calendar: question.calendar, title }, context);
  },
  fileReportType: reportIds.currentStateAge,
};

function agingInput({ selection, calendar, timeZone, backlog }: AgingQuestion): AgingInput {
  return {
    selection,
    calendar,
    timeZone,
    ...(backlog === undefined ? { backlog: 'out' } : {}),
  };
}

/** `12 started issues of WEB by age`. */
function agingTitle(count: number, { selection, backlog }: AgingQuestion): string {
  return `${countOf(count, backlog === undefined ? 'started issue' : 'open issue')}${ofProject(selection)} by age`;
}

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
    const { aging } = await measureAging({ selection, calendar, timeZone }, context);
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
  return compose({
    title: `${key}: time ${inStatus(status.name)}`,
    value: { kind: 'duration', value: ageMs },
    rules: ['Only the current stay counts, not earlier ones in this status.'],
    parts: last === undefined ? [] : [{ ...last.part, label: status.name, link: facts.link }],
    adds: true,
    provenance,
    asOf,
  });
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
  return compose({
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
    provenance,
    asOf,
  });
}

/** The title of the number of issues that have missed their target. */
const missedTitle = 'Missed their target';

/** Explains the number of issues that have missed their target by these, the furthest beyond it first, and by those due next. */
async function explainMissed(input: AgingInput, context: AnswerContext): Promise<Explanation> {
  const { principal, asOf, parts } = context;
  const open = await readOpen(input, context);
  const { provenance } = open;
  const { target, targetsOf, startedIn } = await compareWithTargets(open, input, context);
  if (target === null) throw unknownFigure();
  const started = open.groups.filter(({ isStarted }) => isStarted);
  const flows = await parts.reporting.flows(principal);
  const pauses = started.some(({ project }) =>
    flows.inProject(project).some((index) => flowAt(flows, index).pauses),
  );
  const withTarget: StartedIssue[] = [];
  const unknown: string[] = [];
  const rules = new Set<string>();
  const pace = createYieldIfDue();
  for (const group of started) {
    await pace();
    for (const one of startedIn(group)) {
      rules.add(targetRule({ project: group.project, ...one.target }, provenance.calendar));
      if (Number.isNaN(one.leftMs)) unknown.push(group.keyAt(one.index));
      else withTarget.push(one);
    }
  }
  withTarget.sort((a, b) => a.leftMs - b.leftMs);
  const first = withTarget.slice(0, MAX_PARTS);
  const issues = await open.issues(first);
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const targetOf = await targetsOf(issues);
  const dayOf = (at: Instant) => dayWords(at, { timeZone: input.timeZone, near: asOf });
  const dayIn = (at: Instant) => (dayOf(at) === dayOf(asOf) ? 'today' : dayOf(at));
  return compose({
    title: missedTitle,
    value: { kind: 'count', value: target.missed },
    rules: [
      'A started issue has missed its target when its cycle time so far is longer: the time from its first started status until now.',
      ...(pauses ? ['Where the flow pauses the clock, time back before the start does not count.'] : []),
      ...rules,
      'Those furthest beyond their target come first, then those due next.',
    ],
    parts: withTarget.map(({ group, index, leftMs }) => {
      const key = group.keyAt(index);
      const dueAt = targetOf.get(key)?.dueAt ?? null;
      const { summary = '', link = null } = byKey.get(key) ?? {};
      const note = [leftMs < 0 ? 'missed' : 'due', ...(dueAt === null ? [] : [dayIn(dueAt)])];
      const countedMs = group.work[index] ?? null;
      return partOf({ label: `${key} ${summary}`.trim(), link, countedMs, note: note.join(' ') });
    }),
    adds: false,
    denominator: { counted: target.missed, of: withTarget.length },
    excluded: unknown.map((key) => ({ key, reason: 'its history does not show its cycle time so far' })),
    provenance,
    asOf,
  });
}
