import type { BlockElementAction } from '@slack/bolt';
import { expect, test } from '#jest';
import { chosenValue } from '../../src/slack/chosen-value.ts';

const acted = (type: string, more: object) =>
  chosenValue({ type, action_id: 'a', block_id: 'b', action_ts: '1.0', ...more } as BlockElementAction);

test.each([
  ['button', { value: 'run' }, 'run'],
  ['button', {}, ''],
  ['static_select', { selected_option: { value: 'figure' } }, 'figure'],
  ['overflow', { selected_option: { value: 'more' } }, 'more'],
  ['external_select', { selected_option: null }, ''],
  ['users_select', { selected_user: 'U0ADA' }, 'U0ADA'],
  ['conversations_select', { selected_conversation: 'C0WEB' }, 'C0WEB'],
  ['channels_select', { selected_channel: 'C0WEB' }, 'C0WEB'],
  ['datepicker', { selected_date: '2026-03-18' }, '2026-03-18'],
  ['datepicker', { selected_date: null }, ''],
])('of a %s with %j', (type, more, expected) => {
  expect(acted(type, more)).toBe(expected);
});
