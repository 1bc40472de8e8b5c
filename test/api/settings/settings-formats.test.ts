import { afterEach, expect, test } from '#jest';
import { defaultDateFormats } from '../../../src/model/settings.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { closeSettings, openSettings } from './open-settings.ts';

afterEach(closeSettings);

const admin = principalOf('ada', 'admin');
const bob = principalOf('bob');
const iso = { dateFormat: 'yyyy-MM-dd', dateTimeFormat: "yyyy-MM-dd'T'HH:mm" };

test("until an admin chooses, dates look as the tracker's defaults do", async () => {
  const { api } = await openSettings();
  expect(await api.formats()).toEqual(defaultDateFormats);
});

test('what an admin chooses is kept without the blanks around it and outlives the program', async () => {
  const dataDir = temporaryFolder();
  const first = await openSettings({ dataDir });
  const blanks = { dateFormat: ' yyyy-MM-dd', dateTimeFormat: `${iso.dateTimeFormat}  ` };
  expect(await first.api.putFormats(admin, blanks)).toEqual(iso);
  first.close();
  const second = await openSettings({ dataDir });
  expect(await second.api.formats()).toEqual(iso);
});

test('only administrators choose', async () => {
  const { api } = await openSettings();
  await expect(api.putFormats(bob, iso)).rejects.toMatchObject({
    code: 'not-allowed',
    message: 'Forbidden',
    details: ['Only administrators can change the date formats.'],
  });
  expect(await api.formats()).toEqual(defaultDateFormats);
});

test('wrong patterns are refused by name, both at once, and nothing changes', async () => {
  const { api } = await openSettings();
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
});

test('the client key is made once and stays', async () => {
  const dataDir = temporaryFolder();
  const first = await openSettings({ dataDir });
  expect(await first.api.clientKey()).toBe('id 1');
  expect(await first.api.clientKey()).toBe('id 1');
  first.close();
  const second = await openSettings({ dataDir });
  expect(await second.api.clientKey()).toBe('id 1');
});
