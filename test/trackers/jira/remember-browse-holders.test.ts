import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { expect, test } from '#jest';
import { rememberBrowseHolders } from '../../../src/trackers/jira/browse-holders.ts';
import type { JiraClient } from '../../../src/trackers/jira/jira-client.ts';

/** Jira answers after a minute each time, which `isWell` may change. */
function slowJira() {
  const state = { now: 1_000_000, asked: 0, isWell: true };
  const client = {
    async ask() {
      state.asked += 1;
      state.now += millisecondsInMinute;
      if (!state.isWell) throw new Error('unwell');
      return { permissions: [] };
    },
  } as unknown as JiraClient;
  const holdersOf = rememberBrowseHolders(() => state.now);
  return { state, look: () => holdersOf('WEB', client) };
}

test('what was read is good for an hour from the question on', async () => {
  const { state, look } = slowJira();
  await look();
  state.now += millisecondsInHour - millisecondsInMinute - 1;
  await look();
  expect(state.asked).toBe(1);
  state.now += 1;
  await look();
  expect(state.asked).toBe(2);
});

test('what failed is asked again half a minute after the failure', async () => {
  const { state, look } = slowJira();
  state.isWell = false;
  await expect(look()).rejects.toThrow('unwell');
  state.now += 29_999;
  await expect(look()).rejects.toThrow('unwell');
  expect(state.asked).toBe(1);
  state.now += 1;
  state.isWell = true;
  expect((await look())?.isKnown).toBe(true);
  expect(state.asked).toBe(2);
});
