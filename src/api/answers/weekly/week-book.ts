import { type Compared, type DurationFigures, mapCompared } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Principal, type Selection } from '../../../model/request.ts';
import type { DateFormats } from '../../../model/settings.ts';
import { cellOf } from '../../../model/table.ts';
import { selectionText } from '../../../output/provenance-sheet.ts';
import { unitLengths } from '../../../output/readable-text.ts';
import { inParts } from '../../../output/table-sheets.ts';
import type { Sheet, SheetColumn, SheetRow, SheetValue, Workbook } from '../../../output/workbook.ts';
import { dateText } from '../../../time/date-text.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { provenanceFacts } from '../document.ts';
import { finishedInWeek, type WeeklyQuestion } from './nine-weeks.ts';
import type { WeekIssue, WeeklyAggregates } from './weekly-answer.ts';
import { weekFile } from './weekly-answer.ts';

/** The unit of durations, and how days and instants are written. */
interface WeekWording {
  readonly unit: 'days' | keyof typeof unitLengths;
  readonly formats: DateFormats;
}

/** A week as a file: its figures, the issues that were finished in it, and where they come from. */
export function weekBook(
  weekly: WeeklyAggregates,
  issues: readonly WeekIssue[],
  selection: Selection,
  { unit, formats }: WeekWording,
): Workbook {
  const { week, provenance } = weekly;
  const lasting = durationIn(unit, provenance.calendar.dailyMs);
  const title = `dwell-weekly-${week.id}`;
  return {
    title,
    timeZone: provenance.timeZone,
    formats,
    sheets: [
      figureSheet(weekly, unit, lasting),
      issueSheet(issues, unit, lasting),
      originSheet(weekly, selection),
    ],
    document: weekFile.parse({
      title,
      filter: selectionText(selection),
      source: provenance.tracker,
      ...provenanceFacts(provenance, week.end),
      ...weekly,
      issues,
    }),
  };
}

/** Writes a duration in a unit: of whole milliseconds, with ten decimals, as everywhere. */
type DurationWriter = (ms: number | null) => number | null;

function durationIn(unit: WeekWording['unit'], dailyMs: number): DurationWriter {
  const length = unit === 'days' ? dailyMs : unitLengths[unit];
  return (ms) => (ms === null ? null : Number((Math.round(ms) / length).toFixed(10)));
}

function figureSheet(
  { finished, cycleTime, target, statuses, blocked }: WeeklyAggregates,
  unit: WeekWording['unit'],
  lasting: DurationWriter,
): Sheet {
  const compared = ({ week, weekBefore, eightWeeks }: Compared<number | null>, as = lasting) =>
    [week, weekBefore, eightWeeks].map(as);
  const cycle = (name: string, member: keyof DurationFigures): SheetRow => [
    ...[`Cycle time, ${name}`, unit, null, null, null, null],
    ...compared(mapCompared(cycleTime, (figures) => figures[member])),
  ];
  return {
    id: 'week',
    name: 'Week',
    columns: [
      text('figure', 'Figure'),
      text('unit', 'Unit'),
      ...[
        number('average', 'Average'),
        number('median', 'Median'),
        number('p85', 'p85'),
        number('standardDeviation', 'Standard deviation'),
        number('week', 'In the week'),
        number('lastWeek', 'Last week'),
        number('eightWeeks', 'Eight weeks before'),
      ].map((column) => ({ ...column, unit })),
    ],
    rows: inParts([
      ['Finished', 'issues', null, null, null, null, ...compared(finished, (count) => count)],
      cycle('average', 'averageMs'),
      cycle('median', 'medianMs'),
      cycle('p85', 'p85Ms'),
      cycle('standard deviation', 'deviationMs'),
      ...(target === null ? [] : targetRows(target, unit, lasting)),
      ...(blocked === null
        ? []
        : [
            [
              'Blocked, started issues',
              ...[unit, null, null, null, null],
              ...[blocked.week.blockedMs, blocked.weekBefore.blockedMs].map(lasting),
              null,
            ],
          ]),
      ...statuses.map(({ name: title, finished: { week }, withinMs: within }): SheetRow => {
        const own = [week.averageMs, week.medianMs, week.p85Ms, week.deviationMs].map(lasting);
        return [title, unit, ...own, ...compared(within)];
      }),
    ]),
  };
}

function targetRows(
  { project, source, percent, withinMs, weekBefore, ...week }: NonNullable<WeeklyAggregates['target']>,
  unit: WeekWording['unit'],
  lasting: DurationWriter,
): readonly SheetRow[] {
  const empty = [null, null, null, null];
  const kind = { set: 'set', learned: 'learned from 90 days', mixed: 'different by issue type' }[source];
  const within = lasting(withinMs);
  return [
    [`Target of ${project}, ${kind}`, unit, ...empty, within, within, null],
    [`Target of ${project}, share of the issues`, 'percent', ...empty, percent, percent, null],
    ['Finished within the target', 'issues', ...empty, week.finishedWithin, weekBefore.finishedWithin, null],
    ['Finished with a cycle time', 'issues', ...empty, week.finished, weekBefore.finished, null],
  ];
}

function issueSheet(issues: readonly WeekIssue[], unit: WeekWording['unit'], lasting: DurationWriter): Sheet {
  return {
    id: 'issues',
    name: 'Issues',
    columns: [
      text('key', 'Key'),
      text('summary', 'Summary'),
      text('assignee', 'Assignee'),
      { id: 'finished', title: 'Finished', kind: 'instant', unit: null },
      { ...number('cycleTime', `Cycle time (${unit})`), unit },
      text('withoutCycleTime', 'No cycle time because'),
      text('link', 'Link'),
    ],
    rows: inParts(
      issues.map(
        ({ key, summary, assignee, finishedAt, cycleMs, noCycleTime, link }): SheetRow => [
          ...[key, summary, assignee, finishedAt, lasting(cycleMs), noCycleTime, link],
        ],
      ),
    ),
  };
}

function originSheet({ week, provenance }: WeeklyAggregates, selection: Selection): Sheet {
  const { calendar, timeZone, asOf, dataAsOf, tracker, issues, cutHistories, complete, query } = provenance;
  const date = (at: Instant | null) =>
    at === null ? null : dateText(at, 'yyyy-MM-dd HH:mm:ss XXX', timeZone);
  const rows: readonly (readonly [string, SheetValue])[] = [
    ['Week', week.whole ? week.id : `${week.id}, so far`],
    ['Filter', selectionText(selection)],
    ['JQL', query],
    ['Calendar', calendar.continuous ? `${calendar.name} (24/7)` : calendar.name],
    ['Time zone of the calendar', calendar.timeZone],
    ['Time zone of the week', timeZone],
    ['Average to standard deviation of a status', 'total time in it for issues finished in the week'],
    ['In the week, of a status', 'time all issues, finished or not, spent in it during the week'],
    ['As of', date(asOf)],
    ['Data taken from the tracker at', date(dataAsOf)],
    ['Source', tracker],
    ['Issues counted', issues],
    ['Histories cut', cutHistories],
    ['Complete', complete ? 'yes' : 'no'],
  ];
  return {
    id: 'provenance',
    name: 'Provenance',
    columns: [text('name', 'What'), number('value', 'Value')],
    rows: inParts(rows.filter(([, value]) => value !== null)),
  };
}

function text(id: string, title: string): SheetColumn {
  return { id, title, kind: 'text', unit: null };
}

function number(id: string, title: string): SheetColumn {
  return { id, title, kind: 'number', unit: null };
}

/** The issues finished in the week of a question, the first to be finished first. */
export async function weekIssues(
  question: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<readonly WeekIssue[]> {
  const outcomes = await (
    await finishedInWeek(question, { principal, asOf, parts: { reporting } })
  ).span.outcomes();
  const keys = outcomes.map(({ facts }) => facts.key);
  if (keys.length === 0) return [];
  const selection = { by: 'keys', keys } as const;
  const { calendar } = question;
  const request = ask({
    principal,
    selection,
    asOf,
    calendar,
    reportType: reportIds.statusCount,
    fields: ['assignee'],
  });
  const { issues } = await reporting.report(request);
  const assignees = new Map(issues.map(({ key, cells }) => [key, cellOf(cells, 'assignee')?.value]));
  const found = outcomes.flatMap(({ facts: { key, link }, summary, finish }): WeekIssue[] => {
    if (finish === null || finish.at === null) return [];
    const assignee = assignees.get(key);
    const name = assignee === undefined ? null : String(assignee);
    const { cycle } = finish;
    return [
      {
        key,
        summary,
        link,
        assignee: name,
        finishedAt: finish.at,
        ...('ms' in cycle
          ? { cycleMs: cycle.ms, noCycleTime: null }
          : { cycleMs: null, noCycleTime: cycle.reason }),
      },
    ];
  });
  return found.sort((a, b) => a.finishedAt - b.finishedAt);
}
