import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { afterAll, expect, test } from '#jest';
import { createTableBuilder, type Layout, surveyList } from '../../../src/engine/measure/build-table.ts';
import { closeKernels } from '../../../src/engine/measure/kernels/kernel-pool.ts';
import {
  type ColumnSources,
  surveyOfColumns,
  tableOfColumns,
} from '../../../src/engine/measure/kernels/table-of-columns.ts';
import { reports } from '../../../src/engine/reports/index.ts';
import type { ReportType } from '../../../src/engine/reports/measuring/report-type.ts';
import { statusDurationByTimePeriod } from '../../../src/engine/reports/status-by-period.ts';
import type { Issue } from '../../../src/model/issue.ts';
import type { Statistic, TimePeriod } from '../../../src/model/request.ts';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import { calendarOf, normalHours } from '../../../src/time/calendar.ts';
import { type Period, periodAt } from '../../../src/time/periods.ts';
import { anyStatistic } from '../../definitions/any-request.ts';
import { calendars } from '../../definitions/any-world.ts';
import { anIssue } from '../../support/issue-story.ts';
import { asked } from '../../support/measuring.ts';
import { runs } from '../../support/soak.ts';
import { aQuestion, aSampling, aWorld, inTurns, rowIssues, sourcesOf } from './kernel-world.ts';

afterAll(closeKernels);

/** Blocked time needs more than the issues themselves: it is held to its definition. */
const kernelReports: readonly ReportType[] = reports.filter(
  ({ shape, kind, fields }) => shape === 'issue' && kind !== 'instant' && fields !== 'blocked',
);

/** Holds the table of columns against that of measuring each issue; false where columns do not have it. */
async function holdTable(
  { report, context, layout }: Parameters<typeof tableOfColumns>[0],
  statistic: Statistic,
  { sources, issues }: { readonly sources: ColumnSources; readonly issues: readonly Issue[] },
): Promise<boolean> {
  const builder = createTableBuilder(report, context, layout, statistic);
  for (const issue of rowIssues(sources, issues)) Array.from(builder.add(issue));
  const table = await tableOfColumns({ report, context, layout }, statistic, sources);
  if (table === null) return false;
  const { hasUnknown: _, ...answer } = table;
  expect(answer).toEqual(await builder.build(inTurns));
  return true;
}

function surveyOfIssues(
  { report, context, layout }: Parameters<typeof surveyOfColumns>[0],
  statistics: readonly Statistic[],
  issues: readonly Issue[],
) {
  const survey = surveyList(report, context, layout, statistics);
  for (const issue of issues) Array.from(survey.add(issue));
  return survey;
}

test.each(kernelReports.map((report) => [report.id, report] as const))(
  'the kernel of %s gives what measuring each issue gives',
  async (_id, report) => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        aWorld,
        aQuestion,
        anyStatistic,
        async (issues, { context, layout, calendar, sampling }, statistic) => {
          const sources = sourcesOf(issues, context, calendar, sampling);
          answered += Number(await holdTable({ report, context, layout }, statistic, { sources, issues }));
        },
      ),
      { numRuns: runs(250) },
    );
    expect(answered).toBeGreaterThan(0);
  },
);

test('a survey by kernels finds out what looking at each issue finds out, for several statistics at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      aWorld,
      aQuestion,
      fc.array(anyStatistic, { maxLength: 3 }),
      fc.constantFrom(...kernelReports),
      async (issues, { context, layout, calendar, sampling }, statistics, report) => {
        const sources = sourcesOf(issues, context, calendar, sampling);
        const survey = surveyOfIssues({ report, context, layout }, statistics, rowIssues(sources, issues));
        const found = await surveyOfColumns({ report, context, layout }, statistics, sources);
        if (found === null) return;
        const { linesOf, ...expected } = await survey.done(inTurns);
        const { linesOf: ownLinesOf, ...own } = found;
        expect(own).toEqual(expected);
        for (const issue of issues) expect(ownLinesOf(issue)).toEqual(linesOf(issue));
      },
    ),
    { numRuns: runs(250) },
  );
});

/** How long an issue is in each of three statuses: some are the same for many, one is long enough for large squares. */
const someTimes = fc.tuple(
  ...[0, 1, 2].map(() =>
    fc.oneof(fc.constantFrom(0, 1_000, millisecondsInHour, 2 ** 38), fc.nat({ max: millisecondsInDay })),
  ),
);

const aPercentile = anyStatistic.filter(({ type }) => type === 'median' || type === 'percentile');

const oneLevelReports = kernelReports.filter(
  ({ composite, fields: through, levels }) => !composite && through !== 'history' && levels[0] !== 'metric',
);

/** Issues that go from status 1 to 2, back to 1 and to 3, oldest first. */
function goingBack(times: readonly (readonly number[])[]): Issue[] {
  return times.map(([first = 0, second = 0, third = 0], i) => {
    const created = Date.parse('2000-01-01T00:00:00Z') + i;
    const ends = [created + first, created + first + second, created + first + second + third];
    let story = anIssue(`BACK-${i + 1}`, new Date(created).toISOString(), '1');
    for (const [step, at] of ends.entries()) {
      story = story.moves(['2', '1', '3'][step] ?? '', new Date(at).toISOString());
    }
    return story.issue;
  });
}

test.each([
  ['here', undefined],
  ['in threads', 0],
] as const)(
  'figures of many issues are found among amounts in a bracket as among all of them, %s',
  async (_, workersFrom) => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          odd: aWorld,
          times: fc.array(someTimes, { minLength: 10, maxLength: 60 }),
          question: aQuestion,
          sampling: aSampling,
          statistics: fc.tuple(aPercentile, aPercentile, anyStatistic),
          report: fc.constantFrom(...oneLevelReports),
        }),
        async ({ odd, times, question: { context, layout, calendar }, sampling, statistics, report }) => {
          const issues = [...odd, ...goingBack(times)];
          const late = { asOf: Date.parse('2026-03-20T10:00:00Z'), trim: { from: null, to: null } };
          const question = { report, context: { ...context, ...late, countsStatus: () => true }, layout };
          const sources = sourcesOf(issues, question.context, calendar, sampling);
          const survey = surveyOfIssues(question, statistics, rowIssues(sources, issues));
          const found = await surveyOfColumns(question, statistics, { ...sources, workersFrom });
          if (found === null) return;
          expect(found.statistics).toEqual((await survey.done(inTurns)).statistics);
        },
      ),
      { numRuns: runs(60) },
    );
  },
);

/** Asks for statuses by period as of an instant, in the periods from 2026 on, and holds columns against the issues. */
async function holdPeriods(
  [end, period, count]: readonly [end: string, period: TimePeriod, count: number],
  calendar: CalendarDefinition | null,
  numRuns: number,
): Promise<void> {
  const report = statusDurationByTimePeriod;
  const asOf = Date.parse(end);
  const periods: Period[] = [];
  for (let at = Date.parse('2026-03-02T00:00:00Z'); at <= asOf; at = periods.at(-1)?.end ?? asOf) {
    periods.push(periodAt(at, period, 'UTC'));
  }
  await fc.assert(
    fc.asyncProperty(aWorld, aQuestion, anyStatistic, async (issues, { context, layout }, statistic) => {
      const hours = calendar === null ? normalHours : calendarOf(calendar);
      const question = { report, layout, context: { ...context, asOf, periods, calendar: hours } };
      const some = issues.slice(0, count);
      const sources = sourcesOf(some, question.context, calendar);
      expect(await holdTable(question, statistic, { sources, issues: some })).toBe(true);
    }),
    { numRuns },
  );
}

test('so many days that cells are kept as they come up give what measuring each issue gives', () =>
  holdPeriods(['2080-03-20T10:00:00Z', 'Day', 2], null, runs(10)));

test('a calendar reaches to the end of the last period, as of whatever instant it was asked for before', async () => {
  const calendar = { ...calendars[0], name: 'Yearly' } as CalendarDefinition;
  for (const end of ['2026-06-30T10:00:00Z', '2027-01-20T10:00:00Z']) {
    await holdPeriods([end, 'Year', 8], calendar, runs(20));
  }
});

test('a calendar reaches back to the beginning of the first period, whatever it was asked for before', async () => {
  const calendar = { ...calendars[0], name: 'Reaching back' } as CalendarDefinition;
  for (const created of ['2025-06-10', '2024-06-20']) {
    const story = anIssue('WEB-1', `${created}T08:00:00Z`, '1').moves('2', '2026-03-02T10:00:00Z');
    const asOf = '2026-03-20T10:00:00Z';
    const periods: Period[] = [];
    for (let at = Date.parse(created); at <= Date.parse(asOf); at = periods.at(-1)?.end ?? 0) {
      periods.push(periodAt(at, 'Year', 'UTC'));
    }
    const context = asked(asOf, { calendar: calendarOf(calendar), periods });
    const layout: Layout = {
      ...{ fields: [], groupBy: [], statuses: null, consolidated: [], groups: null },
      ...{ includeDeletedStatuses: false, knownStatuses: new Map() },
    };
    const question = { report: statusDurationByTimePeriod, context, layout };
    const sum: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 };
    const issues = [story.issue];
    const sources = sourcesOf(issues, context, calendar);
    expect(await holdTable(question, sum, { sources, issues })).toBe(true);
  }
});

test('threads find what one finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      aWorld,
      aQuestion,
      anyStatistic,
      fc.constantFrom(...kernelReports),
      async (issues, { context, layout, calendar, sampling }, statistic, report) => {
        const sources = sourcesOf(issues, context, calendar, sampling);
        const question = { report, context, layout };
        const alone = await tableOfColumns(question, statistic, sources);
        expect(await tableOfColumns(question, statistic, { ...sources, workersFrom: 0 })).toEqual(alone);
      },
    ),
    { numRuns: runs(100) },
  );
});
