import { describe, expect, test } from '#jest';
import { stillToCome } from '../../../src/api/delegations/delegation-api.ts';
import type { Category, Coverage, Delegation } from '../../../src/model/delegation.ts';
import type { User } from '../../../src/model/issue.ts';
import { wordView } from '../../../src/slack/app/open-view.ts';
import { checkBlocks, checkView } from '../../../src/slack/blocks/check-blocks.ts';
import type { Message } from '../../../src/slack/blocks/message.ts';
import { coverNews, endList } from '../../../src/slack/delegates/cover-changes.ts';
import { coverMessage, withButtons } from '../../../src/slack/delegates/cover-command.ts';
import { coverForm } from '../../../src/slack/delegates/cover-form.ts';
import { weekMessage } from '../../../src/slack/delegates/cover-week.ts';
import {
  awayTooText,
  coverNoun,
  coverWords,
  notesText,
  plainCoverWords,
  type ReaderFacts,
} from '../../../src/slack/delegates/cover-words.ts';
import { askWhich, linkByOthers, linkInvitation } from '../../../src/slack/people/identify.ts';
import { spanOfDays } from '../../../src/time/day-words.ts';
import { dayAt } from '../../../src/time/wall-clock.ts';
import { aDelegation } from '../../support/a-delegation.ts';

describe('views of cover', () => {
  const at = Date.parse('2026-11-21T15:00:00Z');
  const week = { from: at, until: at + 7 * 86_400_000 };
  const place = { channel: 'C0GENERAL', threadTs: null };

  /** Names as people have them, and as no one should. */
  const namesGiven = [
    'Ada',
    '<!channel> & <@U0BOB>',
    'מרים בת עמרם',
    '👩‍👩‍👧‍👦'.repeat(60),
    '*bold* _and_ `code`',
    'x'.repeat(500),
  ];
  const users = new Map<string, User>(namesGiven.map((name, i) => [`user${i}`, { id: `user${i}`, name }]));
  const categoriesOf = (count: number): Category[] =>
    Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      name: `Category ${i} & ${'c'.repeat(i % 90)}`,
      description: '',
    }));
  const factsOf = (categories: readonly Category[]): ReaderFacts => ({
    ...{ reader: 'user1', users, categories, accounts: new Map(), zones: ['Asia/Kolkata'], now: at },
  });

  const delegationsOf = (count: number): Delegation[] =>
    Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      version: 1,
      active: true,
      delegator: `user${i % namesGiven.length}`,
      delegates: Array.from({ length: 1 + (i % 20) }, (__, j) => `user${(i + j + 1) % namesGiven.length}`),
      categoryIds: i % 3 === 0 ? [] : [1 + (i % 40), 41],
      start: at - 3_600_000 * (i % 50) + (i % 2 === 0 ? 0 : 86_400_000),
      end: at + 86_400_000 * (2 + (i % 5)),
      notes: i % 4 === 0 ? '' : `<@U0BOB> ${'note 🙂 '.repeat(i % 300)}\n`,
    }));

  const takes = (message: Message): void => {
    expect(checkBlocks(message.blocks, 'message')).toEqual([]);
    expect(message.text.length).toBeLessThan(20_000);
    const mrkdwn = message.blocks
      .filter(({ type }) => type !== 'table')
      .map((block) => JSON.stringify(block, (key, value) => (key === 'confirm' ? undefined : value)));
    const shown = `${message.text}${mrkdwn}`;
    expect(shown).not.toContain('<!channel>');
    expect(shown).not.toContain('<@U0BOB>');
  };

  describe.each([0, 1, 10, 10_000])('with %i covers', (count) => {
    const delegations = delegationsOf(count);
    const categories = categoriesOf(Math.min(count, 200));
    const facts = factsOf(categories);
    const words = coverWords(facts);
    const [some] = delegations;
    const coverage: Coverage = {
      span: week,
      delegations,
      uncovered: delegations.map(({ delegator: person }, i) => ({
        person,
        categoryId: i % 2 === 0 ? null : 1,
        reason: i % 3 === 0 ? 'loop' : 'gap',
        ...week,
      })),
      awayToo: delegations.map(({ delegator: person, delegates }) => ({
        person,
        delegate: delegates[0] ?? '',
        categoryId: null,
        standIns: delegates.slice(1),
        ...week,
      })),
      ending: delegations,
    };

    test.each([null, 'Category'])('the answer about a person is taken by Slack: %s', (category) => {
      const known = {
        span: week,
        delegations: delegations.slice(0, 100),
        awayToo: coverage.awayToo.slice(0, 100),
        uncovered: coverage.uncovered.slice(0, 100),
      };
      takes(
        withButtons(
          coverMessage('user1', known, { when: null, category, isOver: false, next: null }, words),
          null,
        ),
      );
    });

    test('the week is taken by Slack, ten rows at first, and says how much of it is shown', () => {
      const shown = (most: number) => weekMessage(coverage, facts, 'Only yours.', most);
      for (const most of [10, 35]) takes(shown(most));
      const table = shown(10).blocks.find(({ type }) => type === 'table');
      expect(table === undefined).toBe(count === 0);
      if (count === 10_000) expect(shown(10).text).toMatch(/\n10 of 20000 are shown\.$/);
      if (count === 1) expect(shown(10).text).not.toContain('are shown');
    });

    test('what can be ended is taken by Slack', () => {
      if (count > 0) takes(endList(delegations, facts));
    });

    test('the form is taken by Slack, filled in or not, with days or times', () => {
      const days = { first: '2026-11-21', last: '2026-11-27', from: null, until: null };
      const form = { place, owner: null, delegates: [], ...days, categoryIds: [], notes: '' };
      const filled = {
        ...{ ...form, owner: 'U0ADA', delegates: ['U0BOB'], notes: '🙂'.repeat(1_000), first: '', last: '' },
        ...{ from: at, until: week.until, categoryIds: categories.map(({ id }) => id) },
      };
      expect(checkView(coverForm.view(form, categories))).toEqual([]);
      const again = coverForm.view(filled, categories, `<!channel> ${'wrong '.repeat(2_000)}`);
      expect(checkView(again)).toEqual([]);
      expect(JSON.stringify(again.blocks[0])).toContain(':warning: &lt;!channel&gt; wrong');
    });

    test.each(['set', 'ended', 'canceled'] as const)(
      'news of a cover that is %s is taken by Slack',
      (event) => {
        if (some === undefined) return;
        for (const reader of users.keys()) {
          const news = coverNews({ delegation: some, event, by: 'user1' }, coverWords({ ...facts, reader }));
          takes(news);
          expect(checkView(wordView('Cover', news))).toEqual([]);
        }
      },
    );
  });

  describe('a cover of many categories and delegates', () => {
    const categories = Array.from({ length: 120 }, (_, i) => ({
      id: i + 1,
      name: `Approvals of department ${i + 1} & its many suppliers`,
      description: '',
    }));
    const many = Array.from({ length: 20 }, (_, i) => `u${i}`);
    const facts = {
      ...factsOf(categories),
      users: new Map(many.map((id) => [id, { id, name: `Person ${id}` }])),
      zones: ['UTC'],
      reader: 'ada',
    };
    const one: Delegation = {
      id: 1,
      version: 1,
      active: true,
      delegator: 'ada',
      delegates: many,
      categoryIds: categories.map(({ id }) => id),
      start: Date.parse('2026-12-19T00:00Z'),
      end: Date.parse('2027-01-03T00:00Z'),
      notes: 'Please call me. '.repeat(20),
    };

    test('is shown with some of them, and always with its dates', () => {
      const news = coverNews({ delegation: one, event: 'set', by: 'ada' }, coverWords(facts));
      expect(news.text).toContain('suppliers and 115 more Dec 19 – Jan 2');
      expect(news.text).toContain('Person u4 and 15 more cover for you');
      const rows = JSON.stringify(endList([one, { ...one, id: 2 }], facts).blocks);
      expect(rows).toMatch(
        /End Person u0, [^"]* cover for you \(Dec 19 – Jan 2\)\? Everyone will be notified\./,
      );
    });

    test('is named by what it is where its reader is one of several', () => {
      const two = { ...one, delegates: ['u0', 'u1'], categoryIds: [] };
      expect(coverNoun(two, coverWords({ ...facts, reader: 'u1' }))).toBe(
        'cover for ada by Person u0 and you (Dec 19 – Jan 2)',
      );
    });

    test('is cut in the week, with its dates', () => {
      const span = { from: one.start - 86_400_000, until: one.start + 6 * 86_400_000 };
      const coverage = { span, delegations: [one], uncovered: [], awayToo: [], ending: [] };
      const { blocks } = weekMessage(coverage, facts, null, 10);
      const table = JSON.stringify(blocks.find(({ type }) => type === 'table'));
      expect(table).toContain('Person u0, Person u1');
      expect(table).toContain('Dec 19 – Jan 2');
    });
  });

  test('linked people are mentions where Slack draws text, and names in tables and dialogs', () => {
    const facts = { ...factsOf([]), reader: 'user9', accounts: new Map([['user0', 'U0ADA']]) };
    expect(coverWords(facts).person('user0')).toBe('<@U0ADA>');
    expect(plainCoverWords(facts).person('user0')).toBe('Ada');
  });

  test('Slack makes no links or mentions of its own out of what people wrote', () => {
    const [one] = delegationsOf(2).slice(1);
    if (one === undefined) throw new Error('none');
    const facts = factsOf([]);
    for (const { blocks } of [
      endList([one, one], facts),
      coverNews({ delegation: one, event: 'set', by: 'ada' }, coverWords(facts)),
    ]) {
      const texts = JSON.stringify(blocks).split('"type":"mrkdwn"').slice(1);
      expect(texts.length).toBeGreaterThan(0);
      for (const text of texts) expect(text).toContain('"verbatim":true');
    }
  });

  test('notes are shown as they were written, marks and all', () => {
    expect(notesText('  Back on *Monday*\n& <@U0BOB> ')).toBe(' · `Back on *Monday* &amp; @U0BOB`');
    expect(notesText('~gone~ `x` _y_')).toBe(' · `~gone~ x _y_`');
    expect(notesText('5 * 3, snake_case, ~10')).toBe(' · “5 * 3, snake_case, ~10”');
    expect(notesText(' \n')).toBe('');
  });

  test('several people who match are shown with buttons', () => {
    const found = { kind: 'several', users: [...users.values()] } as const;
    const lineAbout = (name: string) => `/delegates ${name} on friday`;
    const message = askWhich({ name: 'x' }, found, { hasAdmins: true, users, lineAbout });
    takes(message);
    expect(JSON.stringify(message.blocks)).toContain('"value":"/delegates @user0 on friday"');
  });

  test('the link with which people link their account can be shown in a message and in a modal', () => {
    const link = `https://dwell.example/link?ticket=${'x'.repeat(800)}`;
    const message = linkInvitation('Who are you?', link, linkByOthers('U0ADA', true));
    takes(message);
    expect(checkView(wordView('Set cover', message))).toEqual([]);
  });

  test.each([
    ['2026-11-21T15:00:00Z', 'Asia/Kolkata', '2026-11-20T18:30:00.000Z', '2026-11-27T18:30:00.000Z'],
    // Clocks are set back in between.
    ['2026-10-21T15:20:00Z', 'Europe/Berlin', '2026-10-20T22:00:00.000Z', '2026-10-27T23:00:00.000Z'],
  ])('a week of whole days from today: %s in %s', (now, zone, from, until) => {
    const span = spanOfDays(dayAt(Date.parse(now), zone), 7, zone);
    expect([span.from, span.until].map((one) => new Date(one).toISOString())).toEqual([from, until]);
  });
});

describe('a delegate who is out too', () => {
  const facts = {
    ...{
      reader: 'Dora',
      categories: [],
      accounts: new Map<string, string>(),
      zones: ['Europe/Berlin'],
      now: 0,
    },
    users: new Map(['Ada', 'Bob', 'Carl'].map((name) => [name, { id: name, name }])),
  };
  const words = plainCoverWords(facts);
  const away = { person: 'Ada', delegate: 'Bob', categoryId: null, from: 0, until: 60_000 };

  test.each([
    [['Carl'], '*Bob*, who covers for *Ada*, is out: Carl steps in.'],
    [['Carl', 'Dora'], '*Bob*, who covers for *Ada*, is out: Carl and you step in.'],
    [[], '*Bob*, who covers for *Ada*, is out: no one steps in.'],
    [null, '*Bob*, who covers for *Ada*, is out.'],
  ])('is said, and who steps in as far as the reader can know that: %j', (standIns, text) => {
    expect(awayTooText({ ...away, standIns }, words, away)).toBe(text);
  });

  test.each([
    [0, 60, 'all day'],
    [0, 30, 'until Thu, Jan 1, 1:30 AM'],
    [30, 60, 'from Thu, Jan 1, 1:30 AM'],
    [20, 40, 'Thu, Jan 1, 1:20 AM – Thu, Jan 1, 1:40 AM'],
  ])(
    'no end of what was looked at is taken for the end of an absence: minutes %i to %i',
    (from, until, when) => {
      const minute = 60_000;
      const span = { from: 0, until: 60 * minute };
      const stretch = { ...away, standIns: null, from: from * minute, until: until * minute };
      expect(awayTooText(stretch, words, span, 'all day')).toBe(
        `*Bob*, who covers for *Ada*, is out ${when}.`,
      );
    },
  );
});

describe('still to come', () => {
  const at = (day: number) => Date.parse(`2026-03-${String(day).padStart(2, '0')}T00:00:00Z`);
  const between = (from: number, until: number) => ({ from: at(from), until: at(until) });
  const about = { person: 'ada', categoryId: null };
  const ends = (day: number) => aDelegation('ada').to('bob').until(`2026-03-0${day}T09:00Z`).delegation;
  const week: Coverage = {
    span: between(2, 9),
    delegations: [ends(4), ends(6)],
    uncovered: [between(2, 3), between(3, 6)].map((span) => ({ ...about, reason: 'gap', ...span })),
    awayToo: [between(2, 5), between(2, 7)].map((span) => ({
      ...about,
      delegate: 'bob',
      standIns: [],
      ...span,
    })),
    ending: [ends(4), ends(6)],
  };

  test('of a week that runs nothing is warned of that is over', () => {
    const [, uncovered] = week.uncovered;
    const [, awayToo] = week.awayToo;
    const [, ending] = week.ending;
    expect(stillToCome(week, at(5))).toEqual({
      ...week,
      uncovered: [uncovered],
      awayToo: [awayToo],
      ending: [ending],
    });
  });

  test('of a week that is over, or yet to come, everything is shown', () => {
    expect(stillToCome(week, at(9))).toEqual(week);
    expect(stillToCome(week, at(1))).toEqual(week);
  });
});
