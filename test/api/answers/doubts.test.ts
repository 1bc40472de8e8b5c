import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { WeeklyQuestion } from '../../../src/api/answers/weekly/nine-weeks.ts';
import { weeklyKind } from '../../../src/api/answers/weekly/weekly-kind.ts';
import type { Issue } from '../../../src/model/issue.ts';
import type { AnyQuestion } from '../../support/any-question.ts';
import { principalOf } from '../../support/principal-of.ts';
import { ada, always, at, cut, peopledReporting, through, web, withPerson } from './a-team.ts';
import { aSide, teamAnswers } from './team-answers.ts';

/** The last whole week is 2026-W11, from March 9. */
const now = at('03-18T12:00');
const weekly: WeeklyQuestion = { kind: 'weekly', selection: web, week: 'last', ...always };
const aging: AnyQuestion = { kind: 'aging', selection: web, ...always };
const compare: AnyQuestion = { kind: 'compare', sides: [aSide('A'), aSide('B')], ...always };

const answersOver = (issues: readonly Issue[]) =>
  teamAnswers({ reporting: peopledReporting(issues, () => now), now: () => now });

async function weekOf(issues: readonly Issue[]) {
  const { answers } = await answersOver(issues);
  const { value, isEmpty } = await answers.ask(weeklyKind, ada, weekly);
  return { ...value, isEmpty };
}

const readyUnknown =
  "the category of 'Ready' is not known; an admin can set it, or import the tracker's list of statuses";

describe('a status whose category nobody knows', () => {
  const passing = through(1, '03-09T08:00 3', '03-09T10:00 2', '03-09T12:00 4', '03-09T14:00 5');
  const outOf = through(2, '03-09T08:00 3', '03-10T10:00 2', '03-11T12:00 5');
  const inIt = through(3, '03-09T08:00 3', '03-10T08:00 2');
  const plain = through(4, '03-09T08:00 3', '03-09T20:00 5');

  test('leaves an issue that passed through it without a cycle time', async () => {
    const { finished, cycleTime, withoutCycleTime, statusesWithoutCategory, provenance } = await weekOf([
      passing,
      plain,
    ]);
    expect([finished.week, cycleTime.week.count, cycleTime.week.averageMs]).toEqual([
      2,
      1,
      12 * millisecondsInHour,
    ]);
    expect(withoutCycleTime).toEqual([{ key: 'WEB-1', reason: readyUnknown }]);
    expect([statusesWithoutCategory, provenance.complete]).toEqual([['Ready'], false]);
  });

  test('leaves open since when an issue is done that came to Done from it', async () => {
    const { finished, doneSinceUnknown, isEmpty } = await weekOf([outOf]);
    expect(finished.week).toBeNull();
    expect(doneSinceUnknown).toEqual([{ key: 'WEB-2', reason: readyUnknown }]);
    expect(isEmpty).toBe(false);
  });

  test('leaves an issue that stands in it neither open nor finished', async () => {
    expect((await weekOf([inIt])).unclear).toEqual([{ key: 'WEB-3', reason: readyUnknown }]);
    const { answers } = await answersOver([inIt, plain]);
    expect(await answers.answer(ada, aging, null)).toMatchObject({
      isEmpty: false,
      value: {
        issues: [],
        ageUnknown: [],
        unclear: [{ key: 'WEB-3', reason: readyUnknown }],
        statusesWithoutCategory: ['Ready'],
        provenance: { complete: false },
      },
    });
    expect((await answers.answer(ada, compare, null)).value).toMatchObject({
      sides: [
        { finished: 1, unclear: [{ key: 'WEB-3' }], provenance: { complete: false } },
        { finished: 1, statusesWithoutCategory: ['Ready'], provenance: { complete: false } },
      ],
    });
    const behind = await answers.requestOf(ada, aging, null);
    expect(behind?.selection).toEqual({
      by: 'keys',
      keys: ['WEB-3'],
      title: '1 started issue of WEB by age',
    });
  });

  test('changes nothing where no issue met it', async () => {
    expect((await weekOf([plain])).provenance.complete).toBe(true);
  });
});

describe('a done issue whose cut history does not tell since when', () => {
  const story = through(1, '03-02T08:00 1', '03-09T08:00 3', '03-10T08:00 5');
  const lost = cut(story, 0, 3);

  test('is named in the week it may have been finished in, and is finished in a comparison', async () => {
    const { finished, doneSinceUnknown, isEmpty } = await weekOf([lost]);
    const reason = 'its history is not complete: moved in from elsewhere';
    expect([finished.week, doneSinceUnknown]).toEqual([null, [{ key: 'WEB-1', reason }]]);
    expect(isEmpty).toBe(false);
    const { answers } = await answersOver([lost]);
    expect((await answers.answer(ada, compare, null)).value).toMatchObject({
      sides: [{ finished: 1, doneSinceUnknown: [{ key: 'WEB-1' }] }, { finished: 1 }],
    });
  });

  test('is named by Why? as well', async () => {
    const { answers } = await answersOver([lost]);
    const { excluded, value, unknown } = await answers.explain(ada, weekly, now, 'finished');
    expect(value).toBeNull();
    expect(unknown).toBe(
      'WEB-1 may have been finished then: its history is not complete: moved in from elsewhere',
    );
    expect(excluded).toEqual([
      {
        key: 'WEB-1',
        reason: 'done, but since when is unknown: its history is not complete: moved in from elsewhere',
      },
    ]);
    const compared = await answers.explain(ada, compare, now, 'finished:0');
    expect(compared.parts.map(({ note }) => note)).toEqual([
      'since when is unknown: its history is not complete: moved in from elsewhere',
    ]);
  });

  test('is finished where its last entry tells that it came from work, without a cycle time', async () => {
    const { finished, cycleTime, withoutCycleTime, doneSinceUnknown, weeks } = await weekOf([
      cut(story, 0, 1),
    ]);
    expect([finished.week, weeks.at(-1)?.finished, cycleTime.week.count]).toEqual([1, 1, 0]);
    expect(withoutCycleTime).toEqual([
      { key: 'WEB-1', reason: 'its history is not complete: moved in from elsewhere' },
    ]);
    expect(doneSinceUnknown).toEqual([]);
    const { answers } = await answersOver([cut(story, 0, 1)]);
    const { parts, value } = await answers.explain(ada, weekly, now, 'finished');
    expect(value).toEqual({ kind: 'count', value: 1 });
    expect(parts.map(({ until, note }) => [until, note])).toEqual([[at('03-10T08:00'), null]]);
  });

  test('stays unknown where the last entry came from another status of category Done', async () => {
    const closed = through(1, '03-02T08:00 3', '03-09T08:00 5', '03-10T08:00 6');
    const { finished, doneSinceUnknown } = await weekOf([cut(closed, 0, 1)]);
    expect([finished.week, doneSinceUnknown.map(({ key }) => key)]).toEqual([null, ['WEB-1']]);
  });

  test('stays unknown where the last entry came from a status whose category nobody knows', async () => {
    const ready = through(1, '03-02T08:00 3', '03-09T08:00 2', '03-10T08:00 5');
    const { finished, doneSinceUnknown, statusesWithoutCategory } = await weekOf([cut(ready, 0, 1)]);
    expect([finished.week, doneSinceUnknown, statusesWithoutCategory]).toEqual([
      null,
      [{ key: 'WEB-1', reason: readyUnknown }],
      ['Ready'],
    ]);
  });

  test('is not named in a week that begins after it was seen done', async () => {
    const seen: Issue = {
      ...story,
      changes: [],
      history: {
        complete: false,
        unknownFrom: null,
        unknownUntil: at('03-08T08:00'),
        reason: 'moved in from elsewhere',
      },
    };
    expect((await weekOf([seen])).doneSinceUnknown).toEqual([]);
  });
});

test('an issue waits on whom the tracker shows, however much of its history is lost', async () => {
  const story = withPerson(through(1, '03-02T08:00 1', '03-03T08:00 3'), 'bob');
  const { answers } = await answersOver([cut(story, 0, 2)]);
  const answer = await answers.answer(principalOf('bob'), { kind: 'mine', ...always }, null);
  expect(answer).toMatchObject({
    isEmpty: false,
    value: { own: { issues: [], ageUnknown: ['WEB-1'], provenance: { undecided: 0 } } },
  });
});

test('an answer from sample data is not told again on another day, and one from a tracker is', async () => {
  let time = at('03-18T23:00');
  const parts = { reporting: peopledReporting([], () => time), now: () => time };
  const { answers: sample } = await teamAnswers({ ...parts, tracker: async () => 'sample' });
  const { answers: file } = await teamAnswers(parts);
  const runs = [
    await sample.storeRun('UBOB', { question: weekly, asOf: time }),
    await file.storeRun('UBOB', { question: weekly, asOf: time }),
  ] as const;
  time = at('03-18T23:59');
  expect(await sample.run(runs[0].id)).toEqual(runs[0]);
  time = at('03-19T00:00');
  await expect(sample.run(runs[0].id)).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('Sample data changes every day'),
  });
  expect(await file.run(runs[1].id)).toEqual(runs[1]);
});
