import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import type {
  CreatedWatch,
  RecipientReason,
  ReminderGroup,
  SnoozeInput,
} from '../../src/api/watches/watches-api.ts';
import type { Digest, DigestRun } from '../../src/model/digest.ts';
import { AppError } from '../../src/model/error.ts';
import { shorten } from '../../src/output/readable-text.ts';
import type { Click } from '../../src/slack/app/handler-types.ts';
import type { SlackParts } from '../../src/slack/app/parts.ts';
import { checkBlocks, checkView } from '../../src/slack/blocks/check-blocks.ts';
import type { Message } from '../../src/slack/blocks/message.ts';
import { escapeMrkdwn, section } from '../../src/slack/blocks/mrkdwn.ts';
import { digestActions } from '../../src/slack/digests/digest-command.ts';
import { digestForm } from '../../src/slack/digests/digest-form.ts';
import { createDigestNotifier } from '../../src/slack/digests/digest-notifier.ts';
import { digestView, titleWords } from '../../src/slack/digests/post-period.ts';
import { digestCard } from '../../src/slack/digests/save-digest.ts';
import { beginWatch } from '../../src/slack/watches/describe-watch.ts';
import { snoozeVisit } from '../../src/slack/watches/snooze-issue.ts';
import { watchForm } from '../../src/slack/watches/watch-form.ts';
import { watchActions } from '../../src/slack/watches/watch-list.ts';
import { createWatchNotifier } from '../../src/slack/watches/watch-notifier.ts';
import { normalHours } from '../../src/time/calendar.ts';
import { aWatch } from '../support/a-watch.ts';
import { anAging, anAgingAnswer, anAgingIssue, aWeeklyAnswer } from '../support/an-answer.ts';
import { hourly } from '../support/digest-office.ts';
import { principalOf } from '../support/principal-of.ts';
import { runs } from '../support/soak.ts';
import { berlinOffice } from '../support/watch-office.ts';

const AT = Date.parse('2026-03-18T12:00:00Z');
const strange = [
  '<!channel> & <@U1>',
  '🧭'.repeat(200),
  'שלום עולם '.repeat(50),
  'x'.repeat(3_000),
  '`*_~',
  'a',
];
const text = fc.oneof(fc.constantFrom(...strange), fc.string());

/** A door where no one waits, for an account that is linked, or of whom nothing is known. */
const doorTo = (more: object, user: string | null = null) =>
  ({
    people: {
      tenant: 'default',
      users: async () => new Map([['ada', { id: 'ada', name: 'Ada' }]]),
      linkOf: async () => (user === null ? null : { user, proof: null }),
    },
    accounts: {
      profileOf: async () => {
        if (user === null) throw new AppError('slack-unavailable', 'Slack is away.');
        return { standing: 'ours', isGuest: false, refused: null };
      },
    },
    wait: async () => {},
    log: pino({ level: 'silent' }),
    audit: { leaving: async () => {} },
    ...more,
  }) as unknown as SlackParts;

/** The message that is posted; one that breaks a limit has no blocks. */
async function posted(post: (parts: SlackParts) => Promise<unknown>): Promise<Message> {
  let shown: Message = { text: '', blocks: [] };
  const postMessage = async (message: Message) => {
    shown = message;
  };
  await post(doorTo({ web: { chat: { postMessage } } }, 'ada'));
  return shown;
}

describe('digests', () => {
  /** Marks that would call people, made of a text from outside. */
  const calls = /<!channel>|<@U1>/;

  function aDigest(title: string, more: Partial<Digest> = {}): Digest {
    return {
      ...hourly,
      title,
      id: 'd1',
      owner: 'U0ADA',
      paused: false,
      createdAt: AT,
      nextDue: AT,
      lastRun: null,
      ...more,
    };
  }

  function aRun(message: string, note: DigestRun['note'] = {}): DigestRun {
    const end = { state: 'failed', message, skipReason: null, finishedAt: AT } as const;
    return { digestId: 'd1', due: AT, note, attempts: 1, ...end };
  }

  test.each([0, 1, 11])('a list of %s digests keeps within the limits', async (count) => {
    const show = digestActions.find(({ id }) => id === 'digest-list');
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), fc.nat(100), async (title, message, own, start) => {
        const owner = own ? 'U1' : 'U0ADA';
        const digest = aDigest(title, { lastRun: aRun(message), owner });
        const list = Array.from({ length: start + count }, () => digest);
        const parts = doorTo(
          {
            digests: { list: async () => list, nextPosts: async () => [AT] },
            settings: { calendars: async () => [] },
            restore: { isPaused: async () => false },
            reporting: { check: () => Promise.reject(new AppError('unknown-name', 'There is none.')) },
          },
          'ada',
        );
        const replace = async (shown: Message) => {
          expect(checkBlocks(shown.blocks, 'message')).toEqual([]);
          expect(shown.text).not.toMatch(calls);
        };
        const click = {
          principal: principalOf('U1'),
          place: { channel: 'D1' },
          value: String(start),
          replace,
        };
        expect(await show?.run(click as unknown as Click, parts)).toEqual([]);
      }),
      { numRuns: runs(20) },
    );
  });

  test('the card of a digest keeps within the limits', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), async (title, message, paused) => {
        const digest = aDigest(title, { lastRun: aRun(message), paused });
        const parts = { digests: { nextPosts: async () => [] } };
        const shown = await digestCard(digest, `${titleWords(digest)} is here.`, ['A remark.'], parts);
        expect(checkBlocks(shown.blocks, 'message')).toEqual([]);
        expect(shown.text).not.toMatch(calls);
      }),
      { numRuns: runs(30) },
    );
  });

  test('a digest keeps within the limits, whatever its title and whatever was missed', async () => {
    const answers = [
      aWeeklyAnswer(),
      anAgingAnswer(anAging(Array.from({ length: 10_000 }, (_, i) => anAgingIssue(`WEB-${i}`, i)))),
      anAgingAnswer(anAging([])),
    ];
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(...answers),
        fc.nat(150),
        fc.boolean(),
        async (title, answer, missed, late) => {
          const period = {
            ...{ digest: aDigest(title), answer, run: { due: AT }, lateMs: late ? 1e7 : null },
            missed: Array.from({ length: missed }, (_, i) => AT - i * 3_600_000),
          };
          const run = { id: 'r1', account: 'U1', question: answer.question, asOf: AT, askedAt: AT };
          const { message } = await digestView(period, run, doorTo({}, 'ada'));
          expect(checkBlocks(message.blocks, 'message')).toEqual([]);
          expect(message.text).not.toMatch(calls);
        },
      ),
      { numRuns: runs(50) },
    );
  });

  test('what an owner reads of a failure keeps within the limits', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, fc.constantFrom('', '17.5'), async (title, message, ts) => {
        const [digest, run] = [aDigest(title), aRun(message, { ts })];
        const trouble = await posted((parts) => createDigestNotifier(parts).notifyOwner(digest, run, null));
        expect(checkBlocks(trouble.blocks, 'message')).toEqual([]);
        expect(trouble.text).not.toMatch(calls);
        expect(JSON.stringify(trouble.blocks).includes('digest-post-again')).toBe(ts === '');
      }),
      { numRuns: runs(100) },
    );
  });

  test.each([0, 1, 500])('the form keeps within the limits with %s calendars', (count) => {
    const calendars = Array.from({ length: count }, (_, i) => ({
      id: 101 + i,
      name: strange[i % strange.length] ?? '',
      timeZone: 'UTC',
      workingTimes: [],
      holidays: [],
    }));
    const form = {
      at: { channel: 'C1', threadTs: null },
      title: 'x'.repeat(100),
      question: strange[2] ?? '',
      when: 'every monday at 9',
      timeZone: 'Europe/Berlin',
      place: 'channel',
      channel: 'C1',
      workingDays: '101',
      file: 'xlsx',
    } as const;
    for (const id of [null, 'd1']) {
      expect(checkView(digestForm.view({ ...form, id }, calendars, 'Wrong: <!channel>'))).toEqual([]);
    }
  });
});

describe('watches', () => {
  const why = text.chain((name) =>
    fc.constantFrom<RecipientReason>(
      { kind: 'owner' },
      { kind: 'assignee' },
      { kind: 'covers', person: { id: 'b', name }, until: AT },
      { kind: 'covers', person: { id: 'b', name }, until: null },
      { kind: 'unassigned' },
      { kind: 'notReached', person: { id: 'b', name }, because: 'hidden' },
    ),
  );
  const settings = { numRuns: runs(30) };
  const { between: _, ...calendar } = normalHours;

  function keepsWithin({ text: said, blocks }: Message): void {
    expect(checkBlocks(blocks, 'message')).toEqual([]);
    expect(said).not.toBe('');
    for (const all of [said, JSON.stringify(blocks)]) expect(all).not.toMatch(/<!channel>|<@U1>/);
  }

  function aVisit(index: number, words: string, reason: RecipientReason): ReminderGroup['visits'][number] {
    return {
      thresholdMs: 1,
      since: AT - index,
      dueSince: AT - index,
      why: reason,
      issue: {
        key: `LONGPROJECT-${index}`,
        summary: words,
        link: index % 2 === 0 ? `https://tracker.example/browse/${index}` : null,
        project: 'LONGPROJECT',
        status: { id: '4', name: words, category: 'In Progress', kind: 'active' },
        assignee: { id: 'b', name: words },
        since: AT - index,
        ageMs: index + 2,
        usual: null,
        pace: null,
        workMs: index + 2,
        target: null,
        historyComplete: true,
      },
    };
  }

  test.each([1, 5, 10, 10_000])('a reminder of %s issues keeps within the limits', async (count) => {
    await fc.assert(
      fc.asyncProperty(text, why, fc.constantFrom('U7', 'U2'), async (words, reason, account) => {
        const visits = Array.from({ length: count }, (_, i) => aVisit(i, words, reason));
        const watch = aWatch('w1', { owner: 'U7', title: words, status: { id: '4', name: words } });
        const group = { watch, visits, calendar, asOf: AT, dataAsOf: AT };
        const crowded = Array.from({ length: 8 }, () => group);
        for (const reminder of [[group], crowded])
          keepsWithin(await posted((parts) => createWatchNotifier(parts).remind(reminder, account)));
      }),
      { numRuns: count > 100 ? runs(5) : settings.numRuns },
    );
  });

  test.each([0, 1, 10, 50])('a list of %s watches keeps within the limits', async (count) => {
    const show = watchActions.find(({ id }) => id === 'watch-list');
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), fc.nat(60), async (words, paused, start) => {
        const status = { id: '4', name: words };
        const listed = Array.from({ length: count }, (_, i) => ({
          watch: aWatch(`w${i}`, { title: words, status, paused, trouble: words }),
          last: i % 2 === 0 ? null : { key: words, at: AT },
        }));
        const watches = {
          list: async () => listed.map(({ watch }) => watch),
          lastNotified: async (_: unknown, id: string) =>
            listed.find(({ watch }) => watch.id === id)?.last ?? null,
        };
        const replace = async (message: Message) => keepsWithin(message);
        const click = { principal: principalOf('U1'), place: {}, value: String(start), replace };
        expect(await show?.run(click as unknown as Click, doorTo({ watches }))).toEqual([]);
      }),
      settings,
    );
  });

  test.each([0, 1, 10, 10_000])(
    'a watch that begins with %s issues keeps within the limits',
    async (count) => {
      await fc.assert(
        fc.asyncProperty(
          text,
          fc.nat(3),
          fc.nat(9),
          fc.boolean(),
          async (words, withoutBaseline, sinceUnknown, everObserved) => {
            const watch = aWatch('w1', {
              title: words,
              status: { id: '4', name: words },
              calendarName: words,
            });
            const overdue = Array.from({ length: count }, (_, i) => aVisit(i, words, { kind: 'owner' }));
            const here = count + withoutBaseline;
            const begun: CreatedWatch = {
              watch,
              overdue,
              notified: Math.min(3, count),
              here,
              withoutBaseline,
              sinceUnknown,
              everObserved,
            };
            const watches = { create: async () => begun, list: async () => [] };
            const parts = doorTo({ watches }, 'ada');
            keepsWithin(await beginWatch(watch, ['Every hour counts.'], 'U7', parts));
          },
        ),
        { numRuns: count > 100 ? runs(5) : settings.numRuns },
      );
    },
  );

  test('forms and short words keep within the limits', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 0, max: 150 }), async (words, count) => {
        const status = { id: '4', name: words };
        const broken = aWatch('w1', { title: words, status, trouble: words });
        keepsWithin(await posted((parts) => createWatchNotifier(parts).notifyOwner(broken)));
        const watches = { snooze: async (input: SnoozeInput) => ({ ...input, key: words, until: AT }) };
        const click = { principal: principalOf('U1'), value: `w1 WEB-1 ${AT} day` } as unknown as Click;
        const parts = { watches, now: () => AT } as unknown as SlackParts;
        for (const message of await snoozeVisit.run(click, parts)) keepsWithin(message);
        const statuses = Array.from({ length: count }, (_, i) => `${i} ${words}`);
        const calendars = Array.from({ length: Math.max(1, count) }, (_, id) => ({
          ...berlinOffice,
          id,
          name: `${id} ${words}`,
        }));
        const form = {
          place: 'C1',
          status: words,
          threshold: words,
          filter: words,
          calendar: '0',
          tells: 'owner',
        } as const;
        const lead = [section(`:warning: ${escapeMrkdwn(shorten(words, 1_000))}`)];
        expect(checkView(watchForm.view(form, { statuses, calendars, lead }))).toEqual([]);
      }),
      settings,
    );
  });
});
