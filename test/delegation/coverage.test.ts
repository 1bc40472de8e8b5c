import { describe, expect, test } from '#jest';
import { surveyCoverage } from '../../src/delegation/coverage.ts';
import type { TimeSpan } from '../../src/model/delegation.ts';
import { aDelegation, type DelegationTold, delegationsOf } from '../support/a-delegation.ts';

/** Two weeks, from Monday to Monday. */
const span: TimeSpan = { from: Date.parse('2026-03-02T00:00Z'), until: Date.parse('2026-03-16T00:00Z') };

/** Coverage in short. */
async function survey(told: readonly DelegationTold[], gapMs?: number) {
  const text = (at: number) => new Date(at).toISOString().slice(5, 16);
  const when = ({ from, until }: TimeSpan) => `${text(from)} ${text(until)}`;
  const coverage = await surveyCoverage(delegationsOf(told), span, gapMs === undefined ? {} : { gapMs });
  return {
    delegations: coverage.delegations.map(({ id }) => id),
    uncovered: coverage.uncovered.map(
      (one) => `${when(one)} ${one.person} ${one.categoryId ?? 'general'} ${one.reason}`,
    ),
    awayToo: coverage.awayToo.map(
      (one) =>
        `${when(one)} ${one.person} ${one.categoryId ?? 'general'} ${one.delegate}: ${one.standIns?.join(', ')}`,
    ),
    ending: coverage.ending.map(({ id }) => id),
  };
}

const uncoveredOf = async (...told: DelegationTold[]) => (await survey(told)).uncovered;
const awayTooOf = async (...told: DelegationTold[]) => (await survey(told)).awayToo;
const endingOf = async (...told: DelegationTold[]) => (await survey(told)).ending;

/** Weekdays of the two weeks. */
const first = (delegator: string) =>
  aDelegation(delegator).from('2026-03-02T09:00Z').until('2026-03-06T17:00Z');
const second = (delegator: string) =>
  aDelegation(delegator).from('2026-03-09T09:00Z').until('2026-03-13T17:00Z');
const wednesday = (delegator: string) =>
  aDelegation(delegator).from('2026-03-04T00:00Z').until('2026-03-05T00:00Z');

test('where everybody is covered there is nothing to tell but who is away', async () => {
  const open = first('ada').to('bob').until('2026-05-01T00:00Z').numbered(7);
  expect(await survey([open])).toEqual({ delegations: [7], uncovered: [], awayToo: [], ending: [] });
});

test('delegations in force in the span are told by their start', async () => {
  const ids = await survey([
    second('ada').to('bob').numbered(1),
    first('ada').to('bob').numbered(2),
    first('carl').to('bob').inactive().numbered(3),
    aDelegation('ada').to('bob').from('2026-02-02T00:00Z').until('2026-03-02T00:00Z').numbered(4),
    aDelegation('ada').to('bob').from('2026-02-02T00:00Z').until('2026-03-02T00:01Z').numbered(5),
    aDelegation('ada').to('bob').from('2026-03-16T00:00Z').until('2026-03-20T00:00Z').numbered(6),
    aDelegation('ada').to('bob').from('2026-03-15T23:59Z').until('2026-03-20T00:00Z').numbered(7),
  ]);
  expect(ids.delegations).toEqual([5, 2, 1, 7]);
});

describe('a delegate who is away too', () => {
  test('is told with the time and with who stands in at the end', async () => {
    expect(await awayTooOf(first('ada').to('bob'), wednesday('bob').to('carl', 'dora'))).toEqual([
      '03-04T00:00 03-05T00:00 ada general bob: carl, dora',
    ]);
  });

  test('is told beside another one who is there', async () => {
    const { awayToo, uncovered } = await survey([
      first('ada').to('carl', 'bob'),
      wednesday('bob').to('dora'),
    ]);
    expect(awayToo).toEqual(['03-04T00:00 03-05T00:00 ada general bob: dora']);
    expect(uncovered).toEqual([]);
  });

  test('is told within the span only', async () => {
    const early = { from: '2026-02-20T00:00Z', until: '2026-04-01T00:00Z' };
    expect(
      await awayTooOf(
        aDelegation('ada').to('bob').from(early.from).until(early.until),
        aDelegation('bob').to('carl').from(early.from).until(early.until),
      ),
    ).toEqual(['03-02T00:00 03-16T00:00 ada general bob: carl']);
  });

  test('is told anew when somebody else stands in, and once while nothing changes', async () => {
    expect(
      await awayTooOf(
        first('ada').to('bob'),
        wednesday('ada').to('bob'),
        wednesday('bob').to('carl'),
        wednesday('bob').to('dora').from('2026-03-04T12:00Z'),
      ),
    ).toEqual([
      '03-04T00:00 03-04T12:00 ada general bob: carl',
      '03-04T12:00 03-05T00:00 ada general bob: carl, dora',
    ]);
  });

  test('of a general absence is told in general and not again in a category', async () => {
    expect(
      await awayTooOf(first('ada').to('bob'), first('ada').to('erik').in(1), wednesday('bob').to('carl')),
    ).toEqual(['03-04T00:00 03-05T00:00 ada general bob: carl']);
  });

  test('in one category is told in that category', async () => {
    expect(await awayTooOf(first('ada').to('bob'), wednesday('bob').to('carl').in(1))).toEqual([
      '03-04T00:00 03-05T00:00 ada 1 bob: carl',
    ]);
  });

  test('in two categories is told in each', async () => {
    expect(await awayTooOf(first('ada').to('bob').in(1, 2), wednesday('bob').to('carl'))).toEqual([
      '03-04T00:00 03-05T00:00 ada 1 bob: carl',
      '03-04T00:00 03-05T00:00 ada 2 bob: carl',
    ]);
  });
});

describe('without who is left', () => {
  const hidden = async (told: readonly DelegationTold[]) =>
    (await surveyCoverage(delegationsOf(told), span, { withRemaining: false })).awayToo;

  test('it is not to be seen either when that changes', async () => {
    const away = wednesday('bob');
    expect(
      await hidden([first('ada').to('bob'), away.to('carl'), away.to('dora').from('2026-03-04T12:00Z')]),
    ).toEqual([
      {
        person: 'ada',
        delegate: 'bob',
        categoryId: null,
        standIns: null,
        from: Date.parse('2026-03-04T00:00Z'),
        until: Date.parse('2026-03-05T00:00Z'),
      },
    ]);
  });

  test('nor that others are left in a category than in general', async () => {
    const told = [first('ada').to('bob'), wednesday('bob').to('carl'), wednesday('bob').to('dora').in(1)];
    expect((await hidden(told)).map(({ categoryId }) => categoryId)).toEqual([null]);
    expect((await survey(told)).awayToo).toHaveLength(2);
  });
});

describe('a circle', () => {
  test('leaves everybody in it uncovered while it lasts', async () => {
    expect(await survey([first('ada').to('bob'), wednesday('bob').to('ada')])).toMatchObject({
      uncovered: ['03-04T00:00 03-05T00:00 ada general loop', '03-04T00:00 03-05T00:00 bob general loop'],
      awayToo: ['03-04T00:00 03-05T00:00 ada general bob: ', '03-04T00:00 03-05T00:00 bob general ada: '],
    });
  });

  test('does no harm where one way leads out of it', async () => {
    expect(await uncoveredOf(first('ada').to('bob', 'carl'), wednesday('bob').to('ada'))).toEqual([]);
  });

  test('of general is told in general alone, though a category has it too', async () => {
    expect(
      await uncoveredOf(first('ada').to('bob'), wednesday('ada').to('bob').in(1), wednesday('bob').to('ada')),
    ).toEqual(['03-04T00:00 03-05T00:00 ada general loop', '03-04T00:00 03-05T00:00 bob general loop']);
  });

  test('of a category is told of the category, also of who is away in general', async () => {
    expect(await uncoveredOf(first('ada').to('bob'), wednesday('bob').to('ada').in(1))).toEqual([
      '03-04T00:00 03-05T00:00 ada 1 loop',
      '03-04T00:00 03-05T00:00 bob 1 loop',
    ]);
  });
});

describe('a delegate nobody knows', () => {
  const withoutBob = async (...told: DelegationTold[]) => {
    const { uncovered, awayToo } = await surveyCoverage(delegationsOf(told), span, {
      isKnown: (id) => id !== 'bob',
    });
    return {
      uncovered: uncovered.map(({ person, reason }) => `${person} ${reason}`),
      awayToo: awayToo.map(({ person, delegate, standIns }) => `${person} ${delegate}: ${standIns}`),
    };
  };

  test('leaves who has nobody else uncovered', async () => {
    expect(await withoutBob(first('ada').to('bob'))).toEqual({ uncovered: ['ada unknown'], awayToo: [] });
    expect((await withoutBob(first('ada').to('bob', 'carl'))).uncovered).toEqual([]);
  });

  test('is nobody at the end of a chain either', async () => {
    expect(await withoutBob(first('ada').to('carl'), first('carl').to('bob'))).toEqual({
      uncovered: ['ada unknown', 'carl unknown'],
      awayToo: ['ada carl: '],
    });
  });
});

describe('a gap', () => {
  test('over a weekend is told', async () => {
    expect(await uncoveredOf(second('ada').to('bob'), first('ada').to('carl'))).toEqual([
      '03-06T17:00 03-09T09:00 ada general gap',
    ]);
  });

  test.each([
    [
      'one minute less than 72 hours is told',
      '2026-03-09T16:59Z',
      ['03-06T17:00 03-09T16:59 ada general gap'],
    ],
    ['72 hours is none', '2026-03-09T17:00Z', []],
    ['no time is none', '2026-03-06T17:00Z', []],
  ])('of %s', async (_, start, expected) => {
    expect(await uncoveredOf(first('ada').to('bob'), second('ada').to('bob').from(start))).toEqual(expected);
  });

  test('is none between evenings, for every night would be one', async () => {
    const onDay = (day: number) =>
      aDelegation('ada').to('bob').from(`2026-03-0${day}T09:00Z`).until(`2026-03-0${day}T17:00Z`);
    expect(await uncoveredOf(onDay(3), onDay(4), onDay(5))).toEqual([]);
  });

  test('is told once, not as the end of the delegation before it as well', async () => {
    const told = await survey([first('ada').to('bob').numbered(1), second('ada').to('carl').numbered(2)]);
    expect(told.uncovered).toEqual(['03-06T17:00 03-09T09:00 ada general gap']);
    expect(told.ending).toEqual([2]);
  });

  test('is as long as somebody says', async () => {
    const hour = 60 * 60 * 1000;
    expect((await survey([first('ada').to('bob'), second('ada').to('bob')], 64 * hour)).uncovered).toEqual(
      [],
    );
    expect(
      (await survey([first('ada').to('bob'), second('ada').to('bob')], 65 * hour)).uncovered,
    ).toHaveLength(1);
  });

  test('is told within the span only, and measured as it is', async () => {
    const before = aDelegation('ada').to('bob').from('2026-02-23T09:00Z').until('2026-02-27T17:00Z');
    expect(await uncoveredOf(before, first('ada').to('bob'))).toEqual([
      '03-02T00:00 03-02T09:00 ada general gap',
    ]);
  });

  test('between delegations to others, or of others, is none', async () => {
    expect(await uncoveredOf(first('ada').to('bob'), second('carl').to('bob'))).toEqual([]);
  });

  test('is none where an inactive delegation follows, or another bridges it', async () => {
    expect(await uncoveredOf(first('ada').to('bob'), second('ada').to('bob').inactive())).toEqual([]);
    expect(
      await uncoveredOf(first('ada').to('bob'), second('ada').to('bob'), aDelegation('ada').to('carl')),
    ).toEqual([]);
  });

  test('begins where the last of overlapping delegations ends', async () => {
    const late = second('ada').to('bob').from('2026-03-07T09:00Z');
    expect(await uncoveredOf(first('ada').to('bob'), wednesday('ada').to('carl'), late)).toEqual([
      '03-06T17:00 03-07T09:00 ada general gap',
    ]);
  });

  test('is not bounded by a delegation of no length', async () => {
    const none = aDelegation('ada').to('bob').from('2026-03-08T00:00Z').until('2026-03-08T00:00Z');
    expect(await uncoveredOf(first('ada').to('bob'), none)).toEqual([]);
  });

  test('is told of the category in which it is', async () => {
    expect(await uncoveredOf(first('ada').to('bob'), second('ada').to('bob').in(1))).toEqual([
      '03-06T17:00 03-09T09:00 ada 1 gap',
    ]);
  });

  test('of general is told in general alone, though a category has it too', async () => {
    expect(
      await uncoveredOf(first('ada').to('bob'), second('ada').to('bob'), wednesday('ada').to('carl').in(1)),
    ).toEqual(['03-06T17:00 03-09T09:00 ada general gap']);
  });
});

describe('what ends soon', () => {
  test('is what ends in the span, its end included, by the end', async () => {
    expect(
      await endingOf(
        second('ada').to('bob').until('2026-03-16T00:00Z').numbered(1),
        first('bob').to('carl').numbered(2),
        first('carl').to('dora').until('2026-03-16T00:01Z').numbered(3),
      ),
    ).toEqual([2, 1]);
  });

  test('is not what another delegation follows at once', async () => {
    expect(
      await endingOf(
        first('ada').to('bob').numbered(1),
        second('ada').to('carl').from('2026-03-06T17:00Z').until('2026-03-20T00:00Z').numbered(2),
      ),
    ).toEqual([]);
  });

  test('is what another follows much later, but not what a gap is told of', async () => {
    expect(
      await endingOf(
        first('ada').to('bob').numbered(1),
        second('ada').to('carl').from('2026-03-06T17:01Z').until('2026-03-20T00:00Z').numbered(2),
        first('bob').to('carl').numbered(3),
        second('bob').to('carl').from('2026-03-12T17:01Z').until('2026-03-20T00:00Z').numbered(4),
      ),
    ).toEqual([3]);
  });

  test.each([
    ['a general one of a category', [1, 2], [[]], []],
    ['one of the same categories', [1, 2], [[2, 1, 3]], []],
    ['two that share its categories', [1, 2], [[1], [2]], []],
    ['one of fewer categories not', [1, 2], [[1]], [1]],
    ['one of a category a general one not', [], [[1]], [1]],
  ])('is followed by %s', async (_, named, others, expected) => {
    expect(
      await endingOf(
        first('ada')
          .to('bob')
          .in(...named)
          .numbered(1),
        ...others.map((ids, i) =>
          aDelegation('ada')
            .to('carl')
            .in(...ids)
            .until('2026-03-20T00:00Z')
            .numbered(i + 2),
        ),
      ),
    ).toEqual(expected);
  });
});
