import fc from 'fast-check';
import { expect, test } from '#jest';
import type { WeeklyQuestion } from '../../../src/api/answers/weekly/nine-weeks.ts';
import { weeklyAggregates } from '../../../src/api/answers/weekly/weekly-aggregates.ts';
import type { WorkKind } from '../../../src/model/flow.ts';
import { runs } from '../../support/soak.ts';
import { ada, end, someIssues, start, teamReporting, web, workflow } from './a-team.ts';
import { measures, mondaysOf, near, slowLives, slowSpread, slowTime } from './slow-weeks.ts';
import { someFlows } from './some-flows.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];

const question = fc.record({
  timeZone: fc.constantFrom(...zones),
  measure: fc.constantFrom(...measures),
  asOf: fc.integer({ min: start + 3 * 86_400_000, max: end }),
  week: fc.oneof(fc.constantFrom('last', 'this', 'last', 'this'), fc.integer({ min: start, max: end })),
});

const isWork = (kind: WorkKind) => kind === 'active' || kind === 'waiting';

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

test('every figure is the one that is counted out issue by issue', async () => {
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      someFlows,
      question,
      async (issues, flows, { timeZone, measure, asOf, week }) => {
        const { calendar, between } = measure;
        const at = typeof week === 'number' ? Math.min(week, asOf) : asOf;
        const weekly: WeeklyQuestion = {
          kind: 'weekly',
          selection: issues.length === 0 ? { by: 'jql', jql: '' } : web,
          week: typeof week === 'number' ? at : week,
          calendar,
          timeZone,
        };
        const value = await weeklyAggregates(weekly, {
          principal: ada,
          asOf,
          parts: { reporting: teamReporting(issues, end, flows) },
        });

        const starts = mondaysOf(timeZone);
        const index = starts.findLastIndex((one) => one <= at) - (week === 'last' ? 1 : 0);
        const spans = Array.from({ length: 9 }, (_, i): [number, number] => [
          starts[index - 8 + i] ?? 0,
          starts[index - 7 + i] ?? 0,
        ]);
        const outcomes = slowLives(issues, asOf, between, flows).filter(({ counts }) => counts);
        const inWeek = spans.map(([from, until]) =>
          outcomes.filter(
            ({ finishedAt }) => finishedAt !== null && finishedAt >= from && finishedAt < until,
          ),
        );
        const cycles = (some: typeof outcomes) => some.flatMap(({ cycleMs }) => cycleMs ?? []);

        expect(value.weeks.map((one) => [one.start, one.end, one.whole])).toEqual(
          spans.map(([from, until]) => [from, until, until <= asOf]),
        );
        const counts = value.weeks.map(({ finished }) => finished);
        for (const [i, some] of inWeek.entries()) {
          const maybe = outcomes.filter(({ created }) => created < (spans[i]?.[1] ?? 0));
          const { unclear, doneSinceUnknown: sinceUnknown } = value;
          if (some.length > 0) expect(counts[i]).toBe(some.length);
          else if (maybe.some((outcome) => outcome.mayBeFinished)) expect(counts[i]).toBeNull();
          else if (!maybe.some((outcome) => outcome.sinceUnknown)) expect(counts[i]).toBe(0);
          else if (i === 8) expect(counts[i]).toBe(unclear.length + sinceUnknown.length > 0 ? null : 0);
          expect(value.weeks[i]?.finishedUnknown === null).toBe(counts[i] !== null);
        }
        expect(value.weeks.map(({ cycleTime }) => near(cycleTime))).toEqual(
          inWeek.map((some) => near(slowSpread(cycles(some)))),
        );
        const [last = [], eight = []] = [inWeek[8], inWeek.slice(0, 8)];
        expect(value.finished).toEqual({
          week: counts[8],
          weekBefore: counts[7],
          eightWeeks: counts.slice(0, 8).includes(null) ? null : mean(eight.map((some) => some.length)),
        });
        expect(near(value.cycleTime.eightWeeks)).toEqual(near(slowSpread(cycles(eight.flat()))));
        expect(value.withoutCycleTime.map(({ key }) => key).sort()).toEqual(
          last.flatMap(({ key, cycleMs }) => (cycleMs === null ? [key] : [])).sort(),
        );

        expect(value.unclear.map(({ key }) => key).sort()).toEqual(
          outcomes
            .filter(({ mayBeFinished, created }) => mayBeFinished && created < (spans[8]?.[1] ?? 0))
            .map(({ key }) => key)
            .sort(),
        );
        const unsure = outcomes.filter(({ sinceUnknown }) => sinceUnknown).map(({ key }) => key);
        expect(unsure).toEqual(expect.arrayContaining(value.doneSinceUnknown.map(({ key }) => key)));

        // Their order is that of columns.
        const order = new Map((await teamReporting(issues, asOf).statuses(ada)).map(({ id }, i) => [id, i]));
        const statuses = workflow
          .toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
          .flatMap(({ id }) => {
            const timesOf = (some: typeof outcomes) =>
              some
                .filter((outcome) => !outcome.unknown && outcome.kindOf(id) !== 'done')
                .flatMap((outcome) => slowTime(outcome, id, between) ?? []);
            const within = spans.map((span) =>
              outcomes
                .filter((outcome) => outcome.kindOf(id) !== 'done')
                .reduce((sum, outcome) => sum + (slowTime(outcome, id, between, span) ?? 0), 0),
            );
            const [own, all] = [slowSpread(timesOf(last)), slowSpread(timesOf(eight.flat()))];
            const shown = own.count + all.count > 0 || within.some((ms) => ms > 0);
            return shown ? [{ id, own: near(own), all: near(all), within }] : [];
          });
        expect(
          value.statuses.map(({ id, finished }) => ({
            id,
            own: near(finished.week),
            all: near(finished.eightWeeks),
            within: value.weeks.map(({ withinMs }) => withinMs[id]),
          })),
        ).toEqual(statuses);
        expect(value.statuses.map(({ withinMs }) => withinMs)).toEqual(
          statuses.map(({ within }) => ({
            week: within[8],
            weekBefore: within[7],
            eightWeeks: mean(within.slice(0, 8)),
          })),
        );

        const isKnown = value.provenance.complete;
        const inProgress = [8, 7].map((i) => {
          const bound = Math.min(spans[i]?.[1] ?? 0, asOf);
          const count = outcomes.filter(({ stays, kindOf }) =>
            stays.some(({ id, from, until }) => isWork(kindOf(id)) && from < bound && until >= bound),
          ).length;
          return count === 0 && !isKnown ? null : count;
        });
        expect([value.inProgress.week, value.inProgress.weekBefore]).toEqual(inProgress);
        const shares = [8, 7].map((i) => {
          const spent = (kind: string) =>
            outcomes.reduce(
              (sum, outcome) =>
                sum +
                workflow
                  .filter(({ id }) => outcome.kindOf(id) === kind)
                  .reduce((all, { id }) => all + (slowTime(outcome, id, between, spans[i]) ?? 0), 0),
              0,
            );
          const [active, waiting] = [spent('active'), spent('waiting')];
          return waiting === 0 ? null : active / (active + waiting);
        });
        expect([value.flowEfficiency.week, value.flowEfficiency.weekBefore]).toEqual(shares);

        const [from, until] = [spans[0]?.[0] ?? 0, spans[8]?.[1] ?? 0];
        const counted = outcomes.filter(({ created, open, done, endedAt }) => {
          if (created >= until) return false;
          return open || !done || (endedAt !== null && endedAt >= from);
        });
        const cutHistories = counted.filter(({ cut }) => cut).length;
        expect(value.provenance).toMatchObject({
          asOf,
          timeZone,
          issues: counted.length,
          cutHistories,
          complete: cutHistories === 0 && counted.every(({ strange }) => !strange),
        });
      },
    ),
    { numRuns: runs(150) },
  );
});

test('what the contributors changed adds up to the change of the average', async () => {
  await fc.assert(
    fc.asyncProperty(someIssues, question, async (issues, { timeZone, measure, asOf }) => {
      const { against, contributors, cycleTime } = await weeklyAggregates(
        {
          kind: 'weekly',
          selection: { by: 'jql', jql: '' },
          week: 'this',
          calendar: measure.calendar,
          timeZone,
        },
        { principal: ada, asOf, parts: { reporting: teamReporting(issues, end) } },
      );
      const baseline = against === null ? null : cycleTime[against].averageMs;
      expect(against === null).toBe(contributors.length === 0);
      expect(contributors.length).toBe(against === null ? 0 : Math.min(5, cycleTime.week.count));
      if (baseline === null || cycleTime.week.averageMs === null || cycleTime.week.count > 5) return;
      const moved = contributors.reduce((sum, { shiftMs }) => sum + shiftMs, 0);
      expect(moved).toBeCloseTo(cycleTime.week.averageMs - baseline, 3);
      expect(contributors.map(({ shiftMs }) => Math.abs(shiftMs))).toEqual(
        contributors.map(({ shiftMs }) => Math.abs(shiftMs)).toSorted((a, b) => b - a),
      );
    }),
    { numRuns: runs(60) },
  );
});
