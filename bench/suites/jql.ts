import { askedRows, type Line } from '../product/asked-rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { worldOf } from '../world/world-folder.ts';

const name = 'jql';

/** The first hundred issues of a query, with their times. */
const page = (
  title: string,
  jql: string,
  limits: Partial<Pick<Line, 'ms' | 'firstMs' | 'heldMs'>> = {},
): Line => ({
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

/** Pages and what chooses their issues. */
export const jqlLines: readonly Line[] = [
  page('page of everything', ''),
  page('page by current fields', 'project = WEB AND priority in (Highest, High) ORDER BY updated DESC'),
  page(
    'page by history',
    'status was in (Blocked, "Waiting for customer") DURING ("2025-04-01", "2025-05-01") ORDER BY updated DESC',
    { ms: 100 },
  ),
  page('page by a change', 'status changed FROM "In Review" TO "In Progress" AFTER "2025-10-01"', {
    ms: 100,
  }),
  page('page by text', 'text ~ "basket"', { firstMs: 3_000 }),
  {
    name: 'sixth page of everything',
    reports: [
      {
        reportType: 'statusDuration',
        selection: { by: 'jql', jql: '' },
        page: { by: 'index', start: 500, size: 100 },
      },
    ],
  },
  page('page ordered by two fields', 'ORDER BY priority ASC, updated ASC', { ms: 15, heldMs: 10 }),
  page('page ordered by summary', 'ORDER BY summary ASC'),
];

/** Pages of lists, whatever chooses and orders their issues. */
export const jql: Suite = {
  name,
  about: 'pages of lists: by current fields, history, text, ORDER BY',
  quick: [1_000, 10_000],
  usual: [1_000, 10_000, 100_000],
  full: [1_000, 10_000, 100_000, 1_000_000],
  async run(sizes) {
    return rowsBySize(name, sizes, async (size) => askedRows(name, await worldOf(size), jqlLines));
  },
};
