import type { ReportRequest } from '../../src/model/request.ts';
import type { AnyQuestion } from '../../test/support/any-question.ts';
import { askedRows, type Line } from '../product/asked-rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { people, sprintList } from '../world/invent-issue.ts';
import { worldOf } from '../world/world-folder.ts';

const name = 'fields';

const average: ReportRequest['statistic'] = {
  type: 'average',
  denominator: 'nonNull',
  deviation: 'population',
  percentile: 0,
};

/** The first hundred issues of a query, with their times. */
const page = (title: string, jql: string, limits: Pick<Line, 'times' | 'firstMs'> = {}): Line => ({
  name: title,
  reports: [
    {
      reportType: 'statusDuration',
      selection: { by: 'jql', jql },
      page: { by: 'token', token: null, size: 100 },
    },
  ],
  ...limits,
});

const sprint: AnyQuestion = {
  kind: 'sprint',
  sprint: sprintList.at(-2)?.id ?? '',
  selection: null,
  calendar: 'normalHours',
  timeZone: 'Europe/Berlin',
};

/** What needs columns that come with the first question. */
export const fieldsLines: readonly Line[] = [
  {
    name: 'average per status',
    reports: [{ reportType: 'statusDuration', selection: { by: 'jql', jql: '' }, statistic: average }],
  },
  page('page by history of the status', 'status was "In Review"'),
  {
    name: 'average per priority',
    reports: [
      {
        reportType: 'anyFieldDuration',
        selection: { by: 'jql', jql: '' },
        historyFields: ['priority'],
        statistic: average,
      },
    ],
    times: [['average per status', 4]],
  },
  page('page by history of a field', 'priority was High', {
    times: [['page by history of the status', 4]],
  }),
  page('page by author of a change', `status changed BY "${people[1]?.id}"`, {
    times: [['page by history of the status', 4]],
  }),
  {
    name: 'average per status by labels',
    reports: [
      {
        reportType: 'statusDuration',
        selection: { by: 'jql', jql: '' },
        groupBy: ['labels'],
        statistic: average,
      },
    ],
    firstMs: 3_000,
  },
  { name: 'sprint', words: sprint, ms: 100 },
];

/** Questions about what is neither a status nor an assignee. */
export const fields: Suite = {
  name,
  about: 'histories of other fields, authors of changes, labels, a sprint of 2% of all issues',
  quick: [1_000, 10_000],
  usual: [1_000, 10_000, 100_000],
  full: [1_000, 10_000, 100_000, 1_000_000],
  async run(sizes) {
    return rowsBySize(name, sizes, async (size) => askedRows(name, await worldOf(size), fieldsLines));
  },
};
