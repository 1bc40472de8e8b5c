import fc from 'fast-check';
import { expect, test } from '#jest';
import { summarize } from '../../../src/api/answers/report/summary-answer.ts';
import type { DurationFigures } from '../../../src/model/answer.ts';
import { type AggregationType, ask } from '../../../src/model/request.ts';
import { cellOf } from '../../../src/model/table.ts';
import { ada, end, overLists, someIssues, teamReporting, web } from './a-team.ts';
import { someFlows } from './some-flows.ts';

const request = ask({
  principal: ada,
  reportType: 'statusDuration',
  selection: web,
  asOf: end,
  includeDeletedStatuses: true,
});

const statistic = (type: AggregationType) =>
  ({ type, denominator: 'nonNull', deviation: 'population', percentile: 85 }) as const;

const near = ({ count, ...figures }: DurationFigures) => ({
  count,
  ...Object.fromEntries(
    Object.entries(figures).map(([name, ms]) => [name, ms === null ? null : Math.round(ms)]),
  ),
});

test('a summary is the same with columns and without, and has the figures of the reports it stands for', async () => {
  await fc.assert(
    fc.asyncProperty(
      someIssues.filter((issues) => issues.length > 0),
      someFlows,
      async (issues, flows) => {
        const reporting = teamReporting(issues, end, flows);
        const { summary } = await summarize(request, reporting);
        const slow = await summarize(request, overLists(reporting));
        expect(summary.issues).toBe(issues.length);
        expect({ ...summary, statuses: [], cycleTime: near(summary.cycleTime) }).toEqual({
          ...slow.summary,
          ...{ statuses: [], cycleTime: near(slow.summary.cycleTime) },
        });
        expect(summary.statuses.map(near)).toEqual(slow.summary.statuses.map(near));
        // Of issues of some types a status may be done.
        const hasVariants = flows.some(({ versions }) => (versions.at(-1)?.flow?.variants ?? []).length > 0);
        if (hasVariants || issues.some(({ history }) => !history.complete)) return;
        for (const [type, figure] of [
          ['average', 'average'],
          ['median', 'median'],
          ['percentile', 'p85'],
        ] as const) {
          const table = await reporting.report({ ...request, statistic: statistic(type) });
          const [row] = table.rows;
          for (const status of summary.statuses) {
            const value = cellOf(row?.cells ?? {}, status.id)?.value;
            expect(Math.round(status[`${figure}Ms` as const] ?? 0)).toBe(Math.round(Number(value)));
          }
        }
        const list = await reporting.report(request);
        for (const { id, count } of summary.statuses) {
          expect(count).toBe(list.rows.filter(({ cells }) => cellOf(cells, id) !== undefined).length);
        }
      },
    ),
  );
});

test('a summary of no issues has no figures', async () => {
  const nothing = ask({ ...request, selection: { by: 'jql', jql: '' } });
  const { summary } = await summarize(nothing, teamReporting([], end));
  expect(summary).toMatchObject({
    issues: 0,
    finished: 0,
    statuses: [],
    cycleTime: { count: 0, medianMs: null },
  });
});
