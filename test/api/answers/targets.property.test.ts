import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { type AgingQuestion, agingKind } from '../../../src/api/answers/aging/aging-kind.ts';
import type { WeeklyQuestion } from '../../../src/api/answers/weekly/nine-weeks.ts';
import { weeklyKind } from '../../../src/api/answers/weekly/weekly-kind.ts';
import type { ProjectFlow } from '../../../src/model/flow.ts';
import type { Instant, Issue } from '../../../src/model/issue.ts';
import { runs } from '../../support/soak.ts';
import {
  ada,
  end,
  issueTypes,
  overLists,
  peopledReporting,
  someIssues,
  start,
  web,
  workflow,
} from './a-team.ts';
import { measures, mondaysOf, near, type SlowLife, slowLives, slowSpread } from './slow-weeks.ts';
import { someFlows } from './some-flows.ts';
import { teamAnswers } from './team-answers.ts';

const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];

/** The same outcomes several times over, so that mostly something is learned. */
const manyIssues = fc.tuple(someIssues, fc.constantFrom(1, 5, 9)).map(([issues, times]) =>
  Array.from({ length: times }, () => issues)
    .flat()
    .map((issue, i): Issue => ({ ...issue, key: `WEB-${i + 1}` })),
);

const doneIds: ReadonlySet<string> = new Set(
  workflow.flatMap(({ id, category }) => (category === 'Done' ? [id] : [])),
);

/** Mostly as of a day soon after some issue was done, so that its week has figures. */
const world = fc
  .record({
    issues: manyIssues,
    flows: someFlows,
    measure: fc.constantFrom(...measures),
    timeZone: fc.constantFrom(...zones),
    asOf: fc.integer({ min: start + 20 * millisecondsInDay, max: end }),
    after: fc.option(fc.nat(), { freq: 8 }),
    lists: fc.boolean(),
  })
  .map(({ after, ...one }) => {
    const ends = one.issues
      .flatMap(({ changes }) => changes)
      .filter(({ at, to }) => at > start + 20 * millisecondsInDay && doneIds.has(to?.id ?? ''));
    const ended = after === null ? undefined : ends[after % ends.length];
    const days = (after ?? 0) % 10;
    return ended === undefined ? one : { ...one, asOf: Math.min(end, ended.at + days * millisecondsInDay) };
  });

interface SlowTarget {
  readonly percent: number;
  readonly withinMs: number;
  readonly source: 'set' | 'learned';
}

/** The 85th percentile of the cycle times of issues that were finished in 90 days; null of fewer than five, or where it is no time. */
function slowLearned(outcomes: readonly SlowLife[], until: Instant): number | null {
  const times = outcomes
    .filter(({ finishedAt, counts }) => counts && finishedAt !== null && finishedAt < until)
    .filter(({ finishedAt }) => (finishedAt ?? 0) >= until - 90 * millisecondsInDay)
    .flatMap(({ cycleMs }) => cycleMs ?? []);
  return times.length < 5 ? null : slowSpread(times).p85Ms || null;
}

function targetsBy(learned: number | null, dayMs: number) {
  return ({ target }: Pick<SlowLife, 'target'>): SlowTarget | null => {
    if (target !== null) return { percent: target.percent, withinMs: target.days * dayMs, source: 'set' };
    return learned === null ? null : { percent: 85, withinMs: learned, source: 'learned' };
  };
}

const rounded = <Value>(value: Value) => near(value, 2);
const hourOf = (at: Instant) => at - (at % millisecondsInHour);

/** The first instant of the next day of a zone, found by looking at its clock every quarter of an hour. */
function dayEnd(at: Instant, timeZone: string): Instant {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const quarter = millisecondsInHour / 4;
  let next = at - (at % quarter) + quarter;
  while (day.format(next) === day.format(at)) next += quarter;
  return next;
}

async function answersOf(
  issues: readonly Issue[],
  flows: readonly ProjectFlow[],
  lists: boolean,
): Promise<Awaited<ReturnType<typeof teamAnswers>>['answers']> {
  const port = peopledReporting(issues, () => end, { issueTypes }, flows);
  return (await teamAnswers({ reporting: lists ? overLists(port) : port, now: () => end })).answers;
}

test('targets of open issues are those that their flow sets or that were learned, and so is when they are missed', async () => {
  const seen = { missed: 0, due: 0, set: 0, learned: 0 };
  await fc.assert(
    fc.asyncProperty(world, async ({ issues, flows, measure, timeZone, asOf, lists }) => {
      const { calendar, between, dayMs } = measure;
      const answers = await answersOf(issues, flows, lists);
      const question: AgingQuestion = {
        kind: 'aging',
        ...{ selection: issues.length === 0 ? { by: 'jql', jql: '' } : web, calendar, timeZone },
        backlog: true,
      };
      const { value } = await answers.ask(agingKind, ada, question, asOf);
      const until = hourOf(asOf);
      const targetOf = targetsBy(slowLearned(slowLives(issues, until, between, flows), until), dayMs);
      const outcomes = new Map(slowLives(issues, asOf, between, flows).map((one) => [one.key, one]));
      const midnight = dayEnd(asOf, timeZone);
      let [missed, dueToday] = [0, 0];
      const own: SlowTarget[] = [];
      for (const issue of value.issues) {
        const life = outcomes.get(issue.key);
        if (life === undefined) throw new Error(`${issue.key} is not there yet.`);
        const clock = life.clock;
        const isStarted = ['active', 'waiting'].includes(life.kindOf(issue.status.id));
        const target = isStarted ? targetOf(life) : null;
        if (target !== null) own.push(target);
        expect(rounded(issue.workMs)).toBe(clock === null ? null : rounded(clock(asOf)));
        if (clock === null || target === null) {
          expect(issue.target).toBeNull();
          continue;
        }
        const isMissed = clock(asOf) > target.withinMs;
        const { dueAt, ...found } = issue.target ?? { dueAt: null };
        expect(rounded(found)).toEqual(rounded({ ...target, isMissed }));
        if (dueAt === null) throw new Error('Each of these calendars has work.');
        // Its clock comes to the target at that instant, and not before.
        expect(clock(dueAt)).toBeGreaterThanOrEqual(target.withinMs);
        expect(clock(dueAt - 1)).toBeLessThan(target.withinMs);
        const isReached = clock(asOf) === target.withinMs;
        expect([dueAt < asOf, dueAt > asOf]).toEqual(
          isReached ? [dueAt < asOf, false] : [isMissed, !isMissed],
        );
        if (isMissed) missed += 1;
        else if (isReached ? between(asOf, midnight) > 0 : dueAt <= midnight) dueToday += 1;
        seen[isMissed ? 'missed' : 'due'] += 1;
        seen[target.source] += 1;
      }
      const different = new Set(own.map((one) => JSON.stringify(rounded(one))));
      const common = different.size > 1 ? { percent: null, withinMs: null, source: 'mixed' } : own[0];
      expect(rounded(value.target)).toEqual(
        common === undefined ? null : rounded({ ...common, missed, dueToday }),
      );
    }),
    { numRuns: runs(400) },
  );
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
});

test('a week counts who was finished within the target, which the week itself does not teach', async () => {
  const seen = { within: 0, beyond: 0, learned: 0, mixed: 0 };
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.constantFrom('this' as const, 'last' as const),
      async ({ issues, flows, measure, timeZone, asOf, lists }, week) => {
        const { calendar, between, dayMs } = measure;
        const answers = await answersOf(issues, flows, lists);
        const selection = issues.length === 0 ? ({ by: 'jql', jql: '' } as const) : web;
        const question: WeeklyQuestion = { kind: 'weekly', selection, week, calendar, timeZone };
        const { value } = await answers.ask(weeklyKind, ada, question, asOf);
        const starts = mondaysOf(timeZone);
        const index = starts.findLastIndex((one) => one <= asOf) - (week === 'last' ? 1 : 0);
        const [before = 0, first = 0, next = 0] = starts.slice(index - 1, index + 2);
        const targetOf = targetsBy(
          slowLearned(slowLives(issues, hourOf(asOf), between, flows), first),
          dayMs,
        );
        const outcomes = slowLives(issues, asOf, between, flows).filter(({ counts }) => counts);
        const counted = (from: Instant, to: Instant) => {
          const times = outcomes.flatMap((life) => {
            const { cycleMs, finishedAt } = life;
            const target = targetOf(life);
            const isIn = finishedAt !== null && finishedAt >= from && finishedAt < to;
            return isIn && cycleMs !== null && target !== null ? [cycleMs <= target.withinMs] : [];
          });
          return { finishedWithin: times.filter(Boolean).length, finished: times.length };
        };
        // Each flow of the project counts, be there issues of it or not.
        const { flow } = flows[0]?.versions.at(-1) ?? { flow: null };
        const targets = [flow, ...(flow?.variants ?? [])].map(
          (stages) => targetOf({ target: stages?.target ?? flow?.target ?? null }) ?? [],
        );
        const own = targets.flat();
        const different = new Set(own.map((one) => JSON.stringify(rounded(one))));
        const common = different.size > 1 ? { percent: null, withinMs: null, source: 'mixed' } : own[0];
        const isThere = issues.some(({ created }) => created <= asOf) && common !== undefined;
        const expected = { project: 'WEB', ...common, ...counted(first, next) };
        expect(rounded(value.target)).toEqual(
          isThere ? rounded({ ...expected, weekBefore: counted(before, first) }) : null,
        );
        if (value.target === null) return;
        for (const { finishedWithin, finished } of [value.target, value.target.weekBefore]) {
          seen.within += finishedWithin;
          seen.beyond += finished - finishedWithin;
        }
        if (value.target.source !== 'set') seen[value.target.source] += 1;
      },
    ),
    { numRuns: runs(2_000) },
  );
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
});
