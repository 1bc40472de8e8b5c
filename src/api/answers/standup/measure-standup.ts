import type { Instant } from '../../../model/issue.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Selection } from '../../../model/request.ts';
import { cellOf } from '../../../model/table.ts';
import { isWeekday } from '../../../time/wall-clock.ts';
import { countsIn, type ReasonsByKey } from '../../nudges/nudges-api.ts';
import { flowFields, flowOfIssue, isStarted } from '../../outcomes/issue-flow.ts';
import { doubtsOf, mayBeFinishedIn } from '../../outcomes/issue-outcomes.ts';
import type { FinishedSpans, OpenIssues } from '../../outcomes/outcomes-api.ts';
import { isDecided, mergeScopes, namedIssue, statusCalled } from '../../outcomes/read-table.ts';
import { readOpen } from '../figures/aging-figures.ts';
import { compareWithTargets } from '../figures/aging-targets.ts';
import { blockedTimes } from '../figures/blocked-times.ts';
import { workDaysOf } from '../figures/work-days.ts';
import type { AnswerContext } from '../question-kind.ts';
import { peopleAway } from './people-away.ts';
import { type BlockedIssue, MAX_LISTED, type Standup } from './standup-answer.ts';

/** The news of a team since its last working day. */
export interface StandupQuestion extends MeasuredQuestion {
  readonly kind: 'standup';
  readonly selection: Selection;
}

/** Without work on any of the last days, yesterday counts as the last working day. */
const MAX_DAYS_OFF = 60;

/**
 * The start of the last working day before that of an answer, on the clocks of the question. A 24/7 calendar has no days off, so
 * there it is a day from Monday to Friday.
 */
export async function lastWorkingDay(question: StandupQuestion, context: AnswerContext): Promise<Instant> {
  const { calendar, isWorking, start, wallDay } = await workDaysOf(question, context);
  const isTeamDay = (day: number) => (calendar.continuous ? isWeekday(wallDay(day)) : isWorking(day));
  for (let day = -1; day >= -MAX_DAYS_OFF; day -= 1) if (isTeamDay(day)) return start(day);
  return start(-1);
}

/**
 * The issues that moved since the last working day, those that are blocked or reach their target today, and who is away.
 * `bad-request` for an unknown zone or calendar.
 */
export async function measureStandup(question: StandupQuestion, context: AnswerContext): Promise<Standup> {
  const { selection, calendar, timeZone } = question;
  const { principal, asOf, parts } = context;
  const { reporting } = parts;
  const since = await lastWorkingDay(question, context);
  const input = { principal, selection, dateRange: null, asOf, calendar };
  const found = await reporting.finishedSpans({ ...input, bounds: [since, asOf + 1] });
  const finished = found.spans[0]?.issues() ?? [];
  const except = new Set(finished.map(({ key }) => key));
  const moves = await reporting.movedSince({ ...input, since, except });
  const open = await readOpen({ selection, calendar, assignees: null, backlog: 'out' }, context);
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
      complete: cutHistories === 0 && isDecided(provenance) && withoutCategory.length === 0,
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
  const places = open.groups.flatMap((group) => Array.from(group.ages, (_, index) => ({ group, index })));
  const known = new Set(others.map(({ key }) => key));
  const keyOf = ({ group, index }: (typeof places)[number]) => group.keyAt(index);
  const reasons = await parts.reasonsFor(places.map(keyOf), asOf);
  const some = places.filter(
    (place) => reasons.get(keyOf(place))?.kind === 'blocked' && !known.has(keyOf(place)),
  );
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
