import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { compareSides } from '../../../src/api/answers/compare/compare-answer.ts';
import { calendarOf } from '../../../src/time/calendar.ts';
import { runs } from '../../support/soak.ts';
import {
  ada,
  at,
  calendars,
  end,
  someIssues,
  start,
  teamReporting,
  through,
  web,
  workflow,
} from './a-team.ts';
import { near, slowLives, slowSpread, slowTime } from './slow-weeks.ts';
import { aSide } from './team-answers.ts';

test('two months of a project stand side by side, each with its own issues', async () => {
  const issues = [
    through(1, '02-03T08:00 3', '02-03T12:00 5'),
    through(2, '03-03T08:00 3', '03-03T18:00 4', '03-04T08:00 6'),
    through(3, '03-10T08:00 1'),
  ];
  const created = (back: number) =>
    ({ field: 'created', when: { by: 'period', period: 'month', back } }) as const;
  const comparison = await compareSides(
    {
      kind: 'compare',
      sides: [aSide('February', web, created(1)), aSide('March', web, created(0))],
      calendar: 'normalHours',
      timeZone: 'UTC',
    },
    { principal: ada, asOf: at('03-10T10:00'), parts: { reporting: teamReporting(issues, end) } },
  );
  expect(comparison).toMatchObject({
    sides: [
      {
        ...{ title: 'February', issues: 1, finished: 1 },
        cycleTime: { averageMs: 4 * millisecondsInHour },
        provenance: { asOf: at('03-10T10:00') },
      },
      {
        ...{ title: 'March', issues: 2, finished: 1 },
        cycleTime: { averageMs: 24 * millisecondsInHour },
        provenance: { query: expect.stringContaining('created') },
      },
    ],
  });
  expect(
    comparison.statuses.map(({ name, sides }) => [name, ...sides.map(({ averageMs }) => averageMs)]),
  ).toEqual([
    ['Open', null, 2 * millisecondsInHour],
    ['Doing', 4 * millisecondsInHour, 10 * millisecondsInHour],
    ['Review', null, 14 * millisecondsInHour],
  ]);
});

test('every figure of a side is the one that is counted out issue by issue', async () => {
  const [definition] = calendars;
  if (definition === undefined) throw new Error('The team has a calendar');
  const { between } = calendarOf(definition);
  await fc.assert(
    fc.asyncProperty(someIssues, fc.integer({ min: start, max: end }), async (issues, asOf) => {
      const all = aSide('All', { by: 'jql', jql: '' });
      const none = aSide('None', { by: 'jql', jql: 'key is empty' });
      const comparison = await compareSides(
        { kind: 'compare', sides: [all, none], calendar: definition.name, timeZone: 'UTC' },
        { principal: ada, asOf, parts: { reporting: teamReporting(issues, end) } },
      );
      const outcomes = slowLives(issues, asOf, between);
      const [whole] = comparison.sides;
      expect(comparison.sides.map(({ issues: count }) => count)).toEqual([outcomes.length, 0]);
      expect(comparison.sides.map(({ finished }) => finished)).toEqual([
        outcomes.filter(({ finished }) => finished).length,
        0,
      ]);
      expect(near(whole.cycleTime)).toEqual(
        near(slowSpread(outcomes.flatMap(({ cycleMs }) => cycleMs ?? []))),
      );
      expect(whole.doneSinceUnknown.map(({ key }) => key).sort()).toEqual(
        outcomes.flatMap(({ key, sinceUnknown }) => (sinceUnknown ? [key] : [])).sort(),
      );
      expect(whole.unclear.map(({ key }) => key).sort()).toEqual(
        outcomes.flatMap(({ key, unclear }) => (unclear ? [key] : [])).sort(),
      );
      const known = outcomes.filter(({ unknown }) => !unknown);
      for (const { id } of workflow.filter(({ category }) => category !== 'Done')) {
        const times = known.flatMap((outcome) => slowTime(outcome, id, between) ?? []);
        const found = comparison.statuses.find((status) => status.id === id);
        if (found === undefined) expect(times).toEqual([]);
        else expect(near(found.sides[0])).toEqual(near(slowSpread(times)));
      }
    }),
    { numRuns: runs(80) },
  );
});
