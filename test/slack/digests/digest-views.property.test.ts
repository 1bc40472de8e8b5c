import fc from 'fast-check';
import { expect, test } from '#jest';
import { checkBlocks, checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Digest, DigestRun } from '../../../src/model/digest.ts';
import { answerView } from '../../../src/slack/ask/answer-view.ts';
import { firstPart } from '../../../src/slack/ask/show-answer.ts';
import { digestListMessages } from '../../../src/slack/digests/digest-command.ts';
import { digestFormView } from '../../../src/slack/digests/digest-form.ts';
import { troubleMessage } from '../../../src/slack/digests/digest-notifier.ts';
import { digestMessage } from '../../../src/slack/digests/post-period.ts';
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

test.each([0, 1, 10, 41, 10_000])('a list of %s digests keeps within the limits', (count) => {
  fc.assert(
    fc.property(text, text, fc.boolean(), (title, message, own) => {
      const listed = Array.from({ length: count }, () => ({
        digest: aDigest(title, { lastRun: aRun(message) }),
        owner: title,
        own,
        isYours: own,
        known: own,
        next: AT,
      }));
      const messages = digestListMessages('Your digests:', listed, []);
      expect(messages.length).toBeLessThanOrEqual(4);
      for (const told of messages) {
        expect(checkBlocks(told.blocks, 'message')).toEqual([]);
        expect(told.text).not.toMatch(calls);
      }
    }),
    { numRuns: runs(count > 100 ? 3 : 20) },
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
        const look = {
          place: 'digest',
          run: null,
          part: firstPart,
          sharedBy: null,
          timeZone: 'UTC',
        } as const;
        const head = {
          title,
          due: AT,
          lateMs: late ? 1e7 : null,
          missed: Array.from({ length: missed }, (_, i) => AT - i * 3_600_000),
        };
        const told = digestMessage(head, answerView(answer, look).message);
        expect(checkBlocks(told.blocks, 'message')).toEqual([]);
        expect(told.text).not.toMatch(calls);
      },
    ),
    { numRuns: runs(50) },
  );
});

test('what an owner is told of a failure keeps within the limits', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom('', 'yes'), (title, message, unsure) => {
      const told = troubleMessage(aDigest(title), aRun(message, { unsure }));
      expect(checkBlocks(told.blocks, 'message')).toEqual([]);
      expect(told.text).not.toMatch(calls);
      expect(JSON.stringify(told.blocks).includes('digest-post-again')).toBe(unsure === 'yes');
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
    place: 'here',
    channel: '',
    workingDays: '101',
    file: 'xlsx',
  } as const;
  for (const id of [null, 'd1']) {
    expect(checkView(digestFormView({ ...form, id }, calendars, 'Wrong: <!channel>'))).toEqual([]);
  }
});
