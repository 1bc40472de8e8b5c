import { millisecondsInDay } from 'date-fns/constants';
import { afterEach, describe, expect, test } from '#jest';
import type { Delegation } from '../../../src/model/delegation.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { closeLocalRecords } from '../../support/local-records.ts';
import { ada, anOffice, refusal } from './an-office.ts';

afterEach(closeLocalRecords);

const noon = Date.parse('2026-03-02T12:00:00Z');

describe('a chain', () => {
  const delegations = [
    aDelegation('ada').to('bob').in(1).delegation,
    aDelegation('bob').to('carl', 'dora').delegation,
    aDelegation('dora').to('ada').in(1).delegation,
  ];

  test('is followed from the person as of now, in the category as it is stored', async () => {
    const { api } = await anOffice({ delegations });
    expect(await api.chainOf({ principal: ada, person: 'ADA', category: 'expense', asOf: null })).toEqual({
      person: 'ada',
      category: 'Expense',
      asOf: noon,
      paths: [
        { people: ['ada', 'bob', 'carl'], backTo: null },
        { people: ['ada', 'bob', 'dora'], backTo: 'ada' },
      ],
      more: false,
    });
  });

  test('is another one in general, and none where nobody stands in', async () => {
    const { api } = await anOffice({ delegations });
    const paths = async (person: string, asOf: number | null) =>
      (await api.chainOf({ principal: ada, person, category: 'general', asOf })).paths;
    expect(await paths('ada', null)).toEqual([]);
    expect(await paths('bob', null)).toEqual([
      { people: ['bob', 'carl'], backTo: null },
      { people: ['bob', 'dora'], backTo: null },
    ]);
    expect(await paths('bob', noon - millisecondsInDay)).toEqual([]);
  });

  test('of somebody or something unknown is not found', async () => {
    const { api } = await anOffice({ delegations });
    const asked = { principal: ada, person: 'ada', category: 'general', asOf: null };
    expect(await refusal(api.chainOf({ ...asked, person: 'zed' }))).toEqual([
      'not-found',
      'User with name "zed" could not be found.',
    ]);
    expect(await refusal(api.chainOf({ ...asked, category: 'test' }))).toEqual([
      'not-found',
      'Category with name "test" could not be found.',
    ]);
  });
});

describe('coverage', () => {
  test('tells of a span who stands in and who is away too', async () => {
    const delegations = [aDelegation('ada').to('bob').delegation, aDelegation('bob').to('carl').delegation];
    const span = { from: noon, until: noon + millisecondsInDay };
    const { api } = await anOffice({ delegations });
    const coverage = await api.coverage(ada, span);
    expect(coverage).toEqual({
      span,
      delegations,
      uncovered: [],
      awayToo: [{ ...span, person: 'ada', delegate: 'bob', categoryId: null, standIns: ['carl'] }],
      ending: [],
    });
  });

  test.each([
    [noon, "until '2026-03-02T12:00Z' is not after from. Try: a time after '2026-03-02T12:00Z'."],
    [noon - 60_000, "until '2026-03-02T11:59Z' is not after from. Try: a time after '2026-03-02T12:00Z'."],
    [
      noon + 400 * millisecondsInDay + 60_000,
      "until '2027-04-06T12:01Z' is 401 days after from. Try: at most 400 days.",
    ],
  ])('is not told until %d', async (until, sentence) => {
    const { api } = await anOffice();
    expect(await refusal(api.coverage(ada, { from: noon, until }))).toEqual([
      'bad-request',
      'Bad request',
      sentence,
    ]);
    expect(await api.coverage(ada, { from: noon, until: noon + 400 * millisecondsInDay })).toMatchObject({
      delegations: [],
    });
  });
});

describe('who stood in when', () => {
  const delegations = [
    aDelegation('ada').to('bob').in(2).delegation,
    aDelegation('ada').to('carl').in(1).delegation,
    aDelegation('ada').to('dora').until('2026-03-03T09:00Z').delegation,
  ];
  const told = async (names: readonly string[] | null) => {
    const { api } = await anOffice({ delegations });
    const { times } = await api.delegateTimes(ada, names);
    return times('ada').map(({ delegate, category }) => [delegate, category.name]);
  };

  test('is told in the order of the categories asked for, as they are stored', async () => {
    expect(await told(['approval', 'Expense'])).toEqual([['bob', 'Approval']]);
    expect(await told(['EXPENSE', 'approval'])).toEqual([['carl', 'Expense']]);
    expect(await told(['GENERAL'])).toEqual([['dora', 'general']]);
  });

  test('begins with general, then goes by id, when none is named', async () => {
    expect(await told(null)).toEqual([
      ['dora', 'general'],
      ['carl', 'Expense'],
    ]);
  });

  test('refuses a name that is not a category', async () => {
    const { api } = await anOffice();
    expect(await refusal(api.delegateTimes(ada, ['Expense', 'x']))).toEqual([
      'bad-request',
      'Bad request',
      "creditDelegates 'x' is not known. Try: true, general, 1 or Expense, 2 or Approval.",
    ]);
  });
});

const names = ['Expense', 'Travel', 'hotels', 'Travel, hotels', 'Café', 'true', '12', 'Say "so"'];
const categories = names.map((name, i) => ({ id: i + 1, name, description: '' }));

describe('the categories that are credited', () => {
  const named = async (...texts: readonly string[]) => {
    const { api } = await anOffice({ categories });
    return (await api.delegateTimes(ada, texts)).categories;
  };

  test('are told by their stored names, each once, in the order in which they are named', async () => {
    expect(await named('travel,GENERAL , expense,Travel,')).toEqual(['Travel', 'general', 'Expense']);
    expect(await named('Expense', 'general', 'EXPENSE')).toEqual(['Expense', 'general']);
  });

  test('are spelled out where none is named', async () => {
    const { api } = await anOffice({ categories });
    expect((await api.delegateTimes(ada, null)).categories).toEqual(['general', ...names]);
  });

  test('may hold commas: the longest name that is known counts', async () => {
    expect(await named('travel, HOTELS')).toEqual(['Travel, hotels']);
    expect(await named('general,Travel, hotels,hotels,Travel')).toEqual([
      'general',
      'Travel, hotels',
      'hotels',
      'Travel',
    ]);
    expect(await named('Travel', 'hotels')).toEqual(['Travel', 'hotels']);
  });

  test('are the same however their accents are encoded', async () => {
    expect(await named('cafe\u0301')).toEqual(['Café']);
  });

  test('go by their ids as well, ids before names of digits', async () => {
    expect(await named('4, 1')).toEqual(['Travel, hotels', 'Expense']);
    expect(await named('12')).toEqual(['12']);
    const more = [...categories, { id: 12, name: 'Twelve', description: '' }];
    const { api } = await anOffice({ categories: more });
    expect((await api.delegateTimes(ada, ['12', '7'])).categories).toEqual(['Twelve', '12']);
  });

  test('are not looked for in a text without end', async () => {
    const text = 'Expense,'.repeat(1000);
    expect(await named(text.slice(0, -1))).toEqual(['Expense']);
    expect(await refusal(named(text))).toEqual([
      'bad-request',
      'Bad request',
      'creditDelegates has 1001 words with commas between. Try: at most 1000, or true for every category.',
    ]);
  });

  test('are listed as they can be asked for when one is not known', async () => {
    const { api } = await anOffice({ categories });
    expect(await refusal(api.delegateTimes(ada, ['Expense, x ,general']))).toEqual([
      'bad-request',
      'Bad request',
      `creditDelegates 'x' is not known. Try: true, general, 1 or Expense, 2 or Travel, 3 or hotels, 4 or "Travel, hotels", 5 or Café, 6 or "true", 7 or 12, 8 or "Say ""so""".`,
    ]);
  });
});

describe('the revision of what is credited', () => {
  const noon = Date.parse('2026-03-03T12:00Z');
  const kept = aDelegation('ada')
    .to('bob', 'carl')
    .in(1)
    .from('2026-03-02T09:00Z')
    .until('2026-03-05T09:00Z');
  const revision = async (
    delegations: readonly Delegation[],
    until: number | null = null,
    texts: readonly string[] | null = ['Expense'],
  ) => {
    const { api } = await anOffice({ delegations, categories });
    return (await api.delegateTimes(ada, texts)).revision(until);
  };

  test.each([
    ['other people', [kept.to('bob', 'dora')]],
    ['another order of them', [kept.to('carl', 'bob')]],
    ['another start', [kept.from('2026-03-02T10:00Z')]],
    ['an end that has come', [kept.until('2026-03-03T12:00Z')]],
    ['a delegation that does not hold any more', [kept.inactive()]],
    ['another category', [kept.in(2)]],
    ['everything instead of one category', [kept.in()]],
    ['one more for everything', [kept, aDelegation('bob').to('dora').numbered(90_000)]],
  ])('changes with %s', async (_what, changed) => {
    for (const until of [noon, null]) {
      expect(
        await revision(
          changed.map(({ delegation }) => delegation),
          until,
        ),
      ).not.toBe(await revision([kept.delegation], until));
    }
  });

  test('stays the same whatever is noted, counted or delegated for something else', async () => {
    const other = aDelegation('bob').to('dora').in(2).delegation;
    const same = [kept.noted('Away').inVersion(2).in(1, 2).delegation, other];
    expect(await revision(same)).toBe(await revision([kept.delegation]));
    expect(await revision(same, null, ['Expense', 'Travel'])).not.toBe(
      await revision([kept.delegation], null, ['Expense', 'Travel']),
    );
  });

  test('up to an instant leaves aside what comes after it', async () => {
    const later = [
      kept.until('2026-03-03T12:01Z').delegation,
      aDelegation('bob').to('dora').from('2026-03-03T12:01Z').delegation,
    ];
    expect(await revision(later, noon)).toBe(await revision([kept.delegation], noon));
    expect(await revision(later)).not.toBe(await revision([kept.delegation]));
  });

  test('is another one for other categories, another order, or another name', async () => {
    const renamed = categories.map((one) => (one.id === 1 ? { ...one, name: 'Expenses' } : one));
    const { api } = await anOffice({ delegations: [kept.delegation], categories: renamed });
    const told = await api.delegateTimes(ada, ['1']);
    const revisions = [
      told.revision(null),
      ...(await Promise.all(
        [['Expense'], ['Expense', 'Travel'], ['Travel', 'Expense'], null].map((texts) =>
          revision([kept.delegation], null, texts),
        ),
      )),
    ];
    expect(new Set(revisions).size).toBe(revisions.length);
  });
});
