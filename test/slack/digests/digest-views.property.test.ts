import fc from 'fast-check';
import { expect, test } from '#jest';
import { checkBlocks, checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Digest, DigestRun } from '../../../src/model/digest.ts';
import { digestCard, titleWords } from '../../../src/slack/digests/describe-digest.ts';
import { digestListMessage } from '../../../src/slack/digests/digest-command.ts';
import { digestFormView } from '../../../src/slack/digests/digest-form.ts';
import { troubleMessage } from '../../../src/slack/digests/digest-notifier.ts';
import { viewOf } from '../../../src/slack/digests/post-period.ts';
import { anAging, anAgingAnswer, anAgingIssue, aWeeklyAnswer } from '../../support/an-answer.ts';
import { hourly } from '../../support/digest-office.ts';
import { runs } from '../../support/soak.ts';

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

test.each([0, 1, 10])('a list of %s digests keeps within the limits', (count) => {
  fc.assert(
    fc.property(text, text, fc.boolean(), fc.nat(100), (title, message, own, start) => {
      const rows = Array.from({ length: count }, () => ({
        ...{ digest: aDigest(title, { lastRun: aRun(message) }), own, known: own, next: AT },
      }));
      const shown = digestListMessage({ lead: 'Your digests', start, total: count + start + 1 }, rows, []);
      expect(checkBlocks(shown.blocks, 'message')).toEqual([]);
      expect(shown.text).not.toMatch(calls);
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

test('a digest keeps within the limits, whatever its title and whatever was missed', () => {
  const answers = [
    aWeeklyAnswer(),
    anAgingAnswer(anAging(Array.from({ length: 10_000 }, (_, i) => anAgingIssue(`WEB-${i}`, i)))),
    anAgingAnswer(anAging([])),
  ];
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(...answers),
      fc.nat(150),
      fc.boolean(),
      (title, answer, missed, late) => {
        const period = {
          ...{ digest: aDigest(title), answer, run: { due: AT }, lateMs: late ? 1e7 : null },
          missed: Array.from({ length: missed }, (_, i) => AT - i * 3_600_000),
        };
        const { message } = viewOf(period, null);
        expect(checkBlocks(message.blocks, 'message')).toEqual([]);
        expect(message.text).not.toMatch(calls);
      },
    ),
    { numRuns: runs(50) },
  );
});

test('what an owner reads of a failure keeps within the limits', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom('', '17.5'), (title, message, ts) => {
      const trouble = troubleMessage(aDigest(title), aRun(message, { ts }));
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
    expect(checkView(digestFormView({ ...form, id }, calendars, 'Wrong: <!channel>'))).toEqual([]);
  }
});
