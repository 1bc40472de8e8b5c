import { describe, expect, test } from '#jest';
import { checkBlocks, checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Message } from '../../../src/block-kit/message.ts';
import { type Category, type Coverage, type Delegation, GENERAL } from '../../../src/model/delegation.ts';
import type { User } from '../../../src/model/issue.ts';
import { namesOf, type Words, wordsAnywhere, wordsIn } from '../../../src/slack/app/message-texts.ts';
import { wordView } from '../../../src/slack/app/open-view.ts';
import { delegationFormView, newForm } from '../../../src/slack/delegates/cover-form.ts';
import { awayTooText, coverMessage, groupByCategory } from '../../../src/slack/delegates/cover-message.ts';
import { delegationNews } from '../../../src/slack/delegates/cover-news.ts';
import { stillToCome, weekMessage } from '../../../src/slack/delegates/cover-week.ts';
import { notesLine } from '../../../src/slack/delegates/cover-words.ts';
import { delegatesHelpMessage } from '../../../src/slack/delegates/delegates-help.ts';
import { endList, isLater, readLaterThan, writeLaterThan } from '../../../src/slack/delegates/end-cover.ts';
import { ownDelegations } from '../../../src/slack/delegates/own-cover.ts';
import { commands } from '../../../src/slack/entries.ts';
import { personChoice } from '../../../src/slack/people/ask-which.ts';
import { linkInvitation } from '../../../src/slack/people/identify.ts';
import { aDelegation } from '../../support/a-delegation.ts';

describe('delegates views', () => {
  const at = Date.parse('2026-11-21T15:00:00Z');
  const span = { from: at, until: at + 60_000 };

  /** Names as people have them, and as nobody should. */
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
      name: `${namesGiven[i % namesGiven.length]} ${i}`,
      description: '',
    }));

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

  const listed = (delegations: readonly Delegation[], words: Words): Message =>
    endList(delegations, { person: 'user1', at, words, goesOn: false, toRest: ({ id }) => `behind ${id}` });

  const takes = (message: Message): void => {
    expect(checkBlocks(message.blocks, 'message')).toEqual([]);
    expect(message.text.length).toBeLessThan(20_000);
    const shown = `${message.text}${JSON.stringify(message.blocks.filter(({ type }) => type !== 'table'))}`;
    expect(shown).not.toContain('<!channel>');
    expect(shown).not.toContain('<@U0BOB>');
  };

  describe.each([0, 1, 10, 10_000])('with %i delegations', (count) => {
    const delegations = delegationsOf(count);
    const categories = categoriesOf(count);
    const names = namesOf(users, categories);
    const words = wordsIn('Asia/Kolkata', at, names);
    const [some] = delegations;
    const coverage: Coverage = {
      span: { from: at, until: at + 7 * 86_400_000 },
      delegations,
      uncovered: delegations.map(({ delegator: person }, i) => ({
        person,
        categoryId: i % 2 === 0 ? null : 1,
        reason: i % 3 === 0 ? 'loop' : 'gap',
        ...span,
      })),
      awayToo: delegations.map(({ delegator: person, delegates }) => ({
        person,
        delegate: delegates[0] ?? '',
        categoryId: null,
        standIns: delegates.slice(1),
        ...span,
      })),
      ending: delegations,
    };

    test.each(['delegates', 'delegators'] as const)(
      'the answer about somebody’s %s is taken by Slack',
      (direction) => {
        const chain = {
          person: 'user0',
          category: GENERAL,
          asOf: at,
          paths: Array.from({ length: count }, () => ({ people: [...users.keys()], backTo: 'user0' })),
          more: true,
        };
        const groups = groupByCategory(delegations, names).map((group) => ({ ...group, chain }));
        const { awayToo, uncovered } = coverage;
        const story = { direction, person: 'user1', when: 'now', span, awayToo, uncovered, words };
        takes(coverMessage({ ...story, category: null, instant: true, groups }));
        takes(coverMessage({ ...story, category: words.category(2), instant: false, groups }));
      },
    );

    test('the week is taken by Slack, and tells how much of it is shown', () => {
      const message = weekMessage({ coverage, names, timeZone: 'Europe/Berlin', onlyOwn: 'Only yours.' });
      takes(message);
      const table = message.blocks.find(({ type }) => type === 'table');
      expect(table === undefined).toBe(count === 0);
      if (count === 10_000) expect(message.text).toMatch(/ \d\d of 10000 delegations are shown\.$/);
      if (count === 10) expect(message.text).not.toContain('are shown');
    });

    test('one’s own, and those that can be ended, are taken by Slack', () => {
      takes(ownDelegations({ handedOver: delegations, standingIn: delegations, at, words }));
      takes(listed(delegations, words));
    });

    test('the form is taken by Slack, filled in or not', () => {
      const place = { channel: 'C0GENERAL', threadTs: null };
      const form = newForm(place, null, { now: at, timeZone: 'Asia/Kolkata' });
      const filled = {
        ...form,
        delegator: 'U0ADA',
        delegates: ['U0BOB'],
        categoryIds: categories.map(({ id }) => id),
        notes: '🙂'.repeat(1_000),
      };
      expect(checkView(delegationFormView(form, { categories, wrong: null }))).toEqual([]);
      const again = delegationFormView(filled, { categories, wrong: `<!channel> ${'wrong '.repeat(2_000)}` });
      expect(checkView(again)).toEqual([]);
      expect(JSON.stringify(again.blocks[0])).toContain(':warning: &lt;!channel&gt; wrong');
      expect(JSON.stringify(again)).toContain('U0BOB');
    });

    test.each(['set', 'ended', 'called off'] as const)(
      'what both sides read of one that is %s is taken by Slack',
      (event) => {
        if (some === undefined) return;
        for (const reader of users.keys()) {
          const news = delegationNews({ delegation: some, event, by: 'user1' }, reader, wordsAnywhere(names));
          takes(news);
          expect(checkView(wordView('Delegation', news))).toEqual([]);
        }
      },
    );
  });

  describe('a delegation of many categories and delegates', () => {
    const categories = Array.from({ length: 120 }, (_, i) => ({
      id: i + 1,
      name: `Approvals of department ${i + 1} & its many suppliers`,
      description: '',
    }));
    const many = Array.from({ length: 20 }, (_, i) => `u${i}`);
    const names = namesOf(new Map(many.map((id) => [id, { id, name: `Somebody ${id}` }])), categories);
    const words = wordsIn('UTC', at, names);
    const one: Delegation = {
      id: 1,
      version: 1,
      active: true,
      delegator: 'ada',
      delegates: many,
      categoryIds: categories.map(({ id }) => id),
      start: at + 3_600_000,
      end: at + 86_400_000,
      notes: 'Please call me. '.repeat(20),
    };
    const ends = 'Sun 22 Nov 15:00';

    test('is told with some of them, and always with its period', () => {
      const news = delegationNews({ delegation: one, event: 'set', by: 'ada' }, 'u1', words);
      expect(news.text).toContain('suppliers and 115 more, from Sat 21 Nov 16:00 until');
      expect(news.text).toContain('*Somebody u4*, *Somebody u5* and 14 more');
      for (const { blocks, text } of [
        news,
        listed([one], words),
        ownDelegations({ handedOver: [one], standingIn: [one], at, words }),
      ]) {
        expect(text).toContain(ends);
        expect(JSON.stringify(blocks)).toContain(ends);
      }
    });

    test('has a row in the week that tells how many are left out', () => {
      const coverage = { span, delegations: [one], uncovered: [], awayToo: [], ending: [] };
      const { blocks } = weekMessage({ coverage, names, timeZone: 'UTC', onlyOwn: null });
      const table = JSON.stringify(blocks.find(({ type }) => type === 'table'));
      expect(table).toContain('Somebody u0, Somebody u1, Somebody u2 and 17 more');
      expect(table).toContain(' and 119 more');
    });

    test('can be ended wherever it stands in a list that is too long for one message', () => {
      const all = Array.from({ length: 40 }, (_, i) => ({ ...one, id: i + 1 }));
      let rest: readonly Delegation[] = all;
      const seen: string[] = [];
      while (rest.length > 0) {
        const message = listed(rest, words);
        takes(message);
        const buttons = JSON.stringify(message.blocks);
        const shown = [...buttons.matchAll(/"end-delegation","value":"(\d+)"/g)].map(([, id = '']) => id);
        seen.push(...shown);
        rest = rest.slice(shown.length);
        expect(buttons.includes(`"list-later","value":"behind ${shown.at(-1)}"`)).toBe(rest.length > 0);
      }
      expect(seen.map(Number)).toEqual(all.map(({ id }) => id));
    });
  });

  test('the place behind a delegation in a list holds whatever ends meanwhile', () => {
    const place = readLaterThan(writeLaterThan({ person: 'ada', start: 10, id: 5 }));
    const [one] = delegationsOf(1);
    if (one === undefined) throw new Error('none');
    const later = (start: number, id: number) => isLater({ ...one, start, id }, place);
    expect([later(10, 5), later(10, 6), later(9, 7), later(11, 1)]).toEqual([false, true, false, true]);
  });

  test('Slack makes no links or mentions of its own out of what people wrote', () => {
    const [one] = delegationsOf(2).slice(1);
    if (one === undefined) throw new Error('none');
    const words = wordsAnywhere(namesOf(users, []));
    for (const { blocks } of [
      listed([one], words),
      delegationNews({ delegation: one, event: 'set', by: 'ada' }, 'ada', words),
      ownDelegations({ handedOver: [one], standingIn: [], at, words }),
    ]) {
      const texts = JSON.stringify(blocks).split('"type":"mrkdwn"').slice(1);
      expect(texts.length).toBeGreaterThan(0);
      for (const text of texts) expect(text).toContain('"verbatim":true');
    }
  });

  test('notes are told as they were written, marks and all', () => {
    expect(notesLine('  Back on *Monday*\n& <@U0BOB> ')).toBe('`Back on *Monday* &amp; @U0BOB`');
    expect(notesLine('~gone~ `x` _y_')).toBe('`~gone~ x _y_`');
    expect(notesLine('5 * 3, snake_case, ~10')).toBe('“5 * 3, snake_case, ~10”');
  });

  test('whom one of several people is asked with buttons', () => {
    const message = personChoice('Whom do you mean?', [...users.values()], ({ id }) => id);
    takes(message);
    expect(JSON.stringify(message.blocks)).toContain('"value":"user0"');
  });

  test('help of everything and of one word is taken by Slack', () => {
    takes(delegatesHelpMessage(commands));
    const { text } = delegatesHelpMessage(commands, 'SET');
    expect(text).toContain('/delegates set');
    expect(text).not.toContain('/delegates week');
  });

  test('the link under which somebody says who they are can be shown in a message and in a modal', () => {
    const link = `https://dwell.example/link?ticket=${'x'.repeat(800)}`;
    const message = linkInvitation('Who are you?', { link, account: 'U0ADA', hasAdmins: true });
    takes(message);
    expect(checkView(wordView('Hand work over', message))).toEqual([]);
  });

  test('a form begins with the next full hour on the clocks of who asks, for a week by the same clocks', () => {
    const place = { channel: 'C0GENERAL', threadTs: null };
    const times = (now: string, timeZone: string) => {
      const { from, to } = newForm(place, null, { now: Date.parse(now), timeZone });
      return [from, to].map((one) => new Date(one).toISOString());
    };
    expect(times('2026-11-21T15:00:00Z', 'Asia/Kolkata')).toEqual([
      '2026-11-21T15:30:00.000Z',
      '2026-11-28T15:30:00.000Z',
    ]);
    // Clocks are set back in between.
    expect(times('2026-10-21T15:20:00Z', 'Europe/Berlin')).toEqual([
      '2026-10-21T16:00:00.000Z',
      '2026-10-28T17:00:00.000Z',
    ]);
  });
});

describe('away too text', () => {
  const words = wordsIn(
    'Europe/Berlin',
    0,
    namesOf(new Map(['Ada', 'Bob', 'Carl'].map((name) => [name, { id: name, name }])), []),
  );
  const away = { person: 'Ada', delegate: 'Bob', categoryId: null, from: 0, until: 60_000 };

  test.each([
    [['Carl'], '*Bob*, who stands in for *Ada*, is away too; left to stand in: *Carl*.'],
    [[], '*Bob*, who stands in for *Ada*, is away too; nobody stands in then.'],
    [null, '*Bob*, who stands in for *Ada*, is away too.'],
  ])(
    'a delegate who is away too is told, and who is left as far as that may be known: %j',
    (standIns, text) => {
      expect(awayTooText({ ...away, standIns }, words, null)).toBe(text);
    },
  );

  test.each([
    [0, 60, 'all day'],
    [0, 30, 'until Thu 1 Jan 01:30'],
    [30, 60, 'from Thu 1 Jan 01:30 on'],
    [20, 40, 'from Thu 1 Jan 01:20 until Thu 1 Jan 01:40'],
  ])(
    'no end of what was looked at is told as the end of an absence: minutes %i to %i',
    (from, until, when) => {
      const minute = 60_000;
      const looked = { span: { from: 0, until: 60 * minute }, whole: 'all day' };
      const stretch = { ...away, standIns: null, from: from * minute, until: until * minute };
      expect(awayTooText(stretch, words, looked)).toBe(
        `*Bob*, who stands in for *Ada*, is away too ${when}.`,
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

  test('of a week that is over, or yet to come, everything is told', () => {
    expect(stillToCome(week, at(9))).toEqual(week);
    expect(stillToCome(week, at(1))).toEqual(week);
  });
});
