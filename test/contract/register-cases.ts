import { millisecondsInMinute, millisecondsInSecond } from 'date-fns/constants';
import { afterEach, describe, expect, test } from '#jest';
import type { DelegationRecords } from '../../src/api/delegations/delegation-api.ts';
import type { Category, Delegation, DelegationInput } from '../../src/model/delegation.ts';
import { AppError } from '../../src/model/error.ts';
import type { Instant, User } from '../../src/model/issue.ts';

/** What a register is opened on: who is known, and what is kept in it already. `timeZone` is the tracker server's. */
export interface RegisterWorld {
  readonly users: readonly User[];
  readonly categories: readonly Category[];
  readonly delegations: readonly Delegation[];
  /** A whole second. */
  readonly now: Instant;
  readonly timeZone: string;
}

/** A register that is open until it is closed. */
export interface OpenRegister {
  readonly register: DelegationRecords;
  close(): Promise<void>;
}
const expense: Category = { id: 1, name: 'Expense', description: 'Travel and other expenses' };
const approval: Category = { id: 2, name: 'Ünterschrift', description: '' };
const people = ['ada', 'bob', 'carl', 'dora', 'erin'];
const monday = Date.parse('2026-03-16T08:00:00Z');
const friday = Date.parse('2026-03-20T17:00:00Z');

/** A delegation of the working week, for everything, unless told otherwise. */
function stored(id: number, more: Partial<Delegation> = {}): Delegation {
  return {
    id,
    version: 1,
    active: true,
    delegator: 'ada',
    delegates: ['bob'],
    categoryIds: [],
    start: monday,
    end: friday,
    notes: '',
    ...more,
  };
}

const wish: DelegationInput = {
  active: true,
  delegator: 'ada',
  delegates: ['bob', 'carl'],
  categoryIds: [expense.id],
  start: monday,
  end: friday,
  notes: 'On a journey',
};

/** Local days on which clocks go forward and back in a zone, as the instants at which they do. */
const clockChanges = [
  { timeZone: 'Europe/Berlin', forward: '2026-03-29T01:00:00Z', back: '2026-10-25T01:00:00Z', hour: 60 },
  { timeZone: 'America/New_York', forward: '2026-03-08T07:00:00Z', back: '2026-11-01T06:00:00Z', hour: 60 },
  {
    timeZone: 'Australia/Lord_Howe',
    forward: '2026-10-03T15:30:00Z',
    back: '2026-04-04T15:00:00Z',
    hour: 30,
  },
];

/**
 * What every register does, wherever it is kept. Nothing is assumed that REST cannot tell: look-ups are to the second
 * of the server's wall clock (of a time that comes twice, the first), records to the minute, ids are the register's.
 */
export function registerCases(
  open: (world: RegisterWorld) => Promise<OpenRegister>,
  timeZone = 'Europe/Berlin',
): void {
  const opened: OpenRegister[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  async function registerOf(
    delegations: readonly Delegation[] = [],
    world: Partial<RegisterWorld> = {},
  ): Promise<DelegationRecords> {
    const one = await open({
      users: people.map((id) => ({ id, name: id.toUpperCase() })),
      categories: [expense, approval],
      delegations,
      now: monday,
      timeZone,
      ...world,
    });
    opened.push(one);
    return one.register;
  }

  describe('who stands in', () => {
    test('is told with the person, the category as stored, and the instant asked about', async () => {
      const register = await registerOf([stored(1, { delegates: ['bob', 'carl'] })]);
      const at = monday + 90 * millisecondsInSecond;
      const told = { category: 'general', asOf: at };
      expect(await register.delegatesOf('ada', 'general', at)).toEqual({
        ...told,
        person: 'ada',
        others: ['bob', 'carl'],
      });
      expect(await register.delegatorsOf('carl', 'general', at)).toEqual({
        ...told,
        person: 'carl',
        others: ['ada'],
      });
    });

    test('is told as of now when no instant is asked about', async () => {
      const now = monday + 7 * millisecondsInSecond;
      const register = await registerOf([stored(1), stored(2, { delegator: 'carl', end: monday })], { now });
      expect(await register.delegatesOf('ada', 'general', null)).toMatchObject({
        asOf: now,
        others: ['bob'],
      });
      expect(await register.delegatorsOf('bob', 'general', null)).toMatchObject({
        asOf: now,
        others: ['ada'],
      });
    });

    test.each([
      ['a second before the start', monday - millisecondsInSecond, []],
      ['at the start', monday, ['bob']],
      ['a second before the end', friday - millisecondsInSecond, ['bob']],
      ['at the end', friday, []],
    ])('%s', async (_when, at, others) => {
      const register = await registerOf([stored(1)]);
      expect((await register.delegatesOf('ada', 'general', at)).others).toEqual(others);
      expect((await register.delegatorsOf('bob', 'general', at)).others).toEqual(
        others.length > 0 ? ['ada'] : [],
      );
    });

    test('changes hands without a gap where one delegation ends as the next starts', async () => {
      const noon = monday + 240 * millisecondsInMinute;
      const register = await registerOf([
        stored(1, { end: noon }),
        stored(2, { start: noon, delegates: ['carl'] }),
      ]);
      expect((await register.delegatesOf('ada', 'general', noon - millisecondsInSecond)).others).toEqual([
        'bob',
      ]);
      expect((await register.delegatesOf('ada', 'general', noon)).others).toEqual(['carl']);
    });

    test('is nobody while the delegation is inactive', async () => {
      const register = await registerOf([stored(1, { active: false })]);
      expect((await register.delegatesOf('ada', 'general', monday)).others).toEqual([]);
      expect((await register.delegatorsOf('bob', 'general', monday)).others).toEqual([]);
    });

    test('is nobody for somebody who delegates to others only, or to whom nobody does', async () => {
      const register = await registerOf([stored(1)]);
      expect((await register.delegatesOf('bob', 'general', monday)).others).toEqual([]);
      expect((await register.delegatorsOf('ada', 'general', monday)).others).toEqual([]);
    });

    test('is told one step far: whoever stands in for those who stand in is another question', async () => {
      const register = await registerOf([stored(1), stored(2, { delegator: 'bob', delegates: ['carl'] })]);
      expect((await register.delegatesOf('ada', 'general', monday)).others).toEqual(['bob']);
      expect((await register.delegatorsOf('carl', 'general', monday)).others).toEqual(['bob']);
    });
  });

  describe('a category', () => {
    const week = [
      stored(1, { delegates: ['bob'] }),
      stored(2, { delegates: ['carl'], categoryIds: [expense.id] }),
      stored(3, { delegates: ['dora'], categoryIds: [approval.id] }),
      stored(4, { delegates: ['erin'], categoryIds: [expense.id, approval.id] }),
    ];

    test.each([
      ['general', ['bob']],
      ['Expense', ['bob', 'carl', 'erin']],
      ['Ünterschrift', ['bob', 'dora', 'erin']],
    ])(
      '%s is covered by its own delegations and the general ones, general by those alone',
      async (category, others) => {
        const register = await registerOf(week);
        expect(await register.delegatesOf('ada', category, monday)).toMatchObject({ category, others });
        for (const person of ['bob', 'carl', 'dora', 'erin']) {
          const told = await register.delegatorsOf(person, category, monday);
          expect([person, told.others]).toEqual([person, others.includes(person) ? ['ada'] : []]);
        }
      },
    );

    test.each([
      ['expense', 'Expense'],
      ['EXPENSE', 'Expense'],
      ['üNTERSCHRIFT', 'Ünterschrift'],
      ['GENERAL', 'general'],
    ])('is found as %s, and told as it is stored', async (asked, category) => {
      const register = await registerOf(week);
      const { others } = await register.delegatesOf('ada', category, monday);
      expect(await register.delegatesOf('ada', asked, monday)).toMatchObject({ category, others });
      expect(await register.delegatorsOf('bob', asked, monday)).toMatchObject({ category, others: ['ada'] });
    });

    test('is one of the list, by id; general is not in it', async () => {
      const register = await registerOf([], { categories: [approval, expense] });
      expect((await register.categories()).map(({ id, name }) => [id, name])).toEqual([
        [expense.id, expense.name],
        [approval.id, approval.name],
      ]);
      expect(await (await registerOf([], { categories: [] })).categories()).toEqual([]);
    });
  });

  describe('the order of those who stand in', () => {
    test('is that of the starts, then of the ids, then as they were named', async () => {
      const register = await registerOf([
        stored(1, { delegates: ['erin'], start: monday + millisecondsInMinute }),
        stored(2, { delegates: ['dora', 'bob'] }),
        stored(3, { delegates: ['carl'] }),
      ]);
      expect((await register.delegatesOf('ada', 'general', monday + millisecondsInMinute)).others).toEqual([
        'dora',
        'bob',
        'carl',
        'erin',
      ]);
    });

    test('has nobody twice: their first place counts', async () => {
      const register = await registerOf([
        stored(1, { delegates: ['bob', 'carl'] }),
        stored(2, { delegates: ['carl', 'dora', 'bob'], categoryIds: [expense.id] }),
      ]);
      expect((await register.delegatesOf('ada', 'Expense', monday)).others).toEqual(['bob', 'carl', 'dora']);
      expect((await register.delegatorsOf('carl', 'Expense', monday)).others).toEqual(['ada']);
    });

    test('holds for those stood in for as well', async () => {
      const register = await registerOf([
        stored(1, { delegator: 'carl', start: monday + millisecondsInMinute }),
        stored(2, { delegator: 'dora' }),
        stored(3, { delegator: 'ada' }),
      ]);
      expect((await register.delegatorsOf('bob', 'general', monday + millisecondsInMinute)).others).toEqual([
        'dora',
        'ada',
        'carl',
      ]);
    });
  });

  describe('around a change of the clocks', () => {
    describe.each(clockChanges)('in $timeZone', ({ timeZone, forward, back, hour }) => {
      const jump = Date.parse(forward);
      const repeat = Date.parse(back);
      const others = async (delegation: Delegation, at: Instant) => {
        const told = await (await registerOf([delegation], { timeZone })).delegatesOf('ada', 'general', at);
        return [told.asOf === at, told.others];
      };

      test('a start at the end of the hour that is left out counts from that instant on', async () => {
        const delegation = stored(1, { start: jump, end: jump + 60 * millisecondsInMinute });
        expect(await others(delegation, jump - millisecondsInSecond)).toEqual([true, []]);
        expect(await others(delegation, jump)).toEqual([true, ['bob']]);
        expect(await others(delegation, jump + 60 * millisecondsInMinute - millisecondsInSecond)).toEqual([
          true,
          ['bob'],
        ]);
        expect(await others(delegation, jump + 60 * millisecondsInMinute)).toEqual([true, []]);
      });

      test('a stretch that ends while times come for the first time is over when they come again', async () => {
        const first = repeat - (hour / 2) * millisecondsInMinute;
        const delegation = stored(1, { start: first - millisecondsInMinute, end: first });
        expect(await others(delegation, first - millisecondsInSecond)).toEqual([true, ['bob']]);
        expect(await others(delegation, first)).toEqual([true, []]);
        expect(await others(delegation, repeat + hour * millisecondsInMinute)).toEqual([true, []]);
      });

      test('a stretch that starts when times come again is not in force when they come first', async () => {
        const again = repeat + (hour / 2) * millisecondsInMinute;
        const delegation = stored(1, { start: again, end: again + 120 * millisecondsInMinute });
        expect(await others(delegation, again - hour * millisecondsInMinute)).toEqual([true, []]);
        expect(await others(delegation, repeat + hour * millisecondsInMinute)).toEqual([true, ['bob']]);
      });
    });

    test.each([
      ['2028-02-28T23:59:59Z', []],
      ['2028-02-29T00:00:00Z', ['bob']],
      ['2028-02-29T23:59:59Z', ['bob']],
      ['2028-03-01T00:00:00Z', []],
    ])('a leap day is a day like others: %s', async (at, others) => {
      const [start, end] = [Date.parse('2028-02-29T00:00:00Z'), Date.parse('2028-03-01T00:00:00Z')];
      const register = await registerOf([stored(1, { start, end })]);
      expect(await register.delegatesOf('ada', 'general', Date.parse(at))).toMatchObject({
        asOf: Date.parse(at),
        others,
      });
    });
  });

  describe('what nobody knows', () => {
    test('a person is not found', async () => {
      const register = await registerOf([stored(1)]);
      for (const asked of [
        () => register.delegatesOf('zed', 'general', monday),
        () => register.delegatorsOf('zed', 'general', null),
      ]) {
        await expect(asked()).rejects.toMatchObject({
          code: 'not-found',
          message: expect.stringContaining('"zed" could not be found.'),
        });
      }
    });

    test('a category is not found', async () => {
      const register = await registerOf([stored(1)]);
      for (const asked of [
        () => register.delegatesOf('ada', 'test', monday),
        () => register.delegatorsOf('bob', 'test', null),
      ]) {
        await expect(asked()).rejects.toMatchObject({
          code: 'not-found',
          message: 'Category with name "test" could not be found.',
        });
      }
    });

    test('a delegation is not found, neither to read nor to change', async () => {
      const register = await registerOf([stored(1)]);
      const refusal = { code: 'not-found', message: 'Delegation with id "77" could not be found.' };
      await expect(register.delegation(77)).rejects.toMatchObject(refusal);
      await expect(register.change(77, () => wish, 'ada')).rejects.toMatchObject(refusal);
    });
  });

  describe('records', () => {
    test('are told as they are kept, also those that are over or inactive, by id', async () => {
      const kept = [
        stored(1, { notes: 'Grüße aus Köln 🏖️\nand “back” on\tMonday' }),
        stored(2, { active: false, categoryIds: [approval.id, expense.id] }),
        stored(3, {
          start: monday - 2 * millisecondsInMinute,
          end: monday - millisecondsInMinute,
          delegates: ['dora', 'bob'],
        }),
      ];
      const register = await registerOf(kept.toReversed());
      expect(await register.delegations()).toEqual(kept);
      for (const one of kept) expect(await register.delegation(one.id)).toEqual(one);
    });

    test('are told all, however many there are', async () => {
      const many = Array.from({ length: 260 }, (_, i) =>
        stored(i + 1, { start: monday + i * millisecondsInMinute, active: i % 3 > 0, notes: `No ${i}` }),
      );
      const register = await registerOf(many);
      expect(await register.delegations()).toEqual(many);
    });

    test('are none where there are none', async () => {
      expect(await (await registerOf()).delegations()).toEqual([]);
    });
  });

  describe('a new delegation', () => {
    test('is told with an id and its first version, kept, and in force from its start on', async () => {
      const register = await registerOf([stored(1, { delegator: 'dora' })]);
      const added = await register.add(wish, 'ada');
      expect(added).toEqual({ ...wish, id: added.id, version: 1 });
      expect(await register.delegation(added.id)).toEqual(added);
      expect((await register.delegations()).map(({ id }) => id)).toEqual([1, added.id]);
      expect((await register.delegatesOf('ada', 'Expense', null)).others).toEqual(['bob', 'carl']);
      expect((await register.delegatesOf('ada', 'general', null)).others).toEqual([]);
    });

    test('gets an id of its own each time', async () => {
      const register = await registerOf();
      const first = await register.add(wish, 'ada');
      const second = await register.add({ ...wish, delegator: 'carl', delegates: ['dora'] }, 'carl');
      expect(second.id).toBeGreaterThan(first.id);
      expect(await register.delegations()).toEqual([first, second]);
    });

    test.each([
      ['without categories, for everything', { categoryIds: [] }],
      ['inactive', { active: false }],
      ['without notes', { notes: '' }],
      ['with notes in any writing', { notes: 'Urlaub 🌴 – 休暇, «до пятницы»\n"quotes" & <tags>\\' }],
      ['for a single minute', { end: monday + millisecondsInMinute }],
      [
        'that was over long ago',
        { start: Date.parse('2019-12-31T23:59:00Z'), end: Date.parse('2020-01-01T00:00:00Z') },
      ],
      [
        'over a leap day',
        { start: Date.parse('2028-02-28T23:30:00Z'), end: Date.parse('2028-02-29T23:59:00Z') },
      ],
    ])('can be one %s', async (_kind, more) => {
      const register = await registerOf();
      const { id } = await register.add({ ...wish, ...more }, 'ada');
      expect(await register.delegation(id)).toEqual({ ...wish, ...more, id, version: 1 });
    });
  });

  describe('a change', () => {
    test('makes a further version of the same delegation, which counts from then on', async () => {
      const register = await registerOf();
      const { id } = await register.add(wish, 'ada');
      const changes: Partial<DelegationInput> = {
        delegates: ['dora'],
        categoryIds: [],
        start: monday - 60 * millisecondsInMinute,
        end: friday + 60 * millisecondsInMinute,
        notes: 'Longer',
      };
      const changed = await register.change(id, () => ({ ...wish, ...changes }), 'ada');
      expect(changed).toEqual({ ...wish, ...changes, id, version: 2 });
      expect(await register.delegation(id)).toEqual(changed);
      expect(await register.delegations()).toEqual([changed]);
      expect((await register.delegatesOf('ada', 'general', null)).others).toEqual(['dora']);
      expect((await register.delegatorsOf('bob', 'Expense', null)).others).toEqual([]);
    });

    test('can be made of what was there already, and again', async () => {
      const before = stored(1);
      const register = await registerOf([before, stored(2, { delegator: 'dora' })]);
      const { id, version, ...same } = before;
      expect(await register.change(id, (kept) => ({ ...kept, active: false }), 'ada')).toEqual({
        ...before,
        active: false,
        version: version + 1,
      });
      expect((await register.delegatesOf('ada', 'general', monday)).others).toEqual([]);
      const again = await register.change(id, () => same, 'ada');
      expect(again).toEqual({ ...before, version: version + 2 });
      expect((await register.delegations()).map((one) => [one.id, one.version])).toEqual([
        [1, 3],
        [2, 1],
      ]);
    });

    test('is made of the newest version, and what it throws is told and changes nothing', async () => {
      const register = await registerOf([stored(1)]);
      await register.change(1, (kept) => ({ ...kept, notes: 'once' }), 'ada');
      const seen: Delegation[] = [];
      const refused = register.change(
        1,
        (kept) => {
          seen.push(kept);
          throw new AppError('invalid-value', 'Not this one');
        },
        'ada',
      );
      await expect(refused).rejects.toMatchObject({ code: 'bad-request', message: 'Not this one' });
      expect(seen).toEqual([stored(1, { notes: 'once', version: 2 })]);
      expect(await register.delegation(1)).toEqual(stored(1, { notes: 'once', version: 2 }));
    });

    test('leaves the delegator as they are', async () => {
      const register = await registerOf([stored(1)]);
      const other = { ...wish, delegator: 'dora' };
      expect(await fieldsRefused(register.change(1, () => other, 'ada'))).toEqual(['delegator']);
      expect(await register.delegation(1)).toEqual(stored(1));
    });
  });

  describe.each([
    ['delegates', 'there are none', { delegates: [] }],
    ['delegates', 'one is not a known user', { delegates: ['bob', 'zed'] }],
    ['delegates', 'one is the delegator', { delegates: ['bob', 'ada'] }],
    ['categoryIds', 'one does not exist', { categoryIds: [expense.id, 77] }],
    ['endDate', 'it is the start', { end: monday }],
    ['endDate', 'it is before the start', { end: monday - millisecondsInMinute }],
  ] as const)('%s: it is refused that %s', (field, _why, wrong) => {
    test('of a new delegation, which is not kept then', async () => {
      const register = await registerOf();
      expect(await fieldsRefused(register.add({ ...wish, ...wrong }, 'ada'))).toEqual([field]);
      expect(await register.delegations()).toEqual([]);
    });

    test('of a change, and everything stays as it was', async () => {
      const register = await registerOf([stored(1)]);
      expect(await fieldsRefused(register.change(1, () => ({ ...wish, ...wrong }), 'ada'))).toEqual([field]);
      expect(await register.delegations()).toEqual([stored(1)]);
    });
  });
}

/** The members a `bad-request` is about. */
async function fieldsRefused(asked: Promise<unknown>): Promise<string[]> {
  const error = await asked.then(
    () => 'was not refused',
    (reason: unknown) => reason,
  );
  if (error instanceof AppError && error.code === 'bad-request') return Object.keys(error.fields);
  throw new Error('It was refused for another reason, or not at all.', { cause: error });
}
