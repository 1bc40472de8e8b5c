import type { Instant } from '../../../model/issue.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Selection } from '../../../model/request.ts';
import { cellOf } from '../../../model/table.ts';
import { isWeekday } from '../../../time/wall-clock.ts';
import { countsIn, type ReasonsByKey } from '../../nudges/nudges-api.ts';
import { flowFields, flowOfIssue, isStarted } from '../../outcomes/issue-flow.ts';
import { doubtsOf, mayBeFinishedIn } from '../../outcomes/issue-outcomes.ts';
import type { FinishedSpans, OpenIssues } from '../../outcomes/outcomes-api.ts';
import {
  isComplete,
  isDecided,
  mergeScopes,
  namedIssue,
  reaches,
  statusCalled,
} from '../../outcomes/read-table.ts';
import { readOpen } from '../figures/aging-figures.ts';
import { blockedTimes } from '../figures/blocked-times.ts';
import { compareWithTargets } from '../figures/targets.ts';
import { workDaysOf } from '../figures/work-days.ts';
import { explainBlocked } from '../issue/explain-issue.ts';
import { type AnswerContext, figuresOf, type QuestionKind } from '../question-kind.ts';
import { explainFinished } from '../why/explain-outcomes.ts';
import { explainTarget, targetFigure } from '../why/explain-target.ts';
import { figureId } from '../why/explanation.ts';
import { peopleAway } from './people-away.ts';
import { type BlockedIssue, MAX_LISTED, type Standup, standupSchema } from './standup-answer.ts';

/** The news of a team since its last working day. */
export interface StandupQuestion extends MeasuredQuestion {
  readonly kind: 'standup';
  readonly selection: Selection;
}

/** The time of the finished issues, in titles. */
const when = 'since the last working day';

/** `/tis standup [FILTER] [in CALENDAR]`. */
export const standupKind: QuestionKind<StandupQuestion, Standup> = {
  kind: 'standup',
  selections: ({ selection }) => [selection],
  answer: async (question, context) => figuresOf(await measureStandup(question, context)),
  isEmpty: ({ finished, started, moved, blocked, due, away, doneSinceUnknown, unclear, provenance }) =>
    finished.count + started.count + moved.count + (blocked?.count ?? 0) + due.count + away.count === 0 &&
    doneSinceUnknown.length + unclear.length === 0 &&
    isDecided(provenance) &&
    reaches(provenance, null),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  issuesBehind: ({ selection }, { projects }, about) => [
    about(selection),
    // A learned target comes from all issues of a project.
    ...projects.map((project) => about({ by: 'project', project })),
  ],
  forPosts: (value, { toOutsiders }) =>
    value.isCoverForAll && !toOutsiders
      ? value
      : { ...value, away: { count: 0, people: [] }, coverShown: 'withheld' },
  document: { schema: standupSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: ({ blocked, due, provenance }) => [
    { id: figureId('finished'), title: `Finished ${when}` },
    ...(blocked?.issues ?? []).map(({ key }) => ({
      id: figureId('blocked', key),
      title: `Time ${key} was blocked`,
    })),
    ...due.issues.flatMap(({ key, target }) =>
      target === null
        ? []
        : [targetFigure({ ...target, project: projectKeyOf({ key }) }, provenance.calendar)],
    ),
  ],
  async explain(figure, question, context) {
    const { selection, calendar } = question;
    const { principal, asOf, parts } = context;
    const [key = ''] = figure.words;
    if (figure.kind === 'target') return explainTarget(figure, question, context);
    if (figure.kind === 'blocked' && key !== '')
      return explainBlocked(key, { principal, calendar, asOf }, parts.reporting);
    const found = await parts.reporting.finishedSpans({
      principal,
      selection,
      asOf,
      calendar,
      bounds: [await lastWorkingDay(question, context), asOf + 1],
    });
    return explainFinished(figure, found, { when, asOf });
  },
  file: async () => null,
};

/** Without work on any of the last days, yesterday counts as the last working day. */
const MAX_DAYS_OFF = 60;

/**
 * The start of the last working day before that of an answer, on the clocks of the question. A 24/7 calendar has no days off, so
 * there it is a day from Monday to Friday.
 */
async function lastWorkingDay(question: StandupQuestion, context: AnswerContext): Promise<Instant> {
  const { calendar, isWorking, start, wallDay } = await workDaysOf(question, context);
  const isTeamDay = (day: number) => (calendar.continuous ? isWeekday(wallDay(day)) : isWorking(day));
  for (let day = -1; day >= -MAX_DAYS_OFF; day -= 1) if (isTeamDay(day)) return start(day);
  return start(-1);
}

/**
 * The issues that moved since the last working day, those that are blocked or reach their target today, and who is away.
 * `bad-request` for an unknown zone or calendar.
 */
async function measureStandup(question: StandupQuestion, context: AnswerContext): Promise<Standup> {
  const { selection, calendar, timeZone } = question;
  const { principal, asOf, parts } = context;
  const { reporting } = parts;
  const since = await lastWorkingDay(question, context);
  const input = { principal, selection, asOf, calendar };
  const found = await reporting.finishedSpans({ ...input, bounds: [since, asOf + 1] });
  const finished = found.spans[0]?.issues() ?? [];
  const except = new Set(finished.map(({ key }) => key));
  const moves = await reporting.movedSince({ ...input, since, except });
  const open = await readOpen({ selection, calendar, backlog: 'out' }, context);
  const targeted = await compareWithTargets(open, { calendar, timeZone, since }, context);
  const reached = await targeted.reached();
  const first = reached.slice(0, MAX_LISTED);
  const read = new Map((await open.issues(first)).map((issue) => [issue.key, issue]));
  const due = first.flatMap(({ group, index }) => read.get(group.keyAt(index)) ?? []);
  const targets = await targeted.targetsOf(due);
  const spans = await reporting.blockedSpans({ ...input, bounds: [asOf - 1, asOf] });
  const blocked =
    spans === null ? null : await blockedIssues(spans.spans[0]?.keys() ?? [], question, context);
  const byAnswer = blocked === null ? [] : await blockedByAnswer(open, blocked.issues, question, context);
  const allBlocked = [...(blocked?.issues ?? []), ...byAnswer].toSorted(longestFirst);
  const away = await peopleAway(question, context);
  const listed = allBlocked.slice(0, MAX_LISTED);
  const reasons = await parts.reasonsFor(
    [...due, ...listed].map(({ key }) => key),
    asOf,
  );
  const { provenance, doubtful, cutHistories, withoutCategory } = found;
  const doubts = doubtsOf(mayBeFinishedIn({ start: since, end: asOf + 1 }, doubtful));
  const contents = [spans?.contents, blocked?.contents, targeted.contents].reduce(
    (sum: typeof targeted.contents, one) => (one === undefined ? sum : mergeScopes(sum, one)),
    provenance.contents ?? null,
  );
  return {
    since,
    finished: { count: finished.length, issues: await finishedIssues(found) },
    started: { count: moves.started, issues: await moves.issues('started', MAX_LISTED) },
    moved: { count: moves.moved, issues: await moves.issues('moved', MAX_LISTED) },
    inProgress: open.groups.reduce((sum, { ages }) => sum + ages.length, open.unknown.length),
    blocked:
      blocked === null
        ? null
        : { count: allBlocked.length, issues: listed.map((issue) => withReason(issue, reasons, asOf)) },
    due: {
      count: reached.length,
      issues: due.map((issue) => ({ ...issue, target: targets.get(issue.key) ?? null })),
    },
    dueToday: targeted.target?.dueToday ?? 0,
    missed: targeted.target?.missed ?? 0,
    ...away,
    ...doubts,
    unclear: [...new Map([...doubts.unclear, ...open.unclear].map((one) => [one.key, one])).values()],
    statusesWithoutCategory: [...new Set([...withoutCategory, ...open.withoutCategory])],
    reasons,
    projects: [...new Set(open.groups.map(({ project }) => project))].sort(),
    provenance: {
      ...provenance,
      ...(contents === null ? {} : { contents }),
      reportType: 'standup',
      timeZone,
      cutHistories,
      complete: isComplete(found),
    },
  };
}

/** The first of the issues that were finished, in the order of the question. */
async function finishedIssues({ spans: [span] }: FinishedSpans): Promise<Standup['finished']['issues']> {
  const some = span?.issues().slice(0, MAX_LISTED) ?? [];
  const names = await span?.named(some.map(({ key }) => key));
  return some.map(({ key, cycle }) => ({
    key,
    summary: names?.get(key)?.summary ?? '',
    link: names?.get(key)?.link ?? null,
    cycleMs: 'ms' in cycle ? cycle.ms : null,
  }));
}

/** Blocked issues, and the scope of what blocks them. */
async function blockedIssues(
  keys: readonly string[],
  { calendar }: StandupQuestion,
  { principal, asOf, parts: { reporting } }: AnswerContext,
) {
  if (keys.length === 0) return { issues: [], contents: undefined };
  const flows = await reporting.flows(principal);
  const times = await blockedTimes(keys, { principal, calendar, asOf }, reporting);
  const statuses = new Map((await reporting.statuses(principal)).map((one) => [one.id, one]));
  const table = await reporting.report(
    ask({
      principal,
      asOf,
      calendar,
      reportType: reportIds.statusDuration,
      selection: { by: 'keys', keys },
      multiVisitBehavior: 'last',
      includeDeletedStatuses: true,
      fields: ['status', 'assignee', ...flowFields(flows)],
    }),
  );
  const issues = table.issues.flatMap((facts): BlockedIssue[] => {
    const found = times?.byKey.get(facts.key);
    const status = cellOf(facts.cells, 'status');
    // It may have left its started status at this very instant.
    const isAtWork = status?.id !== undefined && isStarted(flowOfIssue(facts, flows).flow.kindOf(status.id));
    if (!found?.now || !isAtWork || status?.id === undefined) return [];
    return [
      {
        ...namedIssue(facts),
        status: statusCalled({ id: status.id, name: String(status.value) }, statuses),
        statusSince: facts.current.find(({ columnId }) => columnId === status.id)?.since ?? null,
        blockedMs: found.episodes.at(-1)?.blockedMs ?? 0,
        blocked: found.now,
      },
    ];
  });
  return { issues, contents: times?.contents };
}

/** More started issues are not looked through for answers to nudges. */
const MAX_REASONS = 1_000;

/** Other started issues whose latest answer to a nudge is that they are blocked, since that answer. */
async function blockedByAnswer(
  open: OpenIssues,
  others: readonly BlockedIssue[],
  question: StandupQuestion,
  context: AnswerContext,
): Promise<readonly BlockedIssue[]> {
  const { asOf, parts } = context;
  if (open.groups.reduce((sum, { ages }) => sum + ages.length, 0) > MAX_REASONS) return [];
  const started = open.groups.flatMap((group) => Array.from(group.ages, (_, index) => ({ group, index })));
  const known = new Set(others.map(({ key }) => key));
  const keyOf = ({ group, index }: (typeof started)[number]) => group.keyAt(index);
  const reasons = await parts.reasonsFor(started.map(keyOf), asOf);
  const some = started.filter((one) => reasons.get(keyOf(one))?.kind === 'blocked' && !known.has(keyOf(one)));
  const { calendar } = some.length === 0 ? { calendar: null } : await workDaysOf(question, context);
  return (await open.issues(some)).flatMap((issue): BlockedIssue[] => {
    const { key, summary, link, status, assignee, since } = issue;
    const reason = reasons.get(key);
    if (!reason || !countsIn(reason, { statusId: status.id, since }, asOf)) return [];
    const blockedMs = calendar?.between(reason.at, asOf) ?? 0;
    const blocked = { since: reason.at, causes: [], by: reason.person };
    return [{ key, summary, link, status, assignee, statusSince: since, blockedMs, blocked }];
  });
}

/** A blocked issue with the latest answer to a nudge about the stay that it is in. */
function withReason(issue: BlockedIssue, reasons: ReasonsByKey, asOf: Instant): BlockedIssue {
  const { key, status, statusSince } = issue;
  const reason = reasons.get(key);
  const counts =
    reason !== undefined &&
    statusSince !== null &&
    countsIn(reason, { statusId: status.id, since: statusSince }, asOf);
  return counts ? { ...issue, reason } : issue;
}

function longestFirst(a: BlockedIssue, b: BlockedIssue): number {
  return b.blockedMs - a.blockedMs || compareIds(a.key, b.key);
}
