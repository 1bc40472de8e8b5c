import { millisecondsInDay } from 'date-fns/constants';
import { pino } from 'pino';
import { expect, test } from '#jest';
import type { Delegation, TimeSpan } from '../../src/model/delegation.ts';
import { warnOf } from '../../src/slack/delegations/warn-of.ts';
import { namesOf } from '../../src/slack/messages/names.ts';
import { wordsIn } from '../../src/slack/messages/words.ts';
import type { SlackParts } from '../../src/slack/parts.ts';
import { principalOf } from '../support/principal-of.ts';

const now = Date.parse('2026-03-18T12:00:30Z');
const delegation: Delegation = {
  id: 1,
  version: 1,
  active: true,
  delegator: 'ada',
  delegates: ['bob'],
  categoryIds: [2],
  start: Date.parse('2026-03-01T00:00:00Z'),
  end: Date.parse('2036-03-01T00:00:00Z'),
  notes: '',
};
const words = wordsIn('UTC', now, namesOf(new Map(), [{ id: 2, name: 'Expense', description: '' }]));

/** The warnings about it, where this is what the register knows of its time, and the spans it was asked for. */
async function warnings(coverage: (span: TimeSpan) => object) {
  const spans: TimeSpan[] = [];
  const delegations = {
    async coverage(_: unknown, span: TimeSpan) {
      spans.push(span);
      return { span, delegations: [], uncovered: [], awayToo: [], ending: [], ...coverage(span) };
    },
  };
  const parts = { delegations, now: () => now, log: pino({ level: 'silent' }) } as unknown as SlackParts;
  return { lines: await warnOf(delegation, { principal: principalOf('ada'), words }, parts), spans };
}

test('what is over is not warned of, nor what is more than 400 days away', async () => {
  const { lines, spans } = await warnings(() => ({}));
  const from = Date.parse('2026-03-18T12:00:00Z');
  expect(spans).toEqual([{ from, until: from + 400 * millisecondsInDay }]);
  expect(lines).toEqual([]);
});

test('what concerns neither its person nor its category is not warned of', async () => {
  const other = {
    ...delegation,
    id: 7,
    delegates: ['carl', 'dora'],
    end: delegation.start + 30 * millisecondsInDay,
  };
  const { lines } = await warnings(({ from, until }) => ({
    delegations: [
      delegation,
      other,
      { ...other, id: 8, categoryIds: [3] },
      { ...other, id: 9, delegator: 'bob' },
      { ...other, id: 10, delegates: ['bob'], categoryIds: [] },
    ],
    awayToo: [
      {
        person: 'ada',
        delegate: 'bob',
        categoryId: 2,
        standIns: null,
        from,
        until: from + millisecondsInDay,
      },
      { person: 'ada', delegate: 'bob', categoryId: 3, standIns: null, from, until },
      { person: 'ada', delegate: 'carl', categoryId: 2, standIns: null, from, until },
    ],
    uncovered: [
      { person: 'ada', categoryId: 2, reason: 'gap', from, until },
      { person: 'bob', categoryId: 2, reason: 'loop', from, until },
    ],
  }));
  expect(lines).toEqual([
    ':warning: *bob*, who stands in for *ada*, is away too until Thu 19 Mar 12:00.',
    ':warning: *carl*, *dora* stand in for *ada* as well: Expense, from Sun 1 Mar 00:00 until Tue 31 Mar 00:00.',
  ]);
});

test('what cannot be looked up is said, for it is set all the same', async () => {
  const { lines } = await warnings(() => {
    throw new Error('unreachable');
  });
  expect(lines).toEqual(['Whether somebody is away too could not be looked up; `/delegates week` tells it.']);
});
