import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { inMemory } from '../../../src/cache/namespace.ts';
import { notice } from '../../../src/slack/app/message-texts.ts';
import type { Pictures } from '../../../src/slack/app/parts.ts';
import { createRecentShares, postHere } from '../../../src/slack/ask/share-answer.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { exportFile, isAssignedTo, jiraIssue, movesTo } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { shareOutcome, shares } from '../../support/share-in-slack.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';
import { startedEach, startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { transports } from '../../support/transports.ts';

describe('share answer', () => {
  describe.each(transports)('over %s', (mode) => {
    const place = startedOnce(() => startTeamInSlack(mode));

    test('an answer is posted anew for everybody, with its run and who shared it', async () => {
      const answer = await place.says('/tis project WEB', { as: 'bob' });
      await shares(place.slack, { as: 'bob', on: answer });
      const shared = await place.slack.reply();
      expect(shared).toMatchObject({
        channel: 'C0TEAM',
        text: expect.stringMatching(/Shared by <@U0BOB>\.$/),
      });
      expect(shared.onlyFor).toBeUndefined();
      expect(shared.text).toMatch(/Run [0-9a-z]{10}\./);
      expect(JSON.stringify(shared.blocks)).not.toContain('share-answer');
      expect(JSON.stringify(shared.blocks)).toContain('why-answer');
      expect(checkBlocks(shared.blocks ?? [], 'message')).toEqual([]);
    });
  });

  describe('in a team', () => {
    let place: Awaited<ReturnType<typeof startTeamInSlack>>;
    const start = async () => {
      place = await startTeamInSlack();
    };
    const stop = () => place.stop();

    let [before, called] = [0, 0];
    const begin = () => {
      before = place.openIn().length;
      called = place.slack.calls('chat.postMessage').length;
    };
    /** What everybody in the team's channel reads that was posted in this test. */
    const posted = () => place.openIn().slice(before);

    /** What who presses the button is told alone; nothing may be posted meanwhile. */
    async function refused(line: string, { as = 'ada', in: where = 'team', plant = () => {} } = {}) {
      const answer = await place.says(line, { as, in: where });
      plant();
      await shares(place.slack, { as, on: answer });
      const shown = await shareOutcome(place.slack, as);
      expect([...posted(), ...(where === 'team' ? [] : place.openIn(answer.channel))]).toEqual([]);
      return shown;
    }

    const shownTo = (as: string) => JSON.stringify(place.slack.home(as)?.blocks ?? []);

    describe('whose channel stays as it is', () => {
      beforeAll(start);
      beforeEach(begin);
      afterAll(stop);

      test('issues with a security level stay private', async () => {
        expect(await refused('/tis project APP')).toContain('1 of the 3 issues has a security level');
        expect(await refused('/tis APP-1')).toContain('The issue has a security level');
      });

      test.each([
        ['with-guests', 'has guests'],
        ['with-others', 'is shared with other workspaces'],
      ])('in %s it stays private', async (where, reason) => {
        const text = await refused('/tis project WEB', { in: where });
        expect(text).toContain(`This channel ${reason}`);
        expect(text).toContain(' allow WEB --with-guests`');
      });

      test.each<[string, () => void, string]>([
        [
          'the app was taken out of the channel',
          () => place.slack.faults.failNext('chat.postMessage', 'not_in_channel'),
          '/invite @Dwell',
        ],
        [
          'chat:write is missing',
          () => place.slack.faults.lackScopeNext('chat.postMessage', 'chat:write'),
          'An admin must reinstall the app with the scope chat:write.',
        ],
        [
          'Slack is busy for long',
          () => place.slack.faults.rateLimitNext('chat.postMessage', 120),
          'Try again in 120 seconds',
        ],
      ])('%s: told, and it may be pressed again at once', async (_what, plant, cure) => {
        const text = await refused('/tis project WEB', { plant });
        expect(text).toContain('Not shared.');
        expect(text).toContain(cure);
        await shares(place.slack);
        expect((await place.slack.reply()).text).toContain('Shared by <@U0ADA>.');
      });

      test('a failure of Slack leaves open whether it was posted, and that is what is told', async () => {
        const answer = await place.says('/tis project WEB');
        place.slack.faults.loseAnswerNext('chat.postMessage');
        await shares(place.slack, { on: answer });
        expect(await shareOutcome(place.slack)).toContain("I don't know whether this was shared");
        expect(posted()).toHaveLength(1);
        await shares(place.slack, { on: answer });
        expect(await shareOutcome(place.slack)).toContain('less than a minute ago');
        expect(posted()).toHaveLength(1);
      });

      test('a channel without the app is told how to invite it', async () => {
        expect(await refused('/tis project WEB', { in: 'quiet' })).toContain('/invite @Dwell');
      });

      test('a chart or table that Slack refuses goes more plainly, once', async () => {
        const answer = await place.says('/tis project WEB');
        place.slack.faults.failNext('chat.postMessage', 'invalid_blocks');
        await shares(place.slack, { on: answer });
        expect((await place.slack.reply()).text).toContain('Shared by <@U0ADA>.');
        expect(posted()).toHaveLength(1);
      });

      test('pressed again within a minute nothing is posted, after it, knowingly, once more', async () => {
        const answer = await place.says('/tis project WEB');
        await shares(place.slack, { on: answer });
        await place.slack.reply();
        await shares(place.slack, { on: answer });
        expect(await shareOutcome(place.slack)).toContain('less than a minute ago');
        place.dwell.clock.now += 60_000;
        await shares(place.slack, { on: answer });
        await place.slack.reply();
        expect(posted()).toHaveLength(2);
      });

      test('two forms submitted at once post one message, and the second says that it is under way', async () => {
        const answer = await place.says('/tis project WEB');
        const release = place.slack.faults.holdNext('chat.postMessage');
        await shares(place.slack, { on: answer });
        await until(() => place.slack.calls('chat.postMessage').length > called);
        await shares(place.slack, { on: answer });
        expect(await shareOutcome(place.slack)).toBe('This is being shared here right now.');
        release();
        await until(() => posted().length === 1);
        await shares(place.slack, { on: answer });
        expect(await shareOutcome(place.slack)).toContain('less than a minute ago');
        expect(posted()).toHaveLength(1);
      });

      test('of two forms submitted at once the first is refused, and nothing is said of a share that never was', async () => {
        const answer = await place.says('/tis project WEB');
        const release = place.slack.faults.holdNext('chat.postMessage');
        place.slack.faults.failNext('chat.postMessage', 'not_in_channel');
        await shares(place.slack, { on: answer });
        await until(() => place.slack.calls('chat.postMessage').length > called);
        await shares(place.slack, { on: answer });
        expect(await shareOutcome(place.slack)).toBe('This is being shared here right now.');
        release();
        // Its modal is closed by then.
        expect((await place.slack.privateReply()).text).toContain('Not shared.');
        expect(posted()).toEqual([]);
      });

      test('a comment is above the answer, with who wrote it, and notifies no one', async () => {
        const answer = await place.says('/tis project WEB');
        await shares(place.slack, { on: answer, comment: 'Look: <!channel> @here <@U0BOB>\n*and* & below' });
        const shared = await place.slack.reply();
        const written = '<@U0ADA>: Look: &lt;!channel&gt; @here &lt;@U0BOB&gt;\n*and* &amp; below';
        expect(shared.text.startsWith(`${written}\n`)).toBe(true);
        expect(shared.blocks?.[0]).toMatchObject({ text: { text: written, verbatim: true } });
        expect(await shareOutcome(place.slack)).toBe('Shared.');
      });

      test('the longest comment leaves an answer with a chart and a table within the limits', async () => {
        const answer = await place.says('/tis project WEB');
        await shares(place.slack, { on: answer, comment: '&'.repeat(500) });
        const { blocks = [] } = await place.slack.reply();
        expect(checkBlocks(blocks, 'message')).toEqual([]);
        expect(blocks.some(({ type }) => type === 'table')).toBe(true);
      });

      test('nothing is proposed as a comment but for a week, and nothing is posted where it stays empty', async () => {
        const answer = await place.says('/tis project WEB');
        expect(await shares(place.slack, { on: answer })).toBe('');
        expect((await place.slack.reply()).text).not.toMatch(/^<@U0ADA>/);
      });

      test('a week proposes its biggest contributors', async () => {
        const at = (day: string) => `2026-03-${day}T09:00:00.000Z`;
        const took = (key: string, from: string, to: string) =>
          jiraIssue(key).at(at(from), movesTo('In Progress')).at(at(to), movesTo('Done')).onCloud();
        // Four days on average in week 10, and six and a half in week 11.
        await place.dwell.types(
          'import',
          exportFile([
            took('NEW-1', '03', '06'),
            took('NEW-2', '02', '07'),
            took('NEW-3', '04', '12'),
            took('NEW-4', '07', '12'),
          ]),
        );
        const answer = await place.says('/tis weekly NEW');
        expect(await shares(place.slack, { on: answer })).toBe('Biggest contributors: NEW-3 +2d, NEW-4 +12h');
        const shared = await place.slack.reply();
        expect(shared.text).toMatch(/^<@U0ADA>: Biggest contributors: NEW-3 \+2d, NEW-4 \+12h\n/);
      });

      test('what belongs below the answer comes in its thread', async () => {
        const answer = await place.says('/tis weekly WEB');
        await shares(place.slack, { on: answer });
        const shared = await place.slack.reply();
        const detail = await place.slack.reply();
        expect(detail.threadTs).toBe(shared.ts);
      });
    });

    describe('whose channel is another one then', () => {
      beforeEach(async () => {
        await start();
        begin();
      });
      afterEach(stop);

      test('a project that is not open to everybody stays private until an admin allows it', async () => {
        expect(await refused('/tis project OPS')).toBe(
          'Not shared. `OPS` is not open to every Dwell user. The person who runs Dwell can share it in this channel: `npx dwell audience C0TEAM allow OPS`.',
        );
        await place.dwell.types('audience', 'C0TEAM', 'allow', 'OPS');
        await shares(place.slack);
        expect((await place.slack.reply()).onlyFor).toBeUndefined();
      });

      test('nor are issues that are restricted to roles told to anybody else, in whatever way', async () => {
        const [closed, open] = ['SEED-1', 'SEED-2'].map((key) =>
          jiraIssue(key)
            .at('2026-03-03T09:00:00.000Z', isAssignedTo('ada'))
            .at('2026-03-04T09:00:00.000Z', movesTo('In Progress'))
            .onCloud(),
        );
        const restriction = { issuerestrictions: { projectrole: [{ id: '10002' }] }, shouldDisplay: true };
        await place.dwell.types(
          'import',
          exportFile([{ ...closed, fields: { ...closed?.fields, issuerestriction: restriction } }, open]),
          exportFile([{ accountId: 'ada', displayName: 'ada', emailAddress: 'ada@example.com' }]),
        );
        await place.dwell.types('audience', 'C0TEAM', 'allow', 'SEED');
        expect(await refused('/tis project SEED')).toContain('1 of the 2 issues has a restriction to roles');
        expect(await refused('/tis SEED-1')).toContain('The issue has a restriction to roles');
        expect((await place.says('/tis export csv SEED')).text).toContain('has a restriction to roles');
        expect((await place.slack.answerTo('/tis digest project SEED every hour')).text).toContain(
          "I can't post it right now. 1 of the 2 issues has",
        );
        expect(JSON.stringify(posted())).not.toContain('SEED-1');
        const answerTo = async (as: string, line: string) => JSON.stringify(await place.says(line, { as }));
        expect(await answerTo('ada', '/tis aging SEED')).toContain('SEED-1');
        expect(await answerTo('bob', '/tis aging SEED')).not.toContain('SEED-1');
        expect(await answerTo('ada', '/tis project SEED')).toContain('SEED · 2 issues');
        expect(await answerTo('bob', '/tis project SEED')).toContain('SEED · 1 issue');
        expect(await answerTo('bob', '/tis SEED-1')).not.toContain('What SEED-1 is about');
        await place.slack.opensHome('ada');
        await place.slack.opensHome('bob');
        await until(() => shownTo('ada').includes('SEED-2') && !shownTo('bob').includes('Counting…'));
        expect(shownTo('ada')).toContain('SEED-1');
        expect(shownTo('bob')).not.toContain('SEED-1');
      });

      test.each<[string, () => void, string]>([
        [
          'a scope is missing',
          () => place.slack.faults.failNext('conversations.info', 'missing_scope'),
          '`channels:read`, `groups:read` and `mpim:read`',
        ],
        [
          'Slack is silent',
          () => place.slack.faults.breakNext('conversations.members', 500),
          'Try again in a minute',
        ],
      ])('where %s nobody knows who reads, so it stays private', async (_what, plant, reason) => {
        const text = await refused('/tis project WEB', { plant });
        expect(text).toContain("I don't know if guests can read this channel.");
        expect(text).toContain(reason);
      });

      test('a comment is not posted where the answer cannot be shared any more', async () => {
        const answer = await place.says('/tis project WEB');
        await place.slack.clicks('Share', { on: answer });
        await until(() => place.slack.openModals().some(({ submit }) => submit !== null));
        await place.dwell.types('audience', 'C0TEAM', 'allow', 'APP');
        await place.slack.submits({ comment: 'Hello' });
        expect(await shareOutcome(place.slack)).toContain('Not shared.');
        expect(posted()).toEqual([]);
      });

      test('a run that nobody knows any more is told as such', async () => {
        const answer = await place.says('/tis project WEB');
        place.dwell.clock.now += 91 * 86_400_000;
        await shares(place.slack, { on: answer });
        expect(await shareOutcome(place.slack)).toContain('has expired');
        expect(posted()).toEqual([]);
      });
    });
  });
});

describe('post here', () => {
  const slack = startedEach(() => startStandInSlack());

  const pictures: Pictures = {
    refusals: { get: async () => undefined, set: async () => {} },
    draw: async () => null,
  };

  /** What became of a post, and what stands in the channel. */
  async function posted(plant: (faults: StandInSlack['faults']) => void, threadTs: string | null = null) {
    plant(slack.faults);
    const parts = {
      web: backgroundClient(slack),
      wait: async () => {},
      pictures,
      log: pino({ level: 'silent' }),
    };
    const outcome = await postHere(notice('Hello.'), { channel: 'C0GENERAL', threadTs }, parts);
    return { outcome, messages: slack.messages().length };
  }

  test.each<[string, (faults: StandInSlack['faults']) => void, string, number]>([
    ['a lost answer', (faults) => faults.loseAnswerNext('chat.postMessage'), 'unknown', 1],
    ['a 503', (faults) => faults.breakNext('chat.postMessage', 503), 'unknown', 0],
    ['a long 429', (faults) => faults.rateLimitNext('chat.postMessage', 31), 'refused', 0],
    ['two 429', (faults) => faults.rateLimitNext('chat.postMessage', 1, 2), 'refused', 0],
    ['not_in_channel', (faults) => faults.failNext('chat.postMessage', 'not_in_channel'), 'refused', 0],
  ])('%s is never posted again', async (_what, plant, kind, count) => {
    const { outcome, messages } = await posted(plant);
    expect([outcome.kind, messages]).toEqual([kind, count]);
    expect(slack.calls('chat.postMessage').length).toBeLessThanOrEqual(2);
  });

  test('where the thread is gone, that is said', async () => {
    const { outcome } = await posted(() => {}, '1.000001');
    expect(outcome).toEqual({
      kind: 'refused',
      because: 'The thread is gone. Try the channel instead.',
    });
  });
});

describe('recent shares', () => {
  function open() {
    const clock = { now: 1_000_000 };
    return { clock, shares: createRecentShares(() => clock.now, inMemory) };
  }

  test('the same is begun once in a minute, whatever became of it', async () => {
    const { clock, shares } = open();
    expect([await shares.begin('r', 'C'), await shares.begin('r', 'C')]).toEqual([true, false]);
    expect([await shares.begin('r', 'D'), await shares.isUnderWay('r', 'C')]).toEqual([true, true]);
    clock.now += 50_000;
    await shares.end('r', 'C');
    expect([await shares.begin('r', 'C'), await shares.isUnderWay('r', 'C')]).toEqual([false, false]);
    clock.now += 10_000;
    expect(await shares.begin('r', 'C')).toBe(true);
  });

  test('the end of what was forgotten, or is long over, is no share', async () => {
    const { clock, shares } = open();
    await shares.begin('r', 'C');
    await shares.forget('r', 'C');
    await shares.end('r', 'C');
    expect(await shares.begin('r', 'C')).toBe(true);
    clock.now += 60_000;
    await shares.end('r', 'C');
    expect(await shares.begin('r', 'C')).toBe(true);
  });

  test('a clock that is set back does not share twice', async () => {
    const { clock, shares } = open();
    await shares.begin('r', 'C');
    clock.now -= 5;
    expect(await shares.begin('r', 'C')).toBe(false);
  });
});
