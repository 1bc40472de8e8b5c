import { afterEach, beforeEach, expect, test } from '#jest';
import type { ChannelSettings } from '../../../src/model/chat.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let store: Store;
let other: Store;
beforeEach(() => {
  const dataDir = temporaryFolder();
  store = openSqliteStore(dataDir);
  other = openSqliteStore(dataDir);
});
afterEach(() => {
  store.close();
  other.close();
});

function aChannel(channel: string, parts: Partial<ChannelSettings> = {}): ChannelSettings {
  return {
    channel,
    timeZone: 'UTC',
    calendar: 'normalHours',
    projects: [{ key: 'WEB', withGuests: false }],
    unfurls: true,
    changedBy: 'U1',
    changedAt: 5,
    ...parts,
  };
}

test('a channel nobody chose for is unknown, and is given as null to whoever changes it', async () => {
  expect(await store.channels.channel('C1')).toBeNull();
  const given: (ChannelSettings | null)[] = [];
  const change = (kept: ChannelSettings | null) => {
    given.push(kept);
    return aChannel('C1', { timeZone: kept === null ? 'UTC' : 'Asia/Kathmandu' });
  };
  expect(await store.channels.changeChannel('C1', change)).toEqual(aChannel('C1'));
  await other.channels.changeChannel('C1', change);
  expect(given).toEqual([null, aChannel('C1')]);
  expect(await store.channels.channel('C1')).toMatchObject({ timeZone: 'Asia/Kathmandu' });
});

test('channels are listed by id', async () => {
  for (const id of ['C2', 'C1']) await store.channels.changeChannel(id, () => aChannel(id));
  expect((await other.channels.channels()).map(({ channel }) => channel)).toEqual(['C1', 'C2']);
});

test('a change that fails keeps what was chosen', async () => {
  await store.channels.changeChannel('C1', () => aChannel('C1'));
  const failing = store.channels.changeChannel('C1', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await store.channels.channel('C1')).toEqual(aChannel('C1'));
});

test('preferences are kept by account', async () => {
  const preferences = { account: 'U1', projects: ['WEB'], calendar: null };
  await store.channels.putPreferences({ ...preferences, calendar: '101' });
  await store.channels.putPreferences(preferences);
  expect(await other.channels.preferences('U1')).toEqual(preferences);
  expect(await other.channels.preferences('U2')).toBeNull();
});
