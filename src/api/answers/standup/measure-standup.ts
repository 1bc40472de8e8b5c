import { millisecondsInMinute } from 'date-fns/constants';
import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { Instant, Status } from '../../../model/issue.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Selection } from '../../../model/request.ts';
import { cellOf, type IssueFacts, type Table } from '../../../model/table.ts';
import { dateText } from '../../../time/date-text.ts';
import { isWeekday } from '../../../time/wall-clock.ts';
import { flowFields, flowOfIssue, isStarted } from '../../outcomes/issue-flow.ts';
import { doubtsOf, mayBeFinishedIn } from '../../outcomes/issue-outcomes.ts';
import type { FinishedSpans } from '../../outcomes/outcomes-api.ts';
import { isDecided, mergeScopes, type ReadVisit, readVisits } from '../../outcomes/read-table.ts';
import { queryOf } from '../../parameters/rolling-range.ts';
import { splitQuery } from '../../reporting/query-text.ts';
import { readOpen } from '../figures/aging-figures.ts';
import { compareWithTargets } from '../figures/aging-targets.ts';
import { blockedTimes } from '../figures/blocked-times.ts';
import { workDaysOf } from '../figures/work-days.ts';
import type { AnswerContext } from '../question-kind.ts';
import { peopleAway } from './people-away.ts';
import { type BlockedIssue, MAX_LISTED, type MovedIssue, type Standup } from './standup-answer.ts';

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
  const moves = await movesSince(since, question, new Set(finished.map(({ key }) => key)), context);
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
  const { undecided } = moves.provenance;
  const contents = [spans?.contents, blocked?.contents, targeted.contents].reduce(
    (sum: typeof targeted.contents, one) => (one === undefined ? sum : mergeScopes(sum, one)),
    provenance.contents ?? null,
  );
  return {
    since,
    finished: { count: finished.length, issues: await finishedIssues(found) },
    started: moves.started,
    moved: moves.moved,
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
      undecided,
      cutHistories,
      complete: cutHistories === 0 && isDecided({ ...provenance, undecided }) && withoutCategory.length === 0,
    },
  };
}

/** The first of the issues that were finished, the last ones first. */
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

/** Issues that changed their status, and are neither finished nor where they were. */
interface Moves extends Pick<Standup, 'started' | 'moved'> {
  readonly provenance: Table['provenance'];
}

async function movesSince(
  since: Instant,
  { selection, calendar, timeZone }: StandupQuestion,
  finished: ReadonlySet<string>,
  { principal, asOf, parts: { reporting } }: AnswerContext,
): Promise<Moves> {
  const flows = await reporting.flows(principal);
  const statuses = new Map((await reporting.statuses(principal)).map((one) => [one.id, one]));
  // A change at the very instant is not after it.
  const minute = dateText(since - millisecondsInMinute, 'yyyy-MM-dd HH:mm', timeZone);
  const jql = changedSince(selection, minute);
  const request = ask({
    principal,
    asOf,
    calendar,
    timeZone,
    reportType: reportIds.statusDuration,
    selection: { by: 'jql', jql },
    includeDeletedStatuses: true,
    fields: ['assignee', ...flowFields(flows)],
  });
  const { issues, provenance } = await reporting.report(request);
  const keys = issues.flatMap(({ key, current }) =>
    !finished.has(key) && current.some((one) => (one.since ?? 0) >= since) ? [key] : [],
  );
  const table = await reporting.report({
    ...request,
    reportType: reportIds.statusDurationExpanded,
    selection: { by: 'keys', keys },
  });
  const visitsOf = Map.groupBy(readVisits(table), ({ facts }) => facts.key);
  const [started, moved]: [MovedIssue[], MovedIssue[]] = [[], []];
  const pace = createYieldIfDue();
  for (const facts of table.issues) {
    await pace();
    const visits = visitsOf.get(facts.key) ?? [];
    const { flow, counts } = flowOfIssue(facts, flows);
    const last = visits.at(-1);
    // A part that a cut history does not show may hide a move.
    const isKnown = facts.unknown === null || facts.unknown.until <= since;
    if (!counts || !isKnown || last?.end !== null || last.start < since) continue;
    const before = visits.find(({ start, end }) => start < since && (end ?? since) >= since) ?? null;
    const kindOf = ({ status }: ReadVisit) => (status === null ? 'unknown' : flow.kindOf(status.id));
    const kind = kindOf(last);
    if (last.status === null || before?.status?.id === last.status.id) continue;
    const isFirst = !visits.some((visit) => visit.start < since && isStarted(kindOf(visit)));
    const wasDone = before !== null && kindOf(before) === 'done';
    // A new issue that no one began is no news here, and what was done before is still done.
    if (before === null ? !isStarted(kind) : wasDone && kind === 'done') continue;
    (isStarted(kind) && isFirst && !wasDone ? started : moved).push({
      ...namesOf(facts),
      from: before?.status ? statusOf(before.status, statuses) : null,
      to: { ...statusOf(last.status, statuses), kind },
      at: last.start,
    });
  }
  const listed = (issues: readonly MovedIssue[]) => ({
    count: issues.length,
    issues: issues.toSorted((a, b) => b.at - a.at || compareIds(a.key, b.key)).slice(0, MAX_LISTED),
  });
  return { started: listed(started), moved: listed(moved), provenance };
}

/** The query of the issues of a selection whose status may have changed since a minute, or that were created since. */
function changedSince(selection: Selection, minute: string): string {
  const { filter } = splitQuery(queryOf(selection));
  const changed = `(status CHANGED AFTER "${minute}" OR created >= "${minute}")`;
  return filter === '' ? changed : `(${filter}) AND ${changed}`;
}

function statusOf(
  { id, name }: Pick<Status, 'id' | 'name'>,
  statuses: ReadonlyMap<string, Status>,
): Pick<Status, 'id' | 'name' | 'category'> {
  return { id, name, category: statuses.get(id)?.category ?? 'Undefined' };
}

function namesOf({
  key,
  cells,
  link,
}: IssueFacts): Pick<MovedIssue, 'key' | 'summary' | 'link' | 'assignee'> {
  const assignee = cellOf(cells, 'assignee');
  return {
    key,
    summary: String(cellOf(cells, 'summary')?.value ?? ''),
    link,
    assignee: assignee === undefined ? null : { id: assignee.id ?? null, name: String(assignee.value) },
  };
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
        ...namesOf(facts),
        status: statusOf({ id: status.id, name: String(status.value) }, statuses),
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
