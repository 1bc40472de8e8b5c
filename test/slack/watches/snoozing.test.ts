import { millisecondsInDay } from 'date-fns/constants';
import { expect, test } from '#jest';
import type { SnoozeInput } from '../../../src/api/watches/watches-api.ts';
import type { Click } from '../../../src/slack/action.ts';
import { snoozeVisit } from '../../../src/slack/actions/snooze-visit.ts';
import type { Submission } from '../../../src/slack/modal.ts';
import { snoozeUntil } from '../../../src/slack/modals/snooze-until.ts';
import type { SlackParts } from '../../../src/slack/parts.ts';
import { snoozeMenu } from '../../../src/slack/watches/snooze-menu.ts';
import { principalOf } from '../../support/principal-of.ts';
import { MONDAY_NOON } from '../../support/watch-office.ts';

const visit = { watchId: 'w1', key: 'WEB-1', since: MONDAY_NOON - 3 * millisecondsInDay };
const until = MONDAY_NOON + 2 * millisecondsInDay;
const ben = { principal: principalOf('U0BEN'), userName: 'ben' };

/** A door whose snoozes all end on Wednesday, and what was wished for there. */
function aDoor() {
  const wishes: SnoozeInput[] = [];
  const watches = {
    async snooze(wish: SnoozeInput) {
      wishes.push(wish);
      return { ...wish, until };
    },
  };
  return { wishes, parts: { watches, now: () => MONDAY_NOON } as unknown as SlackParts };
}

/** What is told, and opened, when somebody chooses something. */
async function choose(text: string) {
  const { wishes, parts } = aDoor();
  const chosen = snoozeMenu(visit).options?.find((option) => option.text.text === text);
  const opened: unknown[] = [];
  const click = { ...ben, value: chosen?.value ?? '', open: async (view: unknown) => void opened.push(view) };
  const [message] = await snoozeVisit.run(click as unknown as Click, parts);
  return { wishes, opened, text: message?.text };
}

test.each([
  ['For a day', { by: 'day' }],
  ['For 3 working days', { by: 'workingDays', days: 3 }],
  ['For a week', { by: 'week' }],
])('%s is a snooze of who chooses it, and says until when', async (text, ends) => {
  const chosen = await choose(text);
  expect(chosen.wishes).toEqual([{ ...visit, account: 'U0BEN', ends }]);
  expect(chosen.text).toBe(
    'You hear of WEB-1 again on 2026-03-18 11:00 UTC if it still sits there, in working hours.',
  );
});

test('a date is asked for, of the next thirty days', async () => {
  const { wishes, opened } = await choose('Until a date…');
  expect(wishes).toEqual([]);
  expect(opened).toMatchObject([
    { callback_id: 'snooze-until', private_metadata: `w1 WEB-1 ${visit.since}` },
  ]);
  const submitted = (at: number) =>
    ({ ...ben, metadata: `w1 WEB-1 ${visit.since}`, instants: { until: at } }) as unknown as Submission;
  expect(snoozeUntil.wrongAtOnce?.(submitted(MONDAY_NOON), MONDAY_NOON)).toHaveProperty('until');
  expect(
    snoozeUntil.wrongAtOnce?.(submitted(MONDAY_NOON + 31 * millisecondsInDay), MONDAY_NOON),
  ).toHaveProperty('until');
  expect(snoozeUntil.wrongAtOnce?.(submitted(until), MONDAY_NOON)).toEqual({});
  const door = aDoor();
  expect((await snoozeUntil.answer(submitted(until), door.parts)).text).toContain('again on 2026-03-18');
  expect(door.wishes).toEqual([{ ...visit, account: 'U0BEN', ends: { by: 'instant', until } }]);
});

test('a value that is none of the menu is refused', async () => {
  const { parts } = aDoor();
  const click = { ...ben, value: 'w1 WEB-1 1 forever' } as unknown as Click;
  await expect(snoozeVisit.run(click, parts)).rejects.toMatchObject({ code: 'bad-request' });
});
