import fc from 'fast-check';
import { expect, test } from '#jest';
import { timeline } from '../../../src/engine/visits/timeline.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { ask } from '../../../src/model/request.ts';
import { createStatusCatalog } from '../../../src/selection/access/status-catalog.ts';
import {
  ada,
  end,
  someIssues,
  start,
  teamReporting,
  through,
  web,
  workflow,
} from '../../api/answers/a-team.ts';

const known = new Map(workflow.map((status) => [status.id, status]));
const orderIn = async (issues: readonly Issue[]) => [
  ...(await createStatusCatalog()(known, tableOf(issues))).keys(),
];

/** The same counted out issue by issue. */
function slowOrder(issues: readonly Issue[]): string[] {
  const positions = new Map<string, number[]>();
  for (const issue of issues.filter(({ history }) => history.complete)) {
    const visited = timeline(issue, 'status', end).visits.flatMap(({ value }) => value?.id ?? []);
    for (const [i, id] of [...new Set(visited)].entries()) {
      positions.set(id, [...(positions.get(id) ?? []), i]);
    }
  }
  const mean = (id: string) => {
    const own = positions.get(id);
    return own === undefined ? 99 : own.reduce((sum, one) => sum + one, 0) / own.length;
  };
  return ['To Do', 'In Progress', 'Undefined', 'Done'].flatMap((category) =>
    workflow
      .filter((status) => status.category === category)
      .toSorted((a, b) => mean(a.id) - mean(b.id))
      .map(({ id }) => id),
  );
}

test('statuses come by category, then by their mean position in all histories, in whatever order issues are', async () => {
  await fc.assert(
    fc.asyncProperty(
      someIssues.chain((issues) =>
        fc.tuple(
          fc.constant(issues),
          fc.shuffledSubarray([...issues], { minLength: issues.length, maxLength: issues.length }),
        ),
      ),
      async ([issues, shuffled]) => {
        const order = await orderIn(issues);
        expect(order).toEqual(slowOrder(issues));
        expect(await orderIn(shuffled)).toEqual(order);
      },
    ),
  );
});

const hour = 3_600_000;
const backwards = [1, 2, 3].map((number) =>
  through(number, ...['1', '4', '3', '5'].map((id, i) => [start + i * hour, id] as const)),
);

test('a report over some of the issues has the order of all of them, and that of names that were given', async () => {
  const forwards = through(9, [start, '3'], [start + hour, '4'], [start + 2 * hour, '6']);
  const reporting = teamReporting([...backwards, forwards], end);
  const columns = async (more: Partial<Parameters<typeof ask>[0]>) => {
    const table = await reporting.report(
      ask({ principal: ada, reportType: 'statusDuration', selection: web, ...more }),
    );
    return table.columns.flatMap(({ id, part }) => (part === 'value' ? [id] : []));
  };
  expect((await reporting.statuses(ada)).map(({ id }) => id)).toEqual(['1', '4', '3', '2', '6', '5']);
  expect(await columns({})).toEqual(['1', '4', '3', '6', '5']);
  expect(await columns({ selection: { by: 'keys', keys: ['WEB-9', 'WEB-1'] } })).toEqual([
    ...['1', '4', '3', '6', '5'],
  ]);
  expect(await columns({ selection: { by: 'jql', jql: 'key = WEB-9' } })).toEqual(['3', '4', '6']);
  expect(await columns({ statuses: ['3', '5', '4'] })).toEqual(['3', '5', '4']);
});

test('the statistics of a file about one issue have the same order', async () => {
  const reporting = teamReporting(backwards, end);
  const statistic = {
    type: 'average',
    denominator: 'nonNull',
    deviation: 'population',
    percentile: 50,
  } as const;
  const selection = { by: 'keys', keys: ['WEB-1'] } as const;
  const reader = await reporting.open(ask({ principal: ada, reportType: 'statusDuration', selection }), [
    statistic,
  ]);
  const [table] = reader.statistics;
  expect(table?.columns.flatMap(({ id, part }) => (part === 'value' ? [id] : []))).toEqual([
    '1',
    '4',
    '3',
    '5',
  ]);
});

test('histories are looked at once for a state of the columns', async () => {
  const table = tableOf(backwards);
  let looks = 0;
  const columns = new Proxy(table.columns, {
    get(target, name) {
      if (name === 'rowsByCreation') looks += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const order = createStatusCatalog();
  await Promise.all([1, 2, 3].map(() => order(known, { ...table, columns })));
  expect(looks).toBe(1);
});
