import fc from 'fast-check';
import { expect, test } from '#jest';
import type { RecipientReason, ReminderGroup } from '../../../src/api/watches/watches-api.ts';
import { checkBlocks, checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Message } from '../../../src/block-kit/message.ts';
import { begunMessage } from '../../../src/slack/watches/describe-watch.ts';
import { reminderMessage } from '../../../src/slack/watches/reminder-message.ts';
import { snoozeDateView, snoozedMessage } from '../../../src/slack/watches/snooze.ts';
import { watchFormView } from '../../../src/slack/watches/watch-form.ts';
import { watchListMessage } from '../../../src/slack/watches/watch-list.ts';
import { troubleMessage } from '../../../src/slack/watches/watch-notifier.ts';
import { normalHours } from '../../../src/time/calendar.ts';
import { aWatch } from '../../support/a-watch.ts';
import { runs } from '../../support/soak.ts';
import { berlinOffice } from '../../support/watch-office.ts';

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
    dueSince: AT - index,
    why: reason,
    issue: {
      key: `LONGPROJECT-${index}`,
      summary: words,
      link: index % 2 === 0 ? `https://tracker.example/browse/${index}` : null,
      project: 'LONGPROJECT',
      status: { id: '4', title: words, category: 'In Progress' },
      assignee: { id: 'b', name: words },
      since: AT - index,
      ageMs: index + 2,
      baseline: null,
      pace: null,
      historyComplete: true,
    },
  };
}

test.each([1, 5, 10, 10_000])('a reminder of %s issues keeps within the limits', (count) => {
  fc.assert(
    fc.property(text, why, fc.constantFrom('U7', 'U2'), (words, reason, account) => {
      const visits = Array.from({ length: count }, (_, i) => aVisit(i, words, reason));
      const watch = aWatch('w1', { owner: 'U7', title: words, status: { id: '4', name: words } });
      const group = { watch, visits, calendar, asOf: AT, dataAsOf: AT };
      const crowded = Array.from({ length: 8 }, () => group);
      for (const reminder of [[group], crowded]) keepsWithin(reminderMessage(reminder, account));
    }),
    { numRuns: count > 100 ? runs(5) : settings.numRuns },
  );
});

test.each([0, 1, 10, 50])('a list of %s watches keeps within the limits', (count) => {
  fc.assert(
    fc.property(text, fc.boolean(), fc.nat(60), (words, paused, start) => {
      const status = { id: '4', name: words };
      const listed = Array.from({ length: count }, (_, i) => ({
        watch: aWatch(`w${i}`, { title: words, status, paused, trouble: words }),
        last: i % 2 === 0 ? null : { key: words, at: AT },
      }));
      keepsWithin(watchListMessage(listed, 'Review longer than usual in WEB', start));
    }),
    settings,
  );
});

test.each([0, 1, 10, 10_000])('a watch that begins with %s issues keeps within the limits', (count) => {
  fc.assert(
    fc.property(
      text,
      fc.nat(3),
      fc.nat(9),
      fc.boolean(),
      (words, withoutBaseline, sinceUnknown, everObserved) => {
        const watch = aWatch('w1', { title: words, status: { id: '4', name: words }, calendarName: words });
        const overdue = Array.from({ length: count }, (_, i) => aVisit(i, words, { kind: 'owner' }));
        const here = count + withoutBaseline;
        const begun = {
          watch,
          overdue,
          notified: Math.min(3, count),
          here,
          withoutBaseline,
          sinceUnknown,
          everObserved,
        };
        keepsWithin(begunMessage(begun, ['Every hour counts.']));
      },
    ),
    { numRuns: count > 100 ? runs(5) : settings.numRuns },
  );
});

test('forms and short words keep within the limits', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 150 }), (words, count) => {
      const status = { id: '4', name: words };
      keepsWithin(troubleMessage(aWatch('w1', { title: words, status, trouble: words })));
      keepsWithin(snoozedMessage({ account: 'U1', key: words, since: AT, until: AT }));
      expect(checkView(snoozeDateView({ watchId: 'w1', key: 'WEB-1', since: AT }, AT))).toEqual([]);
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
      expect(checkView(watchFormView(form, { statuses, calendars, wrong: words }))).toEqual([]);
    }),
    settings,
  );
});
