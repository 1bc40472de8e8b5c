import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { afterAll, expect, test } from '#jest';
import type { InTurns } from '../../../src/concurrency/cooperative-yield.ts';
import { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import { createTableBuilder, type Layout, surveyList } from '../../../src/engine/measure/build-table.ts';
import { closeKernels } from '../../../src/engine/measure/kernels/kernel-pool.ts';
import {
  type ColumnSources,
  surveyOfColumns,
  tableOfColumns,
} from '../../../src/engine/measure/kernels/table-of-columns.ts';
import { historySource, rowContent } from '../../../src/engine/measure/own-cells.ts';
import { isListed } from '../../../src/engine/measure/select-columns.ts';
import { reports } from '../../../src/engine/reports/index.ts';
import type { MeasureContext, ReportType } from '../../../src/engine/reports/measuring/report-type.ts';
import { statusDurationByTimePeriod } from '../../../src/engine/reports/status-by-period.ts';
import type { FieldContent, Issue, Status } from '../../../src/model/issue.ts';
import type { Statistic, TimePeriod } from '../../../src/model/request.ts';
import { type CalendarDefinition, weekdays } from '../../../src/model/settings.ts';
import type { Column } from '../../../src/model/table.ts';
import { calendarOf, normalHours } from '../../../src/time/calendar.ts';
import { type Period, periodAt } from '../../../src/time/periods.ts';
import { aCutStory, anInstant, anyIssue } from '../../support/arbitrary-issue.ts';
import { anyStandInTimes } from '../../support/arbitrary-stand-ins.ts';
import { anIssue } from '../../support/issue-story.ts';
import { asked } from '../../support/measuring.ts';
import { runs } from '../../support/soak.ts';

afterAll(closeKernels);

const inTurns: InTurns = {
  map: async (items, of) => Array.from(items, of),
  sort: async (items, compare) => items.toSorted(compare),
};

const office = (lunch: number): CalendarDefinition => ({
  id: 7,
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: weekdays.slice(0, 5).flatMap((weekday) => [
    { weekday, start: 9 * millisecondsInHour, end: lunch },
    { weekday, start: 13 * millisecondsInHour, end: 26 * millisecondsInHour - millisecondsInDay },
  ]),
  holidays: [{ name: 'Off', date: '2026-03-06', recurring: false }],
});

/** One fits quarters of an hour, the other no grid at all. */
const calendars = [office(12 * millisecondsInHour), office(12 * millisecondsInHour + 7_001)];

const fields = fc.record({
  priority: fc.constantFrom<FieldContent>(null, { id: 'p1', name: 'High' }, { id: 'p2', name: 'Low' }),
  issuetype: fc.constantFrom<FieldContent>({ id: 't1', name: 'Bug' }, { id: 't1', name: 'Defect' }, 'task'),
  points: fc.constantFrom<FieldContent>(null, 3, 5),
  notes: fc.constantFrom<FieldContent>(null, '', '1, 2', '1', '2, 1'),
  labels: fc.constantFrom<FieldContent>(
    [],
    [{ id: 'a', name: 'a' }],
    [
      { id: 'b', name: 'b' },
      { id: 'a', name: 'a' },
    ],
    [
      { id: 'a', name: 'a' },
      { id: 'c', name: 'c' },
    ],
  ),
  components: fc.constantFrom<FieldContent>(
    null,
    [{ id: '1', name: 'Api' }],
    [
      { id: '2', name: 'Web' },
      { id: '1', name: 'API' },
      { id: '2', name: 'Web' },
    ],
  ),
});

/** Issues of two projects, odd ones and cut ones among them, some with values that are called otherwise. */
const aWorld = fc
  .array(
    fc.record({
      issue: fc.oneof(
        anyIssue,
        aCutStory.map(({ cut }) => cut),
        aCutStory.map(({ truth }) => truth),
      ),
      fields,
      project: fc.constantFrom('WEB', 'OPS'),
      resolved: fc.option(anInstant),
      renamed: fc.boolean(),
      hasPriority: fc.boolean(),
      // Jira shows it under an id of its own.
      projectId: fc.option(fc.constantFrom('10000', '10001')),
    }),
    { maxLength: 8 },
  )
  .map((parts) =>
    parts.map(({ issue, fields: own, project, resolved, renamed, hasPriority, projectId }, i): Issue => {
      const { priority, ...others } = own;
      const value = <Value extends Issue['assignee']>(one: Value): Value =>
        one !== null && renamed ? { ...one, name: `${one.name} (old)` } : one;
      const changes = issue.changes.map((change) => ({
        ...change,
        field: change.field === 'other' ? 'priority' : change.field,
        from: value(change.from),
        to: value(change.to),
      }));
      return {
        ...issue,
        key: `${project}-${i + 1}`,
        project: { id: project, name: `Project ${project}` },
        updated: changes.reduce((last, { at }) => Math.max(last, at), issue.created),
        resolved,
        fields: {
          ...{ ...issue.fields, ...others, ...(hasPriority ? { priority } : {}) },
          ...(projectId === null ? {} : { project: { id: projectId, name: `Project ${project}` } }),
        },
        changes,
      };
    }),
  );

const aStatus = fc.constantFrom<string>('1', '2', '3', '4');

const knownStatuses: fc.Arbitrary<ReadonlyMap<string, Status>> = fc
  .uniqueArray(
    fc.record({ id: aStatus, deleted: fc.boolean(), listed: fc.boolean(), unlisted: fc.boolean() }),
    {
      selector: ({ id }) => id,
    },
  )
  .map(
    (list) =>
      new Map(
        list.map(({ unlisted, ...one }) => [
          one.id,
          { ...one, name: `Status ${one.id}`, category: 'Done', ...(unlisted ? { unlisted } : {}) },
        ]),
      ),
  );

const aStatistic: fc.Arbitrary<Statistic> = fc.record({
  type: fc.constantFrom('average', 'sum', 'median', 'standardDeviation', 'percentile'),
  denominator: fc.constantFrom('nonNull', 'all'),
  deviation: fc.constantFrom('population', 'sample'),
  percentile: fc.integer({ min: 0, max: 100 }),
});

const groupColumn = (id: string, kind: Column['kind'] = 'text'): Column => ({
  id,
  title: id,
  kind,
  part: 'group',
});
const aGroupBy = fc.uniqueArray(
  fc.constantFrom(
    ...[
      'issuetype',
      'priority',
      'status',
      'assignee',
      'project',
      'points',
      'notes',
      'labels',
      'components',
      'missing',
    ].map((id) => groupColumn(id)),
    ...['projectKey', 'projectName', 'statusCategory', 'createdDay', 'resolvedMonth'].map((id) =>
      groupColumn(`calc:${id}`),
    ),
  ),
  { maxLength: 2, selector: ({ id }) => id },
);

const metric = fc.record({
  name: fc.constantFrom('Lead', 'Wait'),
  from: fc.record({ statuses: fc.array(aStatus, { maxLength: 2 }), visit: fc.constantFrom('first', 'last') }),
  to: fc.record({
    statuses: fc.array(aStatus, { minLength: 1, maxLength: 2 }),
    visit: fc.constantFrom('first', 'last'),
  }),
  pausedIn: fc.array(aStatus, { maxLength: 1 }),
});

const historyFields = [
  'status',
  'assignee',
  'priority',
  'points',
  'labels',
  'components',
  'missing',
] as const;

/** Brackets from samples of few rows: some miss what they are for, some reach beyond all amounts. */
const aSampling = fc.record({
  rowsFrom: fc.constant(0),
  sampleRows: fc.integer({ min: 1, max: 9 }),
  minAmounts: fc.constant(1),
  width: fc.constantFrom(0, 0.5, 4),
});

/** Everything a question may choose. */
const aQuestion = fc
  .record({
    asOf: anInstant,
    late: fc.boolean(),
    trimFrom: fc.option(anInstant, { freq: 2 }),
    trimTo: fc.option(anInstant, { freq: 2 }),
    calendar: fc.constantFrom(null, ...calendars),
    period: fc.constantFrom('Day', 'Week'),
    multiVisitBehavior: fc.constantFrom('total', 'total', 'first', 'last', 'average'),
    consolidated: fc.constantFrom([], [{ name: 'Both', statuses: ['1', '3'] }]),
    statuses: fc.option(fc.uniqueArray(aStatus)),
    includeDeletedStatuses: fc.boolean(),
    metrics: fc.uniqueArray(metric, { maxLength: 2, selector: ({ name }) => name }),
    knownStatuses,
    groupBy: aGroupBy,
    historyFields: fc.uniqueArray(fc.constantFrom(...historyFields), { minLength: 1, maxLength: 2 }),
    names: fc.boolean(),
    standIns: fc.oneof({ weight: 5, arbitrary: fc.constant(() => []) }, anyStandInTimes),
    sampling: fc.option(aSampling, { nil: undefined, freq: 2 }),
  } as const)
  .map((choice) => {
    const asOf = choice.late ? Date.parse('2026-03-20T10:00:00Z') : choice.asOf;
    const known = choice.knownStatuses;
    const periods = [];
    for (let at = Date.parse('2026-03-02T00:00:00Z'); at <= asOf || periods.length === 0; ) {
      const next = periodAt(at, choice.period, 'UTC');
      periods.push(next);
      at = next.end;
    }
    const merged = choice.consolidated.flatMap((one) => one.statuses);
    const counted = choice.statuses === null ? null : new Set([...choice.statuses, ...merged]);
    const context: MeasureContext = {
      asOf,
      trim: { from: choice.trimFrom, to: choice.trimTo },
      calendar: choice.calendar === null ? normalHours : calendarOf(choice.calendar),
      timeZone: 'UTC',
      multiVisitBehavior: choice.multiVisitBehavior,
      historyFields: choice.historyFields.map((id) => groupColumn(id)),
      consolidated: choice.consolidated,
      countsStatus: (id) =>
        counted === null ? choice.includeDeletedStatuses || known.get(id)?.deleted !== true : counted.has(id),
      groupsOf: (user) => [
        ...(user === '1' || user === '2' ? [{ id: 'g1', name: 'Early', members: [] }] : []),
        ...(user === '2' ? [{ id: 'g2', name: 'Both', members: [] }] : []),
      ],
      delegateTimes: choice.standIns,
      periods,
      metrics: choice.metrics,
      nameOf(issue, field, value) {
        const status = field === 'status' ? known.get(value.id) : undefined;
        return status?.listed && isListed(issue, known) ? status.name : value.name;
      },
      categoryOf: (id) => known.get(id)?.category ?? 'Undefined',
      userName: (id) => (choice.names && id === '1' ? 'Ada' : null),
    };
    const layout: Layout = {
      fields: [],
      groupBy: choice.groupBy,
      statuses: choice.statuses,
      consolidated: choice.consolidated,
      includeDeletedStatuses: choice.includeDeletedStatuses,
      groups: null,
      knownStatuses: known,
    };
    return { context, layout, calendar: choice.calendar, sampling: choice.sampling };
  });

/** Columns of a world, with its rows newest first. */
function sourcesOf(
  issues: readonly Issue[],
  { asOf }: MeasureContext,
  calendar: CalendarDefinition | null,
  sampling?: ColumnSources['sampling'],
): ColumnSources {
  const columns = new IssueColumns();
  for (const [i, issue] of issues.entries()) columns.put(i + 1, rowContent(issue));
  const issueOf = (row: number) => issues[(columns.arrays().storeId[row] ?? 0) - 1] ?? null;
  const { created } = columns.arrays();
  const rows = columns
    .rowsByCreation()
    .toReversed()
    .filter((row) => (created[row] ?? 0) <= asOf);
  for (const field of ['points', 'notes', 'labels', 'components', 'missing']) {
    columns.beginField(field);
    columns.fillField(field, rows, Array.from(rows, issueOf));
    columns.endField(field);
  }
  for (const field of historyFields) {
    columns.beginHistory(field);
    columns.fillHistory(
      field,
      Array.from(issues, ({ key }) => columns.rowOf(key)),
      issues.map(historySource),
    );
    columns.endHistory(field);
  }
  return {
    columns,
    rows,
    calendar,
    sampling,
    turns: inTurns,
    load: async (some) => Array.from(some, issueOf),
  };
}

const rowIssues = ({ columns, rows }: ColumnSources, issues: readonly Issue[]): Issue[] =>
  Array.from(rows, (row) => issues[(columns.arrays().storeId[row] ?? 0) - 1]).filter(
    (one) => one !== undefined,
  );

/** Blocked time needs more than the issues themselves: it is held to its definition. */
const kernelReports: readonly ReportType[] = reports.filter(
  ({ shape, kind, fields }) => shape === 'issue' && kind !== 'instant' && fields !== 'blocked',
);

test.each(kernelReports.map((report) => [report.id, report] as const))(
  'the kernel of %s gives what measuring each issue gives',
  async (_id, report) => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        aWorld,
        aQuestion,
        aStatistic,
        async (issues, { context, layout, calendar, sampling }, statistic) => {
          const sources = sourcesOf(issues, context, calendar, sampling);
          const builder = createTableBuilder(report, context, layout, statistic);
          for (const issue of rowIssues(sources, issues)) Array.from(builder.add(issue));
          const table = await tableOfColumns({ report, context, layout }, statistic, sources);
          if (table === null) return;
          answered += 1;
          const { hasUnknown: _, ...answer } = table;
          expect(answer).toEqual(await builder.build(inTurns));
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
      fc.array(aStatistic, { maxLength: 3 }),
      fc.constantFrom(...kernelReports),
      async (issues, { context, layout, calendar, sampling }, statistics, report) => {
        const sources = sourcesOf(issues, context, calendar, sampling);
        const survey = surveyList(report, context, layout, statistics);
        for (const issue of rowIssues(sources, issues)) Array.from(survey.add(issue));
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

const aPercentile = aStatistic.filter(({ type }) => type === 'median' || type === 'percentile');

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
          statistics: fc.tuple(aPercentile, aPercentile, aStatistic),
          report: fc.constantFrom(...oneLevelReports),
        }),
        async ({ odd, times, question: { context, layout, calendar }, sampling, statistics, report }) => {
          const issues = [...odd, ...goingBack(times)];
          const late = { asOf: Date.parse('2026-03-20T10:00:00Z'), trim: { from: null, to: null } };
          const question = { report, context: { ...context, ...late, countsStatus: () => true }, layout };
          const sources = sourcesOf(issues, question.context, calendar, sampling);
          const survey = surveyList(report, question.context, layout, statistics);
          for (const issue of rowIssues(sources, issues)) Array.from(survey.add(issue));
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
    fc.asyncProperty(aWorld, aQuestion, aStatistic, async (issues, { context, layout }, statistic) => {
      const hours = calendar === null ? normalHours : calendarOf(calendar);
      const question = { report, layout, context: { ...context, asOf, periods, calendar: hours } };
      const some = issues.slice(0, count);
      const sources = sourcesOf(some, question.context, calendar);
      const builder = createTableBuilder(report, question.context, layout, statistic);
      for (const issue of rowIssues(sources, some)) Array.from(builder.add(issue));
      const table = await tableOfColumns(question, statistic, sources);
      const { hasUnknown: _, ...answer } = table ?? { hasUnknown: false };
      expect(answer).toEqual(await builder.build(inTurns));
    }),
    { numRuns },
  );
}

test('so many days that cells are kept as they come up give what measuring each issue gives', () =>
  holdPeriods(['2080-03-20T10:00:00Z', 'Day', 2], null, runs(10)));

test('a calendar reaches to the end of the last period, as of whatever instant it was asked for before', async () => {
  const calendar = { ...office(12 * millisecondsInHour), name: 'Yearly' };
  for (const end of ['2026-06-30T10:00:00Z', '2027-01-20T10:00:00Z']) {
    await holdPeriods([end, 'Year', 8], calendar, runs(20));
  }
});

test('a calendar reaches back to the beginning of the first period, whatever it was asked for before', async () => {
  const calendar = { ...office(12 * millisecondsInHour), name: 'Reaching back' };
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
    const builder = createTableBuilder(statusDurationByTimePeriod, context, layout, sum);
    Array.from(builder.add(story.issue));
    const table = await tableOfColumns(question, sum, sourcesOf([story.issue], context, calendar));
    const { hasUnknown: _, ...answer } = table ?? { hasUnknown: false };
    expect(answer).toEqual(await builder.build(inTurns));
  }
});

test('threads find what one finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      aWorld,
      aQuestion,
      aStatistic,
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
