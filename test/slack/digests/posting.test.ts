import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import type { DigestInput } from '../../../src/model/digest.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Instant } from '../../../src/model/issue.ts';
import type { Question } from '../../../src/model/question.ts';
import type { Principal } from '../../../src/model/request.ts';
import type { Click } from '../../../src/slack/app/handler-types.ts';
import { createRecentShares } from '../../../src/slack/ask/share-answer.ts';
import { digestPostAgain } from '../../../src/slack/digests/digest-notifier.ts';
import {
  aDigestOffice,
  adaHere,
  anAnswerOf,
  type DigestOfficeParts,
  hourly,
} from '../../support/digest-office.ts';
import {
  digestReplicas,
  periodsIn,
  periodsIn as periodsOf,
  replicasBegin,
} from '../../support/digest-replicas.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';
import { startedEach } from '../../support/started.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('posting', () => {
  const POST = 'chat.postMessage';

  let slack: StandInSlack;
  const closing: (() => void)[] = [];
  beforeEach(async () => {
    slack = await startStandInSlack();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) close();
    await slack.stop();
  });

  /** Processes that post the same digest. */
  async function offices(count: number, wish: DigestInput = hourly, more: Partial<DigestOfficeParts> = {}) {
    const opened = await digestReplicas(count, slack, { wish, ...more });
    closing.push(opened.close);
    return opened;
  }

  const periodsIn = (channel = 'C0GENERAL') => periodsOf(slack, channel);

  /** What Ada reads in her conversation with the app. */
  const toAda = (): readonly Message[] => slack.playground.messages('D0ADA');

  test('a digest is posted in its channel with its title, and its figures below', async () => {
    const { passes } = await offices(1);
    await passes(millisecondsInHour);
    const [message] = slack.playground.messages('C0GENERAL');
    expect(message?.text).toMatch(/^Digest \*Open work\* · as of 2026-03-18 13:00 UTC\. /);
    expect(JSON.stringify(message?.blocks)).toContain('WEB-7');
    expect(JSON.stringify(message?.blocks)).toContain('*Open work* · as of <!date^1773838800^');
  });

  test('two processes bring each period once', async () => {
    const { passes } = await offices(2);
    await passes(3 * millisecondsInHour);
    expect(periodsIn()).toEqual(['13:00', '14:00', '15:00']);
  });

  test.each<[string, () => void]>([
    ['wants to be left alone', () => slack.faults.rateLimitNext(POST, 30)],
    ['fails before it has taken it', () => slack.faults.breakNext(POST, 503)],
    ['fails after it has taken it', () => slack.faults.breakAfterNext(POST, 502)],
    ['never gets it', () => slack.faults.loseNext(POST)],
    ['takes it, and its answer is lost', () => slack.faults.loseAnswerNext(POST)],
    ['fails again and again', () => slack.faults.breakAfterNext(POST, 500, 4)],
    ['says it has a trouble of its own', () => slack.faults.failNext(POST, 'internal_error')],
    [
      'neither answers nor lets us look for a while',
      () => {
        slack.faults.loseAnswerNext(POST);
        slack.faults.breakNext('conversations.history', 503, 2);
      },
    ],
  ])('where Slack %s, the period comes once', async (_, plant) => {
    const { passes, lastRun } = await offices(1);
    plant();
    await passes(millisecondsInHour - millisecondsInMinute);
    expect(periodsIn()).toEqual(['13:00']);
    expect(await lastRun()).toMatchObject({ state: 'sent' });
    expect(toAda()).toEqual([]);
  });

  test('where Slack wants to be left alone for long, it is', async () => {
    const { passes } = await offices(1);
    slack.faults.rateLimitNext(POST, 20 * 60);
    await passes(30 * millisecondsInMinute + 19 * millisecondsInMinute);
    expect(slack.calls(POST)).toHaveLength(1);
    await passes(10 * millisecondsInMinute);
    expect(periodsIn()).toEqual(['13:00']);
  });

  test.each([
    ['a private channel', 'groups:history', 'the scope groups:history'],
    ['a group message', 'mpim:history', 'the scope mpim:history'],
    ['a direct message', 'im:history', 'the scope im:history'],
    [
      'any of them',
      'channels:history,groups:history,mpim:history',
      'the scopes groups:history and mpim:history',
    ],
    ['a channel whose scope was taken away just now', 'channels:history', 'the scope channels:history'],
  ])(
    'where no one can look (%s), what may be there is not posted again, and the owner is notified of the scope that lacks',
    async (_what, needed, named) => {
      const { passes, lastRun } = await offices(1);
      slack.faults.loseAnswerNext(POST);
      slack.faults.lackScopeNext('conversations.history', needed, 99);
      await passes(millisecondsInHour - millisecondsInMinute);
      expect(periodsIn()).toEqual(['13:00']);
      expect(await lastRun()).toMatchObject({ state: 'failed', note: { trying: 'message' } });
      const [shown] = toAda();
      expect(shown?.text).toContain('it may be posted already');
      expect(shown?.text).toContain(
        `I can't check: I don't have permission. An admin must reinstall the app with ${named}. Please look`,
      );
      expect(JSON.stringify(shown?.blocks)).toContain('digest-post-again');
    },
  );

  /** A period that never reached Slack, and no one can look: the click on the button below the message about that. */
  async function lostPeriod(wish: DigestInput = hourly) {
    const opened = await offices(1, wish);
    slack.faults.loseNext(POST);
    slack.faults.failNext('conversations.history', 'missing_scope', 99);
    await opened.passes(millisecondsInHour - millisecondsInMinute);
    expect(periodsIn()).toEqual([]);
    const { first } = opened;
    const [shown] = toAda();
    const click = {
      value: /"value":"([^"]+)"/.exec(JSON.stringify(shown?.blocks))?.[1] ?? '',
      principal: principalOf('U0ADA'),
      place: { channel: 'D0ADA', threadTs: null },
      messageTs: shown?.ts ?? '',
      replace: null,
    } as unknown as Click;
    /** Shares as a process has them that was started again. */
    const partsAgain = () => ({
      ...first.door,
      digests: first.digests,
      shares: createRecentShares(first.door.now, inMemory),
    });
    return { ...opened, click, partsAgain };
  }

  test('who has looked posts it again by the button, once however often it is pressed', async () => {
    const { click, partsAgain, lastRun } = await lostPeriod();
    const parts = partsAgain();
    slack.faults.failNext(POST, 'internal_error');
    await expect(digestPostAgain.run(click, parts)).rejects.toMatchObject({ code: 'unavailable' });
    expect(JSON.stringify(toAda()[0]?.blocks)).toContain('digest-post-again');
    const answers = await Promise.all([digestPostAgain.run(click, parts), digestPostAgain.run(click, parts)]);
    expect(answers.flat().map(({ text }) => text)).toEqual(['It is posted.']);
    expect(periodsIn()).toEqual(['13:00']);
    expect(toAda()[0]?.text).toBe('It is posted.');
    expect(JSON.stringify(toAda()[0]?.blocks)).not.toContain('digest-post-again');
    expect(await lastRun()).toMatchObject({ state: 'sent', message: null });
    const stranger = { ...click, principal: principalOf('U0BEN') };
    await expect(digestPostAgain.run(stranger, parts)).rejects.toMatchObject({ code: 'not-found' });
    // Someone whose Slack still shows the button.
    await expect(digestPostAgain.run(click, partsAgain())).rejects.toMatchObject({ code: 'not-found' });
    expect(periodsIn()).toEqual(['13:00']);
  });

  test('where the message is posted again and its file fails, the button is gone and what is lacking is said', async () => {
    const { click, partsAgain } = await lostPeriod({ ...hourly, file: 'xlsx' });
    const parts = partsAgain();
    const answers = {
      ...parts.answers,
      answer: async (_principal: Principal, question: Question, asOf: Instant | null) =>
        anAnswerOf(question, asOf ?? parts.now()),
      storeRun: parts.answers.storeRun,
      async requestOf() {
        throw new AppError('too-many-exports', '20 files are kept already.');
      },
    };
    const [answer] = await digestPostAgain.run(click, { ...parts, answers });
    expect(answer?.text).toContain('It is posted. ');
    expect(answer?.text).toContain('20 files are kept already.');
    expect(toAda()[0]?.text).toBe(answer?.text);
    expect(JSON.stringify(toAda()[0]?.blocks)).not.toContain('digest-post-again');
    await expect(digestPostAgain.run(click, partsAgain())).rejects.toMatchObject({ code: 'not-found' });
    expect(periodsIn()).toEqual(['13:00']);
  });

  test('where no one can look, a refusal is still known to be one', async () => {
    const { passes } = await offices(1);
    slack.faults.rateLimitNext(POST, 30);
    slack.faults.failNext('conversations.history', 'missing_scope', 99);
    await passes(millisecondsInHour - millisecondsInMinute);
    expect(periodsIn()).toEqual(['13:00']);
  });

  test.each([
    ['not_in_channel', '/invite @Dwell'],
    ['is_archived', 'archived'],
    ['channel_not_found', 'choose another channel with *Edit*'],
  ])('a channel that refuses with %s is shown to the owner with the cure', async (code, cure) => {
    const { passes, lastRun } = await offices(1);
    slack.faults.failNext(POST, code);
    await passes(millisecondsInHour - millisecondsInMinute);
    expect(periodsIn()).toEqual([]);
    expect(await lastRun()).toMatchObject({ state: 'failed' });
    expect(toAda()[0]?.text).toContain(cure);
  });

  test('what not everyone in the channel can read is not posted there', async () => {
    const { passes } = await offices(1, hourly, {
      answer: async (question, asOf) => ({
        ...anAnswerOf(question, asOf),
        contents: { projects: ['WEB'], issues: 3, withLevel: 1 },
      }),
    });
    await passes(millisecondsInHour);
    expect(periodsIn()).toEqual([]);
    expect(toAda()[0]?.text).toContain('security level');
    expect(toAda()[0]?.text).toContain('`AND level is EMPTY`');
  });

  test('what is for its owner alone comes to them, whatever is in it', async () => {
    const { passes } = await offices(
      1,
      { ...hourly, place: { kind: 'owner' } },
      { answer: async (question, asOf) => ({ ...anAnswerOf(question, asOf), contents: null }) },
    );
    slack.faults.loseAnswerNext(POST);
    await passes(millisecondsInHour);
    expect(periodsIn('D0ADA')).toEqual(['13:00']);
  });

  test('a Slack that does not show at the moment who reads there is asked again', async () => {
    let asked = 0;
    const { passes } = await offices(1, hourly, {
      changeDoor: (door) => ({
        ...door,
        channelFacts: {
          outsidersIn: async () => {
            asked += 1;
            return asked > 2
              ? { kind: 'none' }
              : { kind: 'unknown', because: 'Slack is silent.', passes: true };
          },
        },
      }),
    });
    await passes(millisecondsInHour - millisecondsInMinute);
    expect(periodsIn()).toEqual(['13:00']);
    expect(toAda()).toEqual([]);
  });

  test('what Dwell was posting when it was stopped appears once, and counts as no attempt', async () => {
    const dataDir = temporaryFolder();
    const clock = { now: replicasBegin };
    const first = await aDigestOffice({ dataDir, clock, slack });
    const { id } = await first.digests.create(adaHere, hourly);
    clock.now += millisecondsInHour / 2;
    await first.digests.tick();
    const held = slack.faults.holdNext(POST);
    const ticking = first.digests.tick();
    while (slack.calls(POST).length === 0) await new Promise((resolve) => setImmediate(resolve));
    // No one waits any longer for an answer of Slack.
    await first.digests.stop(0);
    first.close();
    held();
    await ticking;
    clock.now += 2 * millisecondsInMinute;
    const second = await aDigestOffice({ dataDir, clock, slack });
    closing.push(second.close);
    await second.digests.tick();
    await second.digests.tick();
    expect(periodsIn()).toEqual(['13:00']);
    expect((await second.digests.get(adaHere, id)).lastRun).toMatchObject({ state: 'sent' });
  });

  test('a digest that is stopped while Slack is slow is posted before Dwell ends', async () => {
    const { first, clock, lastRun } = await offices(1);
    clock.now += millisecondsInHour / 2;
    await first.digests.tick();
    const held = slack.faults.holdNext(POST);
    const ticking = first.digests.tick();
    while (slack.calls(POST).length === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopping = first.digests.stop(60_000);
    held();
    await Promise.all([ticking, stopping]);
    expect(periodsIn()).toEqual(['13:00']);
    expect(await lastRun()).toMatchObject({ state: 'sent' });
  });
});

describe('posting under any failure', () => {
  const POST = 'chat.postMessage';

  let slack = startedEach(() => startStandInSlack());

  /** One thing that goes wrong. */
  const faults: readonly (readonly [string, (method: string) => void])[] = [
    ['limit', (method) => slack.faults.rateLimitNext(method, 5)],
    ['break', (method) => slack.faults.breakNext(method, 503)],
    ['break after', (method) => slack.faults.breakAfterNext(method, 500)],
    ['lose', (method) => slack.faults.loseNext(method)],
    ['lose answer', (method) => slack.faults.loseAnswerNext(method)],
  ];

  test.each([
    ['exactly once where Dwell can look', true],
    ['at most once where it cannot', false],
  ])('whatever goes wrong in whatever order, each period comes %s', async (_, canLook) => {
    const trouble = fc.record({
      fault: fc.constantFrom(...faults.map(([name]) => name)),
      method: fc.constantFrom(POST, 'conversations.history'),
      afterMinutes: fc.integer({ min: 0, max: 90 }),
      jumpMinutes: fc.constantFrom(0, 0, 0, 0, -30, 45, -120),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(trouble, { maxLength: 6 }), async (troubles) => {
        await slack.stop();
        slack = await startStandInSlack();
        if (!canLook) slack.faults.failNext('conversations.history', 'missing_scope', 10_000);
        const { passes, clock, first, id, close } = await digestReplicas(2, slack);
        for (const { fault, method, afterMinutes, jumpMinutes } of troubles) {
          await passes(afterMinutes * millisecondsInMinute, 5 * millisecondsInMinute);
          faults.find(([name]) => name === fault)?.[1](method);
          clock.now += jumpMinutes * millisecondsInMinute;
        }
        // Long enough for whatever waits.
        await passes(4 * millisecondsInHour, 5 * millisecondsInMinute);
        const sent = (await first.digests.runs(adaHere, id, 100))
          .filter(({ state }) => state === 'sent')
          .map(({ due }) => new Date(due).toISOString().slice(11, 16));
        const periods = periodsIn(slack, 'C0GENERAL');
        expect(new Set(periods).size).toBe(periods.length);
        if (canLook) {
          expect(sent.toSorted()).toEqual(periods.toSorted());
          expect(slack.playground.messages('D0ADA')).toEqual([]);
        } else {
          expect(periods).toEqual(expect.arrayContaining(sent));
        }
        close();
      }),
      { numRuns: runs(8) },
    );
  });
});

describe('crowded channel', () => {
  const DIGESTS = 15;
  const POST = 'chat.postMessage';
  const clock = { now: 0 };

  let slack: StandInSlack;
  beforeEach(async () => {
    clock.now = Date.parse('2026-03-18T12:30:00Z');
    slack = await startStandInSlack({ now: () => clock.now, limits: { postBurst: 3 } });
  });
  afterEach(() => slack.stop());

  test('many digests in one channel come within the minute, none of them late, though Slack takes one a second', async () => {
    const { digests, close } = await aDigestOffice({
      dataDir: temporaryFolder(),
      clock,
      slack,
      changeDoor: (door) => ({
        ...door,
        async wait(ms) {
          clock.now += Math.ceil(ms);
        },
      }),
    });
    for (let i = 0; i < DIGESTS; i += 1) await digests.create(adaHere, { ...hourly, title: `Digest ${i}` });
    clock.now += millisecondsInHour / 2;
    await digests.tick();
    await digests.tick();
    const messages = slack.playground.messages('C0GENERAL');
    expect(messages).toHaveLength(DIGESTS);
    expect(messages.filter(({ text }) => text.includes('late, with'))).toEqual([]);
    expect(clock.now - Date.parse('2026-03-18T13:00:00Z')).toBeLessThan(60_000);
    expect(slack.playground.messages('D0ADA')).toEqual([]);
    expect(slack.calls(POST).length).toBeLessThan(2 * DIGESTS);
    close();
  });
});
