import { millisecondsInDay } from 'date-fns/constants';
import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import type { Delegation, TimeSpan } from '../../../src/model/delegation.ts';
import type { SlackParts } from '../../../src/slack/app/parts.ts';
import { warnOf } from '../../../src/slack/delegates/cover-changes.ts';
import { plainCoverWords } from '../../../src/slack/delegates/cover-words.ts';
import { inputsOf, startDelegatesInSlack } from '../../support/delegates-in-slack.ts';
import { principalOf } from '../../support/principal-of.ts';
import { startedOnce } from '../../support/started.ts';

describe('a typed line that sets nothing yet', () => {
  const place = startedOnce(() => startDelegatesInSlack());

  test.each([
    ['set @carl dec 29 to 2', "Set Carl's cover for you (Dec 29 – Jan 2)? Both will be notified."],
    ['set @carl for 3 days', "Set Carl's cover for you (Mar 18–20)? Both will be notified."],
    ['set @carl for @dora for a week', "Set Carl's cover for Dora (Mar 18–24)? Both will be notified."],
  ])('reads %s', async (line, text) => {
    expect((await place.says(line)).text).toBe(text);
  });

  test.each([
    ['set @carl', { who: { initial_users: ['U0CARL'] }, first: { initial_date: '2026-03-18' } }],
    ['set dec 19 to jan 2', { first: { initial_date: '2026-12-19' }, last: { initial_date: '2027-01-02' } }],
    ['set mar 19 14:00 to mar 20', { from: { initial_date_time: 1_773_943_200 } }],
  ])('without a person or dates opens the form with the rest: %s', async (line, elements) => {
    await place.slack.types(`/delegates ${line}`, { as: 'bob' });
    await place.slack.modal('bob');
    await place.slack.modal('bob');
    expect(inputsOf(place.slack, 'bob')).toMatchObject(elements);
    await place.slack.dismisses({ as: 'bob' });
  });

  test('opens the form for another person', async () => {
    await place.slack.types('/delegates set for @dora');
    await place.slack.modal();
    await place.slack.modal();
    expect(inputsOf(place.slack, 'ada')).toMatchObject({ for: { initial_user: 'U0DORA' } });
    await place.slack.dismisses();
  });

  test('is typed where that person has no Slack account', async () => {
    const { text } = await place.says('set for @kira until friday');
    expect(text).toContain("I can't find Kira's Slack account for the form.");
    expect(text).toContain('/delegates set @PERSON for @kira until friday');
  });

  test.each([
    ['set @carl someday', "I can't read `someday` as dates.", '/delegates set @carl next week'],
    ['set @bob tomorrow', 'No one can cover for themselves.', '/delegates set'],
    ['set @kira', "I can't find Kira's Slack account for the form.", '/delegates set @kira next week'],
  ])('that cannot be set is explained, with a button: %s', async (line, text, run) => {
    const answer = await place.says(line, 'bob');
    expect(answer.text.startsWith(text)).toBe(true);
    expect(answer.blocks).toMatchObject([{ accessory: { action_id: 'run-line:0', value: run } }]);
  });

  test('that is over already is refused', async () => {
    const asked = await place.says('set @carl 2026-03-16 to 2026-03-17', 'bob');
    await place.slack.clicks('Set cover', { as: 'bob', on: asked });
    expect((await place.slack.reply()).text).toContain('These dates are over already.');
    expect(place.toldDirectly('carl')).toEqual([]);
  });
});

describe('warn of', () => {
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
  const words = plainCoverWords({
    reader: 'ada',
    users: new Map(),
    categories: [{ id: 2, name: 'Expense', description: '' }],
    accounts: new Map(),
    zones: ['UTC'],
    now,
  });

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
      ':warning: *bob*, who covers for you, is out for Expense until Thu, Mar 19, 12:00 PM.',
      ':warning: Also set: *Carl and dora cover for you* for Expense until Mon, Mar 30.',
      ':warning: Also set: *Bob covers for you* until Mon, Mar 30.',
    ]);
  });

  test('what cannot be looked up is said, for it is set all the same', async () => {
    const { lines } = await warnings(() => {
      throw new Error('unreachable');
    });
    expect(lines).toEqual(["I couldn't check whether anyone else is out; `/delegates week` shows it."]);
  });
});
