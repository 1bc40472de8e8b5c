import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from '#jest';
import { runProcess } from '../../support/run-process.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const [first, second] = ['0a', '1b'].map((byte) => byte.repeat(32)) as [string, string];

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

/** Runs a command of a process of its own, with settings. */
const run = (environment: Readonly<Record<string, string>>, ...args: string[]) =>
  runProcess([main, ...args], { DATA_DIR: dataDir, TIME_ZONE: 'UTC', PORT: '0', ...environment }).ended;

const statusesAs = async (dwell: TestDwell, token: string) =>
  (await dwell.get('/rest/statuses', {}, { Authorization: `TISJWT ${token}` })).status;

test('new-key needs neither settings nor a store, and prints a key alone', async () => {
  const database = { DATABASE_URL: 'postgres://dwell:p4ssw0rd@127.0.0.1:1/dwell' };
  const made = await run({ ...database, PORT: 'none' }, 'dwell', 'secrets', 'new-key');
  expect(made).toMatchObject({ err: '', code: 0, out: expect.stringMatching(/^[0-9a-f]{64}\n$/) });
  expect(existsSync(join(dataDir, 'dwell.db'))).toBe(false);
});

test('a token of before there was a key works after rotate, and with the next key, and each key is needed', async () => {
  const before = await startDwell({ dataDir });
  const token = (await before.types('token', '--user', 'ada')).lines[0] ?? '';
  await before.stop();

  const keyed = await startDwell({ dataDir, environment: { SECRET_KEY: first } });
  expect(await statusesAs(keyed, token)).toBe(200);
  const { lines, code } = await keyed.types('secrets', 'rotate');
  expect([lines[0], code]).toEqual(['Encrypted again: 1 of 1 secrets.', 0]);
  expect(await statusesAs(keyed, token)).toBe(200);
  await keyed.stop();

  const [, key] = /with the key ([0-9a-f]{8})\.$/.exec(lines[1] ?? '') ?? [];
  const forgotten = await run({}, 'dwell', 'tokens');
  expect(forgotten).toMatchObject({
    out: '',
    err: `The stored secret 'token-signing-key' is encrypted with the key ${key}, but SECRET_KEY is not set. Set SECRET_KEY to that key.\n`,
    code: 1,
  });
  const other = startDwell({ dataDir, environment: { SECRET_KEY: second } });
  await expect(other).rejects.toThrow(/Check SECRET_KEY, or set SECRET_KEY_OLD to that key\.$/);

  const both = { SECRET_KEY: second, SECRET_KEY_OLD: first };
  const next = await startDwell({ dataDir, environment: both });
  const header = await next.headerOf('bob');
  const beside = await startDwell({ dataDir, environment: both });
  const rotated = await beside.types('secrets', 'rotate', '--json');
  expect(JSON.parse(rotated.lines.join(''))).toEqual({ secrets: 1, rewritten: 1, key: expect.anything() });
  await beside.stop();
  expect(await statusesAs(next, token)).toBe(200);
  await next.stop();
  const last = await startDwell({ dataDir, environment: { SECRET_KEY: second } });
  expect(await statusesAs(last, token)).toBe(200);
  expect((await last.get('/rest/statuses', {}, header)).status).toBe(200);
  await last.stop();
});

test.each([
  [['secrets'], 'What to do is missing. Try: secrets new-key, secrets rotate.'],
  [['secrets', 'rotat'], "'rotat' is not known. Try: new-key, rotate, rotate-signing-key."],
  [
    ['secrets', 'new-key', 'now'],
    "Unexpected argument 'now'. Try: secrets new-key | rotate | rotate-signing-key [--keep TIME | --revoke].",
  ],
])('%j is refused in one sentence', async (args, detail) => {
  const dwell = await startDwell({ dataDir });
  await expect(dwell.types(...args)).rejects.toMatchObject({ code: 'bad-request', details: [detail] });
  await dwell.stop();
});

test('rotate without a key says how to make one', async () => {
  const dwell = await startDwell({ dataDir });
  await expect(dwell.types('secrets', 'rotate')).rejects.toThrow(
    'SECRET_KEY is not set, so secrets are not encrypted. Make a key: npx dwell secrets new-key.',
  );
  await dwell.stop();
});
