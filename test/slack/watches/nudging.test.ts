import type { ModalView } from '@slack/types';
import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { SnoozeInput } from '../../../src/api/watches/watches-api.ts';
import type { AuditEvent } from '../../../src/model/audit.ts';
import { AppError } from '../../../src/model/error.ts';
import { readInputs } from '../../../src/slack/app/form-inputs.ts';
import type { Click, Submission } from '../../../src/slack/app/handler-types.ts';
import type { SlackParts } from '../../../src/slack/app/parts.ts';
import { checkView } from '../../../src/slack/blocks/check-blocks.ts';
import { snoozeUntil, snoozeVisit } from '../../../src/slack/watches/snooze-issue.ts';
import { watchActions } from '../../../src/slack/watches/watch-list.ts';
import { createWatchNotifier } from '../../../src/slack/watches/watch-notifier.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { principalOf } from '../../support/principal-of.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  adaWatching,
  aWatchedWorld,
  aWatchOffice,
  MONDAY_NOON,
  reviewTooLong,
  type WatchedWorld,
} from '../../support/watch-office.ts';

describe('reminding', () => {
  const POST = 'chat.postMessage';

  let slack: StandInSlack;
  let world: WatchedWorld;
  let office: Awaited<ReturnType<typeof aWatchOffice>>;
  /** Writes that an alert leaves. */
  let leaving: SlackParts['audit']['leaving'];
  beforeEach(async () => {
    leaving = async () => {};
    slack = await startStandInSlack();
    world = aWatchedWorld();
    office = await aWatchOffice(world, temporaryFolder());
    office.watches.start(createWatchNotifier(aDoor()));
    await office.watches.create(adaWatching, reviewTooLong);
    world.issues = { 'WEB-1': { since: MONDAY_NOON - 3 * millisecondsInDay } };
  });
  afterEach(async () => {
    office.close();
    await slack.stop();
  });

  function aDoor(): Parameters<typeof createWatchNotifier>[0] {
    const users = new Map(['ada', 'ben'].map((id) => [id, { id, name: id, email: `${id}@example.com` }]));
    const accounts = new Map([...users.values()].map(({ id, email }) => [email, `U0${id.toUpperCase()}`]));
    const people = {
      tenant: 'default',
      users: async () => users,
      links: async () => [],
      linkOf: async () => null,
    };
    const known = {
      async profileOf(account: string) {
        const [email = null] = [...accounts].find(([, one]) => one === account) ?? [];
        return {
          name: account,
          standing: 'ours',
          email,
          isGuest: false,
          emailConfirmed: true,
          timeZone: 'Europe/Berlin',
          refused: null,
        };
      },
      withEmail: async (email: string) => accounts.get(email) ?? null,
    };
    return {
      people,
      accounts: known,
      web: backgroundClient(slack),
      audit: { leaving: (event: AuditEvent) => leaving(event) },
      wait: async () => {},
      pictures: { refusals: { get: async () => undefined, set: async () => {} }, draw: async () => null },
      log: pino({ level: 'silent' }),
    } as unknown as Parameters<typeof createWatchNotifier>[0];
  }

  async function passes(minutes: number) {
    for (let i = 0; i < minutes; i += 1) {
      world.now += millisecondsInMinute;
      await office.watches.tick();
    }
  }

  const toBen = () => slack.playground.messages('D0BEN');
  const toAda = () => slack.playground.messages('D0ADA');

  test('the assignee reads which issue, in which status, for how long and why they get it, with buttons', async () => {
    await passes(5);
    const [message] = toBen();
    expect(message?.text.split('\n')).toEqual([
      'WEB-1 About WEB-1',
      'Review for 3d since 2026-03-13 11:00 UTC · limit 2 days',
      'You get this because it is assigned to you.',
      expect.stringContaining('Watch: Review longer than 2 days, in WEB, 24/7'),
    ]);
    const blocks = JSON.stringify(message?.blocks);
    const parts = [
      '*<https://tracker.example/browse/WEB-1|WEB-1>* About WEB-1',
      '*Review for 3d* since <!date^',
      'Watch of <@U0ADA>: Review longer than 2 days',
      '"open-issue"',
      '"snooze-visit"',
      '"watch-mute"',
    ];
    for (const part of parts) expect(blocks).toContain(part);
    for (const [text, id] of [
      ['For a day', 'day'],
      ['For 3 working days', 'workingDays'],
      ['For a week', 'week'],
      ['Until a date…', 'date'],
    ])
      expect(blocks).toMatch(new RegExp(`"${text}"},"value":"[^ "]+ WEB-1 \\d+ ${id}"`));
    // The watch is not Ben's to delete.
    expect(blocks).not.toContain('watch-delete');
  });

  test('a missed target is shown with its source, the time since the start, and where the issue is', async () => {
    const target = { withinMs: 8 * millisecondsInDay, source: 'learned' } as const;
    world.issues = { 'WEB-1': { since: MONDAY_NOON - millisecondsInDay, startedAt: MONDAY_NOON, target } };
    const onTarget = { ...reviewTooLong, status: null, threshold: { by: 'target' } } as const;
    await office.watches.create(adaWatching, onTarget);
    await passes(5);
    expect(toBen()).toEqual([]);
    const startedAt = MONDAY_NOON - 9 * millisecondsInDay - 2 * millisecondsInHour;
    for (const key of ['WEB-1', 'WEB-2'])
      world.issues[key] = { since: world.now, startedAt, target: { ...target, source: 'set' } };
    world.issues['WEB-1'] = { since: world.now, startedAt, target };
    await passes(5);
    const [message] = toBen();
    expect(message?.text.split('\n')).toEqual([
      '2 issues missed their target',
      'WEB-1 About WEB-1',
      'Missed its target of 8d (85% of the last 90 days) · 9d 2h since its start · Review',
      'You get this because it is assigned to you.',
      'WEB-2 About WEB-2',
      'Missed its target of 8d · 9d 2h since its start · Review',
      'You get this because it is assigned to you.',
      expect.stringContaining('Watch: Missed targets, in WEB, 24/7'),
    ]);
    expect(JSON.stringify(message?.blocks)).toMatch(/"value":"\S+ WEB-1 0 day"/);
  });

  test('a person who covers reads for which person and until when, the owner why it is them', async () => {
    const until = MONDAY_NOON + 7 * millisecondsInDay;
    world.away = { cleo: { until, paths: [{ people: ['cleo', 'ben'], backTo: null }] } };
    world.issues = {
      'WEB-1': { since: MONDAY_NOON - 3 * millisecondsInDay, with: 'cleo' },
      'WEB-2': { since: MONDAY_NOON - 3 * millisecondsInDay, with: 'dora' },
    };
    await passes(5);
    expect(toBen()[0]?.text).toContain('You get this because you cover for cleo until 2026-03-23 11:00 UTC.');
    expect(toAda()[0]?.text).toContain(
      "It is assigned to dora. You get this because I can't find their Slack account",
    );
    expect(JSON.stringify(toAda()[0]?.blocks)).toContain('watch-delete');
  });

  test('twelve issues are one message: five with buttons, seven by name', async () => {
    for (let i = 1; i <= 12; i += 1)
      world.issues[`WEB-${i}`] = { since: MONDAY_NOON - 3 * millisecondsInDay - i * millisecondsInMinute };
    await passes(5);
    expect(toBen()).toHaveLength(1);
    expect(toBen()[0]?.text).toContain('12 issues in Review longer than 2 days');
    expect(toBen()[0]?.text).toContain('And WEB-7, ');
    expect(JSON.stringify(toBen()[0]?.blocks).match(/snooze-visit/g)).toHaveLength(5);
    expect(JSON.stringify(toBen()[0]?.blocks).match(/watch-mute/g)).toHaveLength(1);
  });

  test.each<[string, () => void]>([
    ['wants to be left alone', () => slack.faults.rateLimitNext(POST, 30)],
    ['fails after it has taken it', () => slack.faults.breakAfterNext(POST, 502)],
    ['takes it, and its answer is lost', () => slack.faults.loseAnswerNext(POST)],
  ])('where Slack %s, the reminder comes once', async (_, plant) => {
    plant();
    await passes(60);
    expect(toBen()).toHaveLength(1);
  });

  test('what cannot be written to the audit log is not sent, and sent once it can be', async () => {
    leaving = () => Promise.reject(new AppError('store-unavailable', 'The disk is full.'));
    await passes(5);
    expect(slack.calls(POST)).toEqual([]);
    const written: unknown[] = [];
    leaving = async (event) => void written.push(event);
    await passes(5);
    expect(toBen()).toHaveLength(1);
    const subject = { kind: 'alert', id: 'U0BEN' };
    expect(written).toEqual([{ subject, verb: 'posted', facts: { issues: 1 } }]);
  });

  test('what may have arrived is not sent again', async () => {
    slack.faults.breakNext(POST, 503);
    await passes(60);
    expect(slack.calls(POST)).toHaveLength(1);
  });

  test('where Slack refuses, the owner gets it', async () => {
    slack.faults.failNext(POST, 'user_disabled');
    await passes(60);
    expect(toBen()).toEqual([]);
    expect(toAda()[0]?.text).toContain("Slack doesn't let me write to them");
    expect(toAda()).toHaveLength(1);
  });

  test('a message is found again by who comes after a process that died, and where no one can look it is not sent twice', async () => {
    const notifier = createWatchNotifier(aDoor());
    await passes(5);
    const visit = { key: 'WEB-1', dueSince: MONDAY_NOON - 3 * millisecondsInDay };
    expect(await notifier.wasReminded(visit, 'U0BEN')).toBe(true);
    expect(await notifier.wasReminded({ ...visit, dueSince: MONDAY_NOON }, 'U0BEN')).toBe(false);
    slack.faults.failNext('conversations.history', 'missing_scope');
    expect(await notifier.wasReminded(visit, 'U0BEN')).toBeNull();
    slack.faults.breakNext('conversations.history', 503);
    await expect(notifier.wasReminded(visit, 'U0BEN')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('the owner of a watch that cannot work reads what to do', async () => {
    world.statuses = world.statuses.slice(1);
    await passes(10);
    expect(toAda()).toHaveLength(1);
    expect(toAda()[0]?.text).toContain(
      "I paused your watch Review longer than 2 days, in WEB, 24/7. The status 'Review' no longer exists, or you can't see it.",
    );
    expect(JSON.stringify(toAda()[0]?.blocks)).toContain('watch-resume');
  });

  test('who mutes a watch gets no more of it, and its owner does', async () => {
    await passes(5);
    const [watch] = await office.watches.list(adaWatching.owner);
    const click = { principal: principalOf('U0BEN'), value: watch?.id ?? '' };
    const mute = watchActions.find(({ id }) => id === 'watch-mute');
    const [answer] =
      (await mute?.run(click as unknown as Click, { watches: office.watches } as unknown as SlackParts)) ??
      [];
    expect(answer?.text).toContain('Muted: Review longer than 2 days, in WEB');
    world.issues['WEB-2'] = { since: MONDAY_NOON - 3 * millisecondsInDay };
    await passes(120);
    expect(toBen()).toHaveLength(1);
    expect(toAda()[0]?.text).toContain('muted this watch');
  });

  test('several watches are one message, each with its rule, and an issue is in it once', async () => {
    for (const [account, user] of [
      ['U0CLEO', 'cleo'],
      ['U0DORA', 'dora'],
    ] as const) {
      const threshold = { by: 'time', ms: millisecondsInDay, words: '1 day' } as const;
      await office.watches.create(
        { owner: principalOf(account), principal: principalOf(user) },
        {
          ...reviewTooLong,
          threshold,
        },
      );
    }
    world.issues = {
      'WEB-1': { since: MONDAY_NOON - 3 * millisecondsInDay },
      'WEB-2': { since: MONDAY_NOON - 1.5 * millisecondsInDay },
    };
    await passes(5);
    expect(toBen()).toHaveLength(1);
    const blocks = JSON.stringify(toBen()[0]?.blocks);
    expect(blocks).toContain('Watch of <@U0ADA>: Review longer than 2 days');
    expect(blocks).toContain('Watch of <@U0CLEO>: Review longer than 1 day');
    expect(blocks).not.toContain('Watch of <@U0DORA>');
    expect(toBen()[0]?.text.match(/About WEB-1/g)).toHaveLength(1);
    await passes(180);
    expect(toBen()).toHaveLength(1);
  });
});

describe('snoozing', () => {
  const visit = { watchId: 'w1', key: 'WEB-1', since: MONDAY_NOON - 3 * millisecondsInDay };
  const until = MONDAY_NOON + 2 * millisecondsInDay;
  const ben = { principal: principalOf('U0BEN'), userName: 'ben' };

  /** A door whose snoozes all end on Wednesday, and what was wished for there. */
  function aDoor() {
    const inputs: SnoozeInput[] = [];
    const watches = {
      async snooze(input: SnoozeInput) {
        inputs.push(input);
        return { ...input, until };
      },
    };
    return { inputs, parts: { watches, now: () => MONDAY_NOON } as unknown as SlackParts };
  }

  /** What is answered, and opened, when someone chooses something. */
  async function choose(id: string, { watchId, key, since } = visit) {
    const { inputs, parts } = aDoor();
    const opened: unknown[] = [];
    const click = {
      ...ben,
      value: `${watchId} ${key} ${since} ${id}`,
      open: async (view: unknown) => void opened.push(view),
    };
    const [message] = await snoozeVisit.run(click as unknown as Click, parts);
    return { inputs, opened, text: message?.text };
  }

  test.each([
    ['day', { by: 'day' }],
    ['workingDays', { by: 'workingDays', days: 3 }],
    ['week', { by: 'week' }],
  ])('%s is a snooze of who chooses it, and says until when', async (text, ends) => {
    const chosen = await choose(text);
    expect(chosen.inputs).toEqual([{ ...visit, account: 'U0BEN', ends }]);
    expect(chosen.text).toEqual(
      expect.stringMatching(
        /^Snoozed\. I'll remind you of WEB-1 on <!date\^.*\|2026-03-18 11:00 UTC> .*, if it is still there\.$/,
      ),
    );
  });

  test('of a missed target is repeated unless the issue is finished', async () => {
    const missed = { ...visit, since: 0 };
    const chosen = await choose('week', missed);
    expect(chosen.inputs).toEqual([{ ...missed, account: 'U0BEN', ends: { by: 'week' } }]);
    expect(chosen.text).toMatch(
      /^Snoozed\. I'll remind you of WEB-1 on .*, if it is not finished by then\.$/,
    );
    const { opened } = await choose('date', missed);
    expect(JSON.stringify(opened)).toContain('No alert follows if the issue is finished by then.');
    expect(JSON.stringify((await choose('date')).opened)).toContain('when the issue moves on');
  });

  test('a date is asked for, of the next thirty days', async () => {
    const { inputs, opened } = await choose('date');
    expect(inputs).toEqual([]);
    const metadata = JSON.stringify(visit);
    expect(opened).toMatchObject([{ callback_id: 'snooze-until', private_metadata: metadata }]);
    for (const view of opened) expect(checkView(view as ModalView)).toEqual([]);
    const submitted = (at: number) =>
      ({ ...ben, metadata, ...readInputs({}), instants: { until: at } }) satisfies Submission;
    expect(snoozeUntil.wrongAtOnce?.(submitted(MONDAY_NOON), MONDAY_NOON)).toHaveProperty('until');
    expect(
      snoozeUntil.wrongAtOnce?.(submitted(MONDAY_NOON + 31 * millisecondsInDay), MONDAY_NOON),
    ).toHaveProperty('until');
    expect(snoozeUntil.wrongAtOnce?.(submitted(until), MONDAY_NOON)).toEqual({});
    const door = aDoor();
    expect((await snoozeUntil.answer(submitted(until), door.parts)).text).toContain('|2026-03-18 11:00 UTC>');
    expect(door.inputs).toEqual([{ ...visit, account: 'U0BEN', ends: { by: 'instant', until } }]);
  });

  test('a form of another version is refused with a sentence, and snoozes nothing', async () => {
    const older = {
      ...{ ...ben, metadata: 'w1 WEB-1 1773829800000' },
      ...{ ...readInputs({}), instants: { until } },
    } satisfies Submission;
    const door = aDoor();
    expect(snoozeUntil.wrongAtOnce?.(older, MONDAY_NOON)).toEqual({});
    await expect(snoozeUntil.answer(older, door.parts)).rejects.toMatchObject({
      details: [expect.stringContaining('open it again')],
    });
    expect(snoozeUntil.placeOf(older)).toEqual({ channel: 'U0BEN', threadTs: null });
    expect(door.inputs).toEqual([]);
  });

  test('a value that is none of the menu is refused', async () => {
    const { parts } = aDoor();
    const click = { ...ben, value: 'w1 WEB-1 1 forever' } as unknown as Click;
    await expect(snoozeVisit.run(click, parts)).rejects.toMatchObject({ code: 'bad-request' });
  });
});
