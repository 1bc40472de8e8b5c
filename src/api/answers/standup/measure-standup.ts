import type { Instant } from '../../../model/issue.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Selection } from '../../../model/request.ts';
import { cellOf } from '../../../model/table.ts';
import { isWeekday } from '../../../time/wall-clock.ts';
import { doubtsOf, mayBeFinishedIn } from '../../outcomes/issue-outcomes.ts';
import type { FinishedSpans } from '../../outcomes/outcomes-api.ts';
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
  const targeted = await compareWithTargets(open, { calendar, timeZone }, context);
  const due = await open.issues(targeted.today.slice(0, MAX_LISTED));
  const targets = await targeted.targetsOf(due);
  const spans = await reporting.blockedSpans({ ...input, bounds: [asOf - 1, asOf] });
  const blocked =
    spans === null ? null : await blockedIssues(spans.spans[0]?.keys() ?? [], question, context);
  const away = await peopleAway({ selection, calendar }, context);
  const shown = [...due, ...(blocked?.issues.slice(0, MAX_LISTED) ?? [])].map(({ key }) => key);
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
      blocked === null ? null : { count: blocked.issues.length, issues: blocked.issues.slice(0, MAX_LISTED) },
    due: {
      count: targeted.today.length,
      issues: due.map((issue) => ({ ...issue, target: targets.get(issue.key) ?? null })),
    },
    missed: targeted.missedBefore,
    ...away,
    ...doubts,
    unclear: [...doubts.unclear, ...open.unclear],
    statusesWithoutCategory: [...new Set([...withoutCategory, ...open.withoutCategory])],
    reasons: await parts.reasonsFor(shown, asOf),
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

/** Blocked issues, the longest first, and the scope of what blocks them. */
async function blockedIssues(
  keys: readonly string[],
  { calendar }: StandupQuestion,
  { principal, asOf, parts: { reporting } }: AnswerContext,
) {
  if (keys.length === 0) return { issues: [], contents: undefined };
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
      fields: ['status', 'assignee'],
    }),
  );
  const issues = table.issues.flatMap((facts): BlockedIssue[] => {
    const found = times?.byKey.get(facts.key);
    const status = cellOf(facts.cells, 'status');
    if (!found?.now || status?.id === undefined) return [];
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
  return {
    issues: issues.toSorted((a, b) => b.blockedMs - a.blockedMs || compareIds(a.key, b.key)),
    contents: times?.contents,
  };
}
