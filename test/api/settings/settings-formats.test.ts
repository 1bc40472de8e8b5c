import { expect, test } from '#jest';
import { createLocalSettings } from '../../../src/api/settings/local-settings.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import { defaultDateFormats } from '../../../src/model/settings.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { storedIn } from '../../support/stored-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const admin = principalOf('ada', 'admin');
const bob = principalOf('bob');
const iso = { dateFormat: 'yyyy-MM-dd', dateTimeFormat: "yyyy-MM-dd'T'HH:mm" };

async function open(dataDir = temporaryFolder()) {
  const store = await openTestStore(dataDir);
  let ids = 0;
  const api = createLocalSettings({
    store,
    stored: storedIn(store, () => 42),
    directory: async () => emptyDirectory,
    users: async () => new Map(),
    now: () => 0,
    newId: () => `id ${++ids}`,
    checkCalendar: () => [],
  });
  return { api, store };
}

test("until an admin chooses, dates look as the tracker's defaults do", async () => {
  const { api, store } = await open();
  expect(await api.formats()).toEqual(defaultDateFormats);
  store.close();
});

test('what an admin chooses is kept without the blanks around it and outlives the program', async () => {
  const dataDir = temporaryFolder();
  const first = await open(dataDir);
  const blanks = { dateFormat: ' yyyy-MM-dd', dateTimeFormat: `${iso.dateTimeFormat}  ` };
  expect(await first.api.putFormats(admin, blanks)).toEqual(iso);
  first.store.close();
  const second = await open(dataDir);
  expect(await second.api.formats()).toEqual(iso);
  second.store.close();
});

test('only administrators choose', async () => {
  const { api, store } = await open();
  await expect(api.putFormats(bob, iso)).rejects.toMatchObject({
    code: 'not-allowed',
    message: 'Forbidden',
    details: ['Only administrators can change the date formats.'],
  });
  expect(await api.formats()).toEqual(defaultDateFormats);
  store.close();
});

test('wrong patterns are refused by name, both at once, and nothing changes', async () => {
  const { api, store } = await open();
  await api.putFormats(admin, iso);
  const wrong = { dateFormat: 'dd/bb', dateTimeFormat: ' ' };
  await expect(api.putFormats(admin, wrong)).rejects.toMatchObject({
    code: 'bad-request',
    details: [
      expect.stringMatching(/^dateFormat 'dd\/bb' has the unknown letter 'b' at position 4. Try: .*\.$/),
      "dateTimeFormat '' is empty. Try: 1 to 100 characters.",
    ],
  });
  const oneWrong = { ...defaultDateFormats, dateTimeFormat: 'd'.repeat(101) };
  await expect(api.putFormats(admin, oneWrong)).rejects.toMatchObject({
    details: [`dateTimeFormat '${'d'.repeat(60)}…' is 101 characters long. Try: 1 to 100 characters.`],
  });
  expect(await api.formats()).toEqual(iso);
  store.close();
});

test('the client key is made once and stays', async () => {
  const dataDir = temporaryFolder();
  const first = await open(dataDir);
  expect(await first.api.clientKey()).toBe('id 1');
  expect(await first.api.clientKey()).toBe('id 1');
  first.store.close();
  const second = await open(dataDir);
  expect(await second.api.clientKey()).toBe('id 1');
  second.store.close();
});
