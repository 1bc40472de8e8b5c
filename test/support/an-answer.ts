import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Aging, AgingIssue, Mine } from '../../src/api/answers/aging/aging-answer.ts';
import type { ComparedSide, Comparison } from '../../src/api/answers/compare/compare-answer.ts';
import type { StageTime } from '../../src/api/answers/issue/issue-answer.ts';
import type { IssueAnswer } from '../../src/api/answers/issue/issue-summary.ts';
import type { ReportFigures } from '../../src/api/answers/report/report-kind.ts';
import type { ReportSummary } from '../../src/api/answers/report/summary-answer.ts';
import type { WeeklyAggregates, WeeklyStatus } from '../../src/api/answers/weekly/weekly-answer.ts';
import type { DurationFigures, Explanation, Unknowns } from '../../src/model/answer.ts';
import type { ReportQuestion } from '../../src/model/question.ts';
import { ask, type Statistic } from '../../src/model/request.ts';
import type { Cells, Column, IssueFacts, Provenance, Table } from '../../src/model/table.ts';
import { aProvenance } from './a-provenance.ts';
import type { AnyAnswer } from './any-question.ts';
import { principalOf } from './principal-of.ts';

/** A Wednesday. */
const at = Date.parse('2026-11-18T12:00:00Z');
const monday = Date.parse('2026-11-09T00:00:00Z');
const measured = { calendar: 'normalHours', timeZone: 'UTC' };
const web = { by: 'project', project: 'WEB' } as const;

/** Where the figures of so many whole issues come from, as of the instant every answer here speaks of. */
export function provenanceOf(issues: number, more: Partial<Provenance> = {}): Provenance {
  return aProvenance({ askedAt: at, asOf: at, issues, ...more });
}

/** Everything is known of every issue. */
export const noDoubts: Unknowns = { doneSinceUnknown: [], unclear: [], statusesWithoutCategory: [] };

/** Office hours of eight hours a day. */
export const officeHours = {
  id: 7,
  name: 'Office hours',
  timeZone: 'UTC',
  dailyMs: 8 * millisecondsInHour,
  equalDays: true,
  continuous: false,
} as const;

/** A stage of an issue, one visit long. */
export function aStage(status: string, ms: number, more: Partial<StageTime> = {}): StageTime {
  return {
    id: status,
    name: status,
    category: 'In Progress',
    kind: 'active',
    visits: 1,
    spentMs: ms,
    now: false,
    ...more,
  };
}

/** An issue in Doing, which came there from To Do. */
export function anIssueAnswer(issue: Partial<IssueAnswer> = {}): AnyAnswer<IssueAnswer> {
  const day = millisecondsInDay;
  const contents = { projects: ['WEB'], issues: 1, withLevel: 0 };
  const stages = issue.stages ?? [aStage('Doing', day, { now: true })];
  return {
    question: { kind: 'issue', key: 'WEB-1', ...measured },
    asOf: at,
    value: {
      ...{ key: 'WEB-1', project: 'WEB', summary: 'Basket loses its items', link: null },
      assignee: { id: 'ada', name: 'Ada' },
      created: at - 4 * day,
      before: [aStage('To Do', 3 * day, { category: 'To Do', kind: 'queue' })],
      after: [],
      stages,
      tookMs: stages.reduce((sum, { spentMs }) => sum + spentMs, 0),
      ...{ startedAt: at - day, finish: null, reopened: false },
      current: {
        id: 'Doing',
        name: 'Doing',
        category: 'In Progress',
        kind: 'active',
        since: at - day,
        forMs: day,
      },
      ...{ statusesWithoutCategory: [], unknown: null, history: { complete: true }, contradictions: 0 },
      ...{ usual: null, blocked: null, isOwn: false, reason: null, by: null, ownScope: contents },
      provenance: provenanceOf(1),
      ...issue,
    },
    contents,
    isEmpty: false,
  };
}

/** The same, done by Ada yesterday after two days of work. */
export function aFinishedAnswer(issue: Partial<IssueAnswer> = {}): AnyAnswer<IssueAnswer> {
  const day = millisecondsInDay;
  return anIssueAnswer({
    before: [aStage('To Do', day, { category: 'To Do', kind: 'queue' })],
    stages: [aStage('Doing', 1.5 * day), aStage('Review', 0.5 * day)],
    after: [aStage('Closed', day, { category: 'Done', kind: 'done', now: true })],
    startedAt: at - 3 * day,
    finish: { finishedAt: at - day, by: { id: 'ada', name: 'Ada' }, rounds: 1 },
    current: { id: 'Closed', name: 'Closed', category: 'Done', kind: 'done', since: at - day, forMs: day },
    ...issue,
  });
}

/** How a table of statuses is to look. */
interface TableWish {
  /** Issues of the part that is told, and of the whole list. */
  readonly issues?: number;
  readonly total?: number;
  readonly statuses?: readonly string[];
  readonly summary?: string;
  readonly link?: string | null;
  readonly statistic?: Statistic | null;
  /** Names of groups; none: not grouped. */
  readonly groups?: readonly string[];
  readonly provenance?: Partial<Provenance>;
}

const average: Statistic = {
  type: 'average',
  denominator: 'nonNull',
  deviation: 'population',
  percentile: 85,
};

/** A list of WEB's issues: each was two days in the first status, a day longer in each one after it. */
export function aListAnswer(wish: TableWish = {}): AnyAnswer<ReportFigures> {
  const { issues = 3, total = issues } = wish;
  const table = aTable({ ...wish, statistic: null });
  return reportAnswer({ ...table, page: { start: 0, end: issues, size: 10, total, next: null } }, total);
}

/** The average time in each status over WEB's issues. */
export function aStatisticAnswer(wish: TableWish = {}): AnyAnswer<ReportFigures> {
  const table = aTable({ statistic: average, ...wish });
  return reportAnswer(table, wish.issues ?? 3);
}

/** A summary of WEB's issues: some statuses, of which the first is To Do. */
export function aSummaryAnswer(
  {
    issues = 14,
    finished = issues,
    statuses = ['To Do', 'Doing', 'Review'],
    cycleTime = aSpread(finished, 50),
    ...unknowns
  }: Partial<Pick<ReportSummary, 'issues' | 'finished' | 'cycleTime' | keyof Unknowns>> & {
    readonly statuses?: readonly string[];
  } = {},
  range: ReportQuestion['range'] = null,
): AnyAnswer<ReportFigures> {
  const table = { ...aTable({ issues, statistic: average }), columns: [], rows: [] };
  const { value, ...answer } = reportAnswer(table, issues);
  const {
    principal: _principal,
    asOf: _asOf,
    page: _page,
    dateRange: _dateRange,
    ...request
  } = value.request;
  const question: ReportQuestion = { kind: 'report', request, isSummary: true, range, timeZone: 'UTC' };
  const summary: ReportSummary = {
    ...{ issues, historyKnown: issues, finished, cycleTime, noCycleTimeReasons: [] },
    ...{ ...noDoubts, ...unknowns },
    percentile: null,
    statuses: statuses.map((name, i) => ({
      ...({ id: `s${i}`, name, category: i === 0 ? 'To Do' : 'In Progress' } as const),
      ...({ kind: i === 0 ? 'queue' : 'active', ...aSpread(issues, 24 * i + 10) } as const),
    })),
  };
  return { ...answer, question, value: { ...value, summary } };
}

function reportAnswer(table: Table, issues: number): AnyAnswer<ReportFigures> {
  const { statistic } = table;
  const { principal, asOf, page, dateRange, ...request } = ask({
    principal: principalOf('ada'),
    reportType: 'statusDuration',
    selection: web,
    statistic,
  });
  return {
    question: { kind: 'report', request, range: null, timeZone: 'UTC' },
    asOf: at,
    value: { table, request: { ...request, principal, asOf, page, dateRange } },
    contents: { projects: ['WEB'], issues, withLevel: 0 },
    isEmpty: issues === 0,
  };
}

function aTable({
  issues = 3,
  statuses = ['To Do', 'Review'],
  summary = 'Basket loses its items',
  link = null,
  statistic = null,
  groups = [],
  provenance = {},
}: TableWish): Table {
  const values = statuses.map(
    (title, index): Column => ({ id: `s${index}`, title, kind: 'duration', part: 'value' }),
  );
  const cells: Cells = Object.fromEntries(
    values.map(({ id }, index) => [id, { value: (index + 2) * millisecondsInDay, visits: 1 }]),
  );
  const heads: readonly Column[] = [
    { id: 'issuekey', title: 'Key', kind: 'text', part: 'header' },
    { id: 'summary', title: 'Summary', kind: 'text', part: 'header' },
  ];
  const shared = {
    statuses: { included: [], excluded: [], deleted: [] },
    composite: false,
    statistic,
    page: null,
    provenance: provenanceOf(issues, provenance),
  };
  if (statistic !== null) {
    const group: Column = { id: 'assignee', title: 'Assignee', kind: 'text', part: 'group' };
    const lines = groups.length === 0 ? [null] : groups;
    return {
      ...shared,
      columns: groups.length === 0 ? values : [group, ...values],
      issues: [],
      rows: (issues === 0 ? [] : lines).map((name) => ({
        issueKey: null,
        own: name === null ? {} : { assignee: { value: name } },
        cells,
        issueCount: issues,
      })),
    };
  }
  const facts = Array.from(
    { length: issues },
    (_, index): IssueFacts => ({
      key: `WEB-${index + 1}`,
      cells: { issuekey: { value: `WEB-${index + 1}` }, summary: { value: summary } },
      link,
      created: at - 10 * millisecondsInDay,
      current: [],
      history: { complete: true },
      unknown: null,
      contradictions: 0,
      leftOut: [],
    }),
  );
  return {
    ...shared,
    columns: [...heads, ...values],
    issues: facts,
    rows: facts.map(({ key, cells: own }) => ({ issueKey: key, own, cells })),
  };
}

/** Figures of so many durations around a middle one (hours). */
export function aSpread(count: number, hours: number): DurationFigures {
  if (count === 0) return { count, averageMs: null, medianMs: null, p85Ms: null, deviationMs: null };
  return {
    count,
    averageMs: (hours + 2) * millisecondsInHour,
    medianMs: hours * millisecondsInHour,
    p85Ms: 2 * hours * millisecondsInHour,
    deviationMs: (hours / 2) * millisecondsInHour,
  };
}

/** A status in which the issues of the week spent so many hours. */
export function aWeeklyStatus(title: string, hours: number): WeeklyStatus {
  return {
    id: title,
    name: title,
    category: 'In Progress',
    kind: 'active',
    finished: {
      week: aSpread(14, hours),
      weekBefore: aSpread(11, hours + 5),
      eightWeeks: aSpread(90, hours + 1),
    },
    withinMs: {
      week: 10 * hours * millisecondsInHour,
      weekBefore: 9 * hours * millisecondsInHour,
      eightWeeks: 8 * hours * millisecondsInHour,
    },
  };
}

/** Week 46 of WEB: 14 issues finished, three more than the week before, half of them within 52 hours, five fewer. */
export function aWeeklyAnswer(more: Partial<WeeklyAggregates> = {}): AnyAnswer<WeeklyAggregates> {
  const weekly: WeeklyAggregates = {
    week: { id: '2026-W46', start: monday, end: monday + 7 * millisecondsInDay, whole: true },
    finished: { week: 14, weekBefore: 11, eightWeeks: 12.5 },
    finishedUnknown: null,
    only: null,
    inProgress: { week: 12, weekBefore: 9 },
    flowEfficiency: { week: 0.38, weekBefore: 0.42 },
    blocked: null,
    cycleTime: { week: aSpread(14, 52), weekBefore: aSpread(11, 57), eightWeeks: aSpread(90, 50) },
    statuses: [aWeeklyStatus('In progress', 20), aWeeklyStatus('Review', 30)],
    weeks: Array.from({ length: 9 }, (_, index) => ({
      id: `2026-W${38 + index}`,
      start: monday - (8 - index) * 7 * millisecondsInDay,
      end: monday - (7 - index) * 7 * millisecondsInDay,
      whole: true,
      finished: 6 + index,
      finishedUnknown: null,
      cycleTime: aSpread(6 + index, 60 - index),
      withinMs: {},
    })),
    contributors: [
      {
        key: 'WEB-4',
        summary: 'Pay by invoice',
        link: null,
        cycleMs: 9 * millisecondsInDay,
        shiftMs: 12 * millisecondsInHour,
      },
      {
        key: 'WEB-9',
        summary: 'Typo',
        link: null,
        cycleMs: 2 * millisecondsInHour,
        shiftMs: -4 * millisecondsInHour,
      },
    ],
    against: 'weekBefore',
    target: null,
    withoutCycleTime: [],
    ...noDoubts,
    attention: [],
    provenance: provenanceOf(60),
    ...more,
  };
  return {
    question: { kind: 'weekly', selection: web, week: 'last', ...measured },
    asOf: at,
    value: weekly,
    contents: { projects: ['WEB'], issues: 60, withLevel: 0 },
    isEmpty: false,
  };
}

/** An open issue that has been in Review for so many hours; 85 % usually stay no longer than 28. */
export function anAgingIssue(key: string, hours: number, more: Partial<AgingIssue> = {}): AgingIssue {
  const usual = { p85Ms: 28 * millisecondsInHour, visits: 40, days: 90 };
  return {
    key,
    summary: 'Basket loses its items',
    link: null,
    project: 'WEB',
    status: { id: '5', name: 'Review', category: 'In Progress', kind: 'active' },
    assignee: { id: 'ada', name: 'Ada' },
    since: at - hours * millisecondsInHour,
    ageMs: hours * millisecondsInHour,
    usual,
    pace: (hours * millisecondsInHour) / usual.p85Ms,
    workMs: hours * millisecondsInHour,
    target: null,
    historyComplete: true,
    ...more,
  };
}

/** Ages of open issues, in the order in which they are given. */
export function anAging(issues: readonly AgingIssue[], more: Partial<Aging> = {}): Aging {
  return {
    issues,
    projects: [...new Set(issues.map(({ project }) => project))],
    total: issues.length,
    withUsual: issues.filter(({ usual }) => usual !== null).length,
    beyondUsual: issues.filter(({ pace }) => pace !== null && pace > 1).length,
    target: null,
    notStarted: { count: 0, oldestMs: null },
    ageUnknown: [],
    ...{ unclear: [], statusesWithoutCategory: [] },
    provenance: provenanceOf(issues.length),
    ...more,
  };
}

/** The open issues of WEB. */
export function anAgingAnswer(aging: Aging): AnyAnswer<Aging> {
  return {
    question: { kind: 'aging', selection: web, ...measured },
    asOf: at,
    value: aging,
    contents: { projects: ['WEB'], issues: aging.issues.length, withLevel: 0 },
    isEmpty: aging.issues.length === 0,
  };
}

/** What waits on the principal, and on those whom they stand in for. */
export function aMineAnswer(own: Aging, covered: Mine['covered'] = []): AnyAnswer<Mine> {
  return {
    question: { kind: 'mine', ...measured },
    asOf: at,
    value: { own, covered },
    contents: { projects: ['WEB'], issues: own.issues.length, withLevel: 0 },
    isEmpty: own.issues.length === 0,
  };
}

/** Two teams: half of what Red finished took less than two days, of what Blue finished less than three. */
export function aCompareAnswer({
  red = {},
  blue = {},
  ...more
}: Partial<Pick<Comparison, 'statuses'>> & {
  readonly red?: Partial<ComparedSide>;
  readonly blue?: Partial<ComparedSide>;
} = {}): AnyAnswer<Comparison> {
  const side = (title: string) => ({ title, selection: web, range: null });
  const figures = (title: string, issues: number, finished: number, hours: number): ComparedSide => ({
    ...{ title, issues, finished, cycleTime: aSpread(finished, hours), inStatus: null, ...noDoubts },
    provenance: provenanceOf(issues),
  });
  return {
    question: { kind: 'compare', sides: [side('Red'), side('Blue')], ...measured },
    asOf: at,
    value: {
      sides: [
        { ...figures('Red', 12, 5, 48), ...red },
        { ...figures('Blue', 20, 9, 72), ...blue },
      ],
      statuses: [
        {
          id: '3',
          name: 'Doing',
          category: 'In Progress',
          kind: 'active',
          sides: [aSpread(12, 10), aSpread(20, 12)],
        },
        {
          id: '5',
          name: 'Review',
          category: 'In Progress',
          kind: 'active',
          sides: [aSpread(12, 20), aSpread(20, 40)],
        },
      ],
      ...more,
    },
    contents: { projects: ['WEB'], issues: 32, withLevel: 0 },
    isEmpty: false,
  };
}

/** Why WEB-1 was three days in Review: two visits, the second of which still runs. */
export function anExplanation(more: Partial<Explanation> = {}): Explanation {
  return {
    title: 'WEB-1 in Review',
    value: { kind: 'duration', value: 3 * millisecondsInDay },
    rules: ['Every visit of the status counts.', 'Time is counted around the clock.'],
    parts: [
      {
        label: 'Visit 1',
        link: null,
        from: at - 6 * millisecondsInDay,
        until: at - 4 * millisecondsInDay,
        wallMs: 2 * millisecondsInDay,
        countedMs: 2 * millisecondsInDay,
        note: null,
      },
      {
        label: 'Visit 2',
        link: null,
        from: at - millisecondsInDay,
        until: null,
        wallMs: millisecondsInDay,
        countedMs: millisecondsInDay,
        note: 'still running',
      },
    ],
    adds: true,
    more: 0,
    calendar: provenanceOf(1).calendar,
    trim: { from: null, to: null },
    denominator: null,
    excluded: [],
    asOf: at,
    ...more,
  };
}
