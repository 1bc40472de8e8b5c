import type { ReportRequest, Selection, Statistic } from '../../src/model/request.ts';
import type { AnyQuestion } from '../../test/support/any-question.ts';
import { askedRows, type Line } from '../product/asked-rows.ts';
import { figureRow, promised, type Row } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { worldOf } from '../world/world-folder.ts';

const name = 'aggregate';
const MILLION = 1_000_000;
const MEMORY = 'memory read';
const AVERAGE = 'average per status';

const everything: Selection = { by: 'jql', jql: '' };

const statistic = (type: Statistic['type'], percentile = 0): Statistic => ({
  type,
  denominator: 'nonNull',
  deviation: 'population',
  percentile,
});

const status = (choices: Partial<ReportRequest>) => ({
  reportType: 'statusDuration',
  selection: everything,
  statistic: statistic('average'),
  ...choices,
});
const three = (['average', 'median', 'standardDeviation'] as const).map((type) => statistic(type));
const oneByOne = (calendar: string) => three.map((one) => status({ statistic: one, calendar }));

const measured = { selection: everything, calendar: 'normalHours', timeZone: 'Europe/Berlin' } as const;
const weekly: AnyQuestion = { kind: 'weekly', week: 'last', ...measured };
const aging: AnyQuestion = { kind: 'aging', ...measured };
const standup: AnyQuestion = { kind: 'standup', ...measured };
const flow: AnyQuestion = { kind: 'flow', ...measured };

/** Reports over all issues, and questions in words. */
export const aggregateLines: readonly Line[] = [
  { name: AVERAGE, reports: [status({})], times: [[MEMORY, 6]] },
  { name: `${AVERAGE}, business calendar`, reports: [status({ calendar: 'Office' })], times: [[MEMORY, 15]] },
  {
    name: 'average, median and deviation per status',
    reports: oneByOne('normalHours'),
    times: [[MEMORY, 50]],
  },
  { name: 'average, median and deviation per status, business calendar', reports: oneByOne('Office') },
  {
    name: 'average, median and deviation in one question',
    list: status({ statistic: null }),
    together: three,
    times: [[AVERAGE, 4]],
  },
  { name: '85th percentile per status', reports: [status({ statistic: statistic('percentile', 85) })] },
  {
    name: 'average per month and status',
    reports: [status({ reportType: 'statusDurationByTimePeriod', timePeriod: 'Month', timeZone: 'UTC' })],
    times: [[AVERAGE, 3]],
  },
  {
    name: 'average per assignee',
    reports: [status({ reportType: 'assigneeDuration' })],
    times: [[AVERAGE, 3]],
  },
  {
    name: 'average per assignee and status',
    reports: [status({ reportType: 'assigneeDurationByStatus' })],
    times: [[AVERAGE, 3]],
  },
  { name: `${AVERAGE} by issue type`, reports: [status({ groupBy: ['issuetype'] })], times: [[AVERAGE, 3]] },
  { name: 'average blocked time', reports: [status({ reportType: 'blockedDuration' })], ms: 300 },
  {
    name: 'average blocked time per status, business calendar',
    reports: [status({ reportType: 'blockedDurationByStatus', calendar: 'Office' })],
  },
  {
    name: 'average, created in the last year',
    reports: [status({ selection: { by: 'jql', jql: 'created >= "2025-03-18"' } })],
    times: [[AVERAGE, 1.5]],
  },
  {
    name: 'average, with a condition',
    reports: [status({ selection: { by: 'jql', jql: 'priority = High' } })],
    times: [[AVERAGE, 1.5]],
  },
  { name: 'weekly', words: weekly, ms: 300 },
  { name: 'aging', words: aging, ms: 300 },
  { name: 'standup', words: standup, ms: 300 },
  { name: 'flow', words: flow, ms: 400 },
  { name: 'list of all issues, read to its end', list: status({ statistic: null }), upTo: 100_000 },
];

/** Reports and questions about all issues, asked through the ports in a process of its own. */
export const aggregate: Suite = {
  name,
  about: 'reports over all issues, 24/7 and in a business calendar',
  quick: [1_000, 10_000],
  usual: [1_000, 10_000, 100_000],
  full: [1_000, 10_000, 100_000, MILLION],
  async run(sizes) {
    const rows = await rowsBySize(name, sizes, async (size) =>
      askedRows(name, await worldOf(size), aggregateLines),
    );
    return [...rows, ...growth(rows)];
  },
};

/** What is promised of ten times as many issues. */
function growth(rows: readonly Row[]): readonly Row[] {
  const [small, large] = [100_000, MILLION].map((size) => rows.filter((row) => row.size === size));
  const factors = (large ?? []).flatMap(({ name: own, least }) => {
    const before = small?.find((row) => row.name === own);
    return before === undefined ? [] : [least / before.least];
  });
  if (factors.length === 0) return [];
  const most = Math.max(...factors);
  const row = figureRow({ suite: name, name: 'largest growth from 100k to 1M', size: null, unit: '×' }, most);
  return [promised(row, { text: '≤ 11 ×', kept: most <= 11 })];
}
