import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { commands } from '../../src/cli/commands/index.ts';
import { aDigest } from '../support/a-digest.ts';
import { exportFile, jiraIssue } from '../support/jira-export.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { storedDigests } from '../support/stored-digests.ts';

let dwell: TestDwell;
beforeEach(async () => {
  dwell = await startDwell({ at: '2026-03-18T12:00:00Z' });
});
afterEach(() => dwell.stop());

/** A command's result as a script reads it: one value, and no other line. */
async function jsonOf(...args: string[]) {
  const { lines, code } = await dwell.types(...args, '--json');
  expect(lines).toHaveLength(1);
  return { code, value: JSON.parse(lines[0] ?? '') };
}
const linesOf = async (...args: string[]) => (await dwell.types(...args)).lines;

test('tokens: the columns of the list', async () => {
  await linesOf('token', '--user', 'ada', '--admin', '--expires', '1d');
  await linesOf('token', '--user', 'bob');
  const { value } = await jsonOf('tokens');
  const off = value.find(({ user }: { user: string }) => user === 'bob').id;
  const after = (await jsonOf('tokens', '--off', off)).value;
  expect(after).toContainEqual({
    ...{ id: off, user: 'bob', admin: false, active: false, usable: false },
    ...{ createdAt: '2026-03-18T12:00:00.000Z', expiresAt: '2026-06-16T12:00:00.000Z' },
  });
});

test('token: the token that would be printed, with what the list has of it', async () => {
  const { value } = await jsonOf('token', '--user', 'bob', '--expires', '1d');
  const { token, ...rest } = value;
  const [record] = (await jsonOf('tokens')).value;
  expect(rest).toEqual({ id: record.id, user: 'bob', admin: false, expiresAt: '2026-03-19T12:00:00.000Z' });
  expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())).toMatchObject({
    jti: rest.id,
    sub: 'bob',
  });
});

test('people: the links, and the users that are found', async () => {
  await linesOf('people', '--link', 'U0BOB', '--to', 'bob');
  const bob = { account: 'U0BOB', user: 'bob', name: 'Bob', by: 'command line', token: null, admin: false };
  expect((await jsonOf('people')).value).toEqual({
    tracker: 'sample',
    links: [{ ...bob, since: '2026-03-18T12:00:00.000Z', valid: true }],
  });
  const { value } = await jsonOf('people', '--find', 'nina');
  expect(value).toMatchObject({ tracker: 'sample', users: [{ id: 'nina', name: 'Nina' }], more: 0 });
  const nobody = { tracker: 'sample', users: [], more: 0 };
  expect(await jsonOf('people', '--find', 'nobody-at-all')).toEqual({ code: 1, value: nobody });
});

test('access: the rules, with whom and what the imports know', async () => {
  expect((await jsonOf('access')).value).toEqual({ rules: [], unreadRoles: 0 });
  await linesOf('access', 'NEW', '--to', 'web-team,zed');
  await linesOf('access', '--level', '10700', '--to', 'zed');
  const zed = { id: 'zed', kind: null, name: null };
  const { value } = await jsonOf('access');
  expect(value.rules).toEqual([
    { kind: 'level', id: '10700', hasIssues: null, viewers: [zed] },
    { kind: 'project', id: 'NEW', hasIssues: false, viewers: [{ ...zed, id: 'web-team' }, zed] },
  ]);
});

test('audience: null without a list, else its projects', async () => {
  expect((await jsonOf('audience', 'C0WEB')).value).toEqual({ channel: 'C0WEB', projects: null });
  const { value } = await jsonOf('audience', 'c0web', 'allow', 'WEB', 'APP', '--with-guests');
  const projects = ['APP', 'WEB'].map((key) => ({ key, withGuests: true }));
  expect(value).toEqual({ channel: 'C0WEB', projects });
});

test('delegates: the three lists', async () => {
  const { value } = await jsonOf('delegates', '--view-all', 'ops-team,bob', '--edit-all', 'user:bi-tool');
  expect(value).toEqual({
    tracker: 'sample',
    view: [{ id: 'everyone', kind: null, name: null }],
    viewAll: [
      { id: 'ops-team', kind: 'group', name: 'ops-team', members: 4 },
      { id: 'bob', kind: 'user', name: 'Bob' },
    ],
    editAll: [{ id: 'user:bi-tool', kind: null, name: null }],
  });
});

test('digests: what the lines have', async () => {
  expect((await jsonOf('digests')).value).toEqual([]);
  const store = await openTestStore(dwell.dataDir);
  await storedDigests(store).add(
    aDigest('a', { title: 'Aging', nextDue: Date.parse('2026-03-23T09:00:00Z') }),
  );
  store.close();
  const { value } = await jsonOf('digests');
  expect(value).toEqual([
    {
      ...{ id: 'a', title: 'Aging', owner: 'U1', channel: 'C1', cron: '0 9 * * 1-5', timeZone: 'UTC' },
      ...{ paused: false, nextAt: '2026-03-23T09:00:00.000Z', lastState: null, lastMessage: null },
    },
  ]);
});

test('secrets: the new key, and what was encrypted', async () => {
  const { code, value } = await jsonOf('secrets', 'new-key');
  expect([code, value]).toEqual([0, { newKey: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  const keyed = await startDwell({ environment: { SECRET_KEY: value.newKey } });
  await keyed.types('token', '--user', 'ada');
  const { lines } = await keyed.types('secrets', 'rotate', '--json');
  const rotated = { secrets: 1, rewritten: 0, key: expect.stringMatching(/^[0-9a-f]{8}$/) };
  expect(JSON.parse(lines.join(''))).toEqual(rotated);
  await keyed.stop();
});

test('import: the counts, and what was rejected or unreadable, with the exit code of the text', async () => {
  const { code, value } = await jsonOf(
    'import',
    exportFile([jiraIssue('DEMO-1').onCloud(), { key: 'DEMO-2' }]),
    'nowhere.json',
  );
  expect(code).toBe(1);
  expect(value).toMatchObject({ issues: 1, changes: 0, unchanged: 0, cutHistories: [], sprints: 0 });
  expect(value.rejected).toEqual([{ source: expect.any(String), key: 'DEMO-2', reason: expect.any(String) }]);
  expect(value.unreadable).toEqual([{ source: 'nowhere.json', reason: 'there is no such file' }]);
});

describe('an error', () => {
  const withJson = commands.filter(({ options }) => '--json' in options).map(({ name }) => name);

  test('is the same sentence with --json, and nothing is printed', async () => {
    expect(withJson).toHaveLength(19);
    for (const name of withJson) {
      const args = [name, '--json', '--nonsense'];
      await expect(dwell.types(...args)).rejects.toMatchObject({
        code: 'bad-request',
        details: [expect.stringMatching(/^Unknown option '--nonsense'\. Try: /)],
      });
    }
    await expect(dwell.types('tokens', '--off', 'x', '--json')).rejects.toMatchObject({ code: 'not-found' });
  });
});
