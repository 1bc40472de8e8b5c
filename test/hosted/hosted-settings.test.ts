import { describe, expect, test } from '#jest';
import { createHostedSettings } from '../../src/hosted/create-hosted-settings.ts';
import type { User } from '../../src/model/issue.ts';
import { principalOf } from '../support/principal-of.ts';
import { json, startTis, type TisAnswer } from './start-tis.ts';

const set = (id: string, ownerId: string, isPublic: boolean) => ({
  id,
  name: `Set ${id}`,
  ownerId,
  public: isPublic,
  parameters: {},
});
const sets = [set('1', 'ada', false), set('2', 'bob', false), set('3', 'bob', true)];

const service: TisAnswer = (response, call) => {
  const found = sets.find(({ id }) => call.path.endsWith(`/${id}`));
  if (call.method === 'DELETE') return void response.writeHead(204).end();
  if (call.method !== 'GET') {
    return json({ ...sets[0], ...JSON.parse(call.body) })(response, call);
  }
  return json(found ?? { total: sets.length, parameterSets: sets })(response, call);
};

const ada = principalOf('ada');
const admin = principalOf('root', 'admin');
const stranger = principalOf('U0ZOE', 'stranger');
const known = new Map<string, User>(['ada', 'bob', 'root'].map((id) => [id, { id, name: id }]));
const report = { reportType: 'statusCount', look: { viewFormat: 'hours' } } as const;
const parameters = { reportType: 'statusCount', viewFormat: 'hours' };
const named = { name: 'Mine', public: false, ownerId: null };
const input = { ...named, report };
const calendar = { name: 'Office', timeZone: 'UTC', workingTimes: [], holidays: [] };

const clientKey = async () => 'key';

async function start() {
  const { client, calls } = await startTis(service);
  const settings = createHostedSettings(client, { clientKey }, async () => known);
  return { settings, sent: () => calls.filter(({ method }) => method !== 'GET') };
}

describe('settings of a service elsewhere, which is asked as the user of the token', () => {
  test('calendars and formats are changed by admins alone', async () => {
    const { settings, sent } = await start();
    const formats = { dateFormat: 'yyyy', dateTimeFormat: 'yyyy' };
    for (const change of [
      () => settings.createCalendar(ada, calendar),
      () => settings.updateCalendar(ada, 7, calendar),
      () => settings.putFormats(ada, formats),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: 'not-allowed' });
    }
    expect(sent()).toEqual([]);
    await settings.putFormats(admin, formats).catch(() => null);
    expect(sent()).toHaveLength(1);
  });

  test('parameter sets are read by their owner, and by others where they are public', async () => {
    const { settings } = await start();
    const idsFor = async (principal: typeof ada) =>
      (await settings.parameterSets(principal)).map(({ id }) => id);
    expect(await idsFor(ada)).toEqual(['1', '3']);
    expect(await idsFor(admin)).toEqual(['1', '2', '3']);
    await expect(settings.parameterSet(ada, '2')).rejects.toMatchObject({ code: 'not-found' });
    expect(await settings.parameterSet(admin, '2')).toMatchObject({ ownerId: 'bob' });
  });

  test('they are changed by their owner and by admins', async () => {
    const { settings, sent } = await start();
    await expect(settings.updateParameterSet(ada, '3', { name: 'New' })).rejects.toMatchObject({
      code: 'not-allowed',
    });
    await expect(settings.updateParameterSet(ada, '2', { name: 'New' })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(settings.updateParameterSet(ada, '1', { ownerId: 'bob' })).rejects.toMatchObject({
      code: 'not-allowed',
    });
    expect(sent()).toEqual([]);
    await settings.updateParameterSet(ada, '1', { name: 'New' });
    expect(sent().map(({ method, body }) => [method, body])).toEqual([['PUT', '{"name":"New"}']]);
  });

  test('they are deleted by the same, where the service deletes any', async () => {
    const { settings, sent } = await start();
    await expect(settings.deleteParameterSet(ada, '3')).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(settings.deleteParameterSet(ada, '2')).rejects.toMatchObject({ code: 'not-found' });
    expect(sent()).toEqual([]);
    await settings.deleteParameterSet(ada, '1');
    expect(sent().map(({ method, path }) => [method, path])).toEqual([['DELETE', '/rest/reportSettings/1']]);
    const { client } = await startTis((response, call) =>
      call.method === 'DELETE' ? void response.writeHead(405).end() : service(response, call),
    );
    const without = createHostedSettings(client, { clientKey }, async () => known);
    await expect(without.deleteParameterSet(ada, '1')).rejects.toMatchObject({
      reason: 'unsupported-by-service',
      message: expect.stringContaining('does not delete parameter sets'),
    });
  });

  test('what is saved belongs to who saves it, who is a user of the tracker', async () => {
    const { settings, sent } = await start();
    await settings.createParameterSet(ada, input);
    expect(JSON.parse(sent()[0]?.body ?? '')).toEqual({ ...named, ownerId: 'ada', parameters });
    await expect(settings.createParameterSet(ada, { ...input, ownerId: 'bob' })).rejects.toMatchObject({
      code: 'not-allowed',
    });
    await expect(settings.createParameterSet(stranger, input)).rejects.toMatchObject({ code: 'not-allowed' });
  });
});
