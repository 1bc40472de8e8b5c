import fc from 'fast-check';
import { expect, test } from '#jest';
import { trendOf } from '../../../src/api/answers/report/trend.ts';
import { allOutcomes, finishedIn, mayBeFinishedIn } from '../../../src/api/outcomes/issue-outcomes.ts';
import { ask } from '../../../src/model/request.ts';
import { periodAt } from '../../../src/time/periods.ts';
import { runs } from '../../support/soak.ts';
import { ada, end, overLists, someIssues, teamReporting, web } from './a-team.ts';
import { someFlows } from './some-flows.ts';

const DAY = 86_400_000;
const issuesAsked = { principal: ada, selection: web, dateRange: null, asOf: end, calendar: 'normalHours' };
const aRange = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 40 }))
  .map(([back, days]) => ({
    from: end - (back + days) * DAY,
    to: end - back * DAY + (back === 0 ? DAY : 0),
  }));

test('a time of the finish chooses the issues that a weekly summary counts as finished in it', async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(someIssues, someFlows, aRange, async (issues, flows, { from, to }) => {
      const reporting = teamReporting(issues, end, flows);
      fc.pre(issues.length > 0);
      const { outcomes } = await allOutcomes(issuesAsked, reporting);
      const expected = finishedIn({ start: from, end: to }, outcomes).map(({ facts }) => facts.key);
      const { provenance, issues: found } = await reporting.report(
        ask({
          ...{ principal: ada, selection: web, asOf: end, timeZone: 'UTC', reportType: 'statusCount' },
          dateRange: { field: 'finished', from, to },
        }),
      );
      expect(found.map(({ key }) => key).toSorted()).toEqual(expected.toSorted());
      // Where a weekly summary has a doubt, so has the time; it may have more, of which exits before unknown time are the reason.
      expect(provenance.undecided).toBeGreaterThanOrEqual(
        mayBeFinishedIn({ start: from, end: to }, outcomes).length,
      );
      seen += expected.length;
    }),
    { numRuns: runs(300) },
  );
  expect(seen).toBeGreaterThan(0);
});

test('a trend has the issues of each period, with columns and without', async () => {
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      fc.tuple(aRange, someFlows),
      fc.constantFrom('Day', 'Week', 'Month'),
      fc.constantFrom(null, ['1'], ['2', '3'], ['5']),
      async (issues, [range, flows], timePeriod, statuses) => {
        fc.pre(issues.length > 0);
        const request = ask({
          ...{
            principal: ada,
            selection: web,
            asOf: end,
            reportType: 'statusDurationByTimePeriod',
            timePeriod,
            statuses,
          },
          dateRange: { field: 'finished', ...range },
        });
        const reporting = teamReporting(issues, end, flows);
        const { trend } = await trendOf(request, 'UTC', reporting);
        const slow = await trendOf(request, 'UTC', overLists(reporting));
        const near = ({ points, ...rest }: typeof trend) => ({
          ...rest,
          times: Math.round(rest.times.medianMs ?? -1),
          points: points.map((point) => ({
            ...{ ...point, times: point.times.count },
            figure: Math.round(point.figureMs ?? -1),
          })),
        });
        expect(near(trend)).toEqual(near(slow.trend));
        const { outcomes } = await allOutcomes(issuesAsked, reporting);
        const finished = finishedIn({ start: range.from, end: range.to }, outcomes);
        expect(trend.finished).toBe(finished.length);
        for (const { id, finished: count } of trend.points) {
          const own = finished.filter(({ finish }) => periodAt(finish?.at ?? 0, timePeriod, 'UTC').id === id);
          expect(count).toBe(own.length);
        }
      },
    ),
  );
});
