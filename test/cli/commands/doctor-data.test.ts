import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { millisecondsInDay } from 'date-fns/constants';
import { afterEach, expect, test } from '#jest';
import { aDigest } from '../../support/a-digest.ts';
import { inFolder, leftFolder } from '../../support/left-folder.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { contentsOf, examine, folderWithStore } from '../../support/run-doctor.ts';
import { storedDigests } from '../../support/stored-digests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

test('a store of an earlier version is left as it is, and the next start is announced', async () => {
  const folder = leftFolder('dwell-0.8.0.sql', {});
  const before = contentsOf(folder);
  const { of, code } = await examine(folder);
  expect(of('Store')).toEqual([
    expect.stringMatching(
      /^– SQLite \S+, schema 17 of an earlier Dwell: the next start or command upgrades it to \d+; it is over at once\. Copy the database first\.$/,
    ),
  ]);
  for (const check of ['Posting', 'Backups']) expect(of(check)).toEqual(['– not checked: see Store']);
  expect(code).toBe(0);
  expect(contentsOf(folder)).toEqual(before);
  inFolder(folder, (database) => database.exec('PRAGMA user_version = 10'));
  expect((await examine(folder)).of('Store')[0]).toMatch(/it takes some minutes for a million issues/);
});

test.each([
  [
    'of a later version',
    'PRAGMA user_version = 99',
    /^✗ The store was written by a newer Dwell \(schema 99, /,
  ],
  [
    'that was moved',
    `CREATE TABLE store_move (mark TEXT); INSERT INTO store_move VALUES ('{"id":"a","role":"source","isOver":true,"other":"the database dwell","argument":"DATABASE_URL","at":0}')`,
    /^✗ The store in DATA_DIR .* was moved to the database dwell/,
  ],
  [
    'whose secret has another key',
    `INSERT INTO area VALUES ('default', 'secret', 1, 'w'); INSERT INTO document (tenant, kind, id, added, document) VALUES ('default', 'secret', 'token-signing-key', 1, '"sealed:1:0123abcd:AAAA:sealed"')`,
    /^✗ The stored secret 'token-signing-key' is encrypted with the key 0123abcd, but SECRET_KEY is not set/,
  ],
])('a store %s is a problem', async (_, sql, expected) => {
  const folder = await folderWithStore();
  inFolder(folder, (database) => database.exec(sql));
  const { of, code } = await examine(folder);
  expect(of('Store').at(-1)).toMatch(expected);
  expect(code).toBe(1);
});

test('a file that is no database, and a damaged one, which only --thorough finds', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'dwell.db'), 'This is no database. '.repeat(100));
  expect((await examine(folder)).of('Store')).toEqual([
    expect.stringMatching(/^✗ The store in DATA_DIR .* file is not a database\.$/),
  ]);

  const whole = await folderWithStore();
  const thorough = { args: ['--thorough'] };
  expect((await examine(whole)).of('Integrity')).toEqual([]);
  expect((await examine(whole, {}, thorough)).of('Integrity')).toEqual([
    '✓ the whole database was read, and nothing is damaged',
  ]);
  const file = join(whole, 'dwell.db');
  const bytes = readFileSync(file);
  bytes.fill(0xff, bytes.length - 4096, bytes.length);
  writeFileSync(file, bytes);
  const { of, code } = await examine(whole, {}, thorough);
  expect(of('Integrity')).toEqual([
    expect.stringMatching(/^✗ the database is damaged: .* Stop Dwell, and restore a backup\.$/),
  ]);
  expect(code).toBe(1);
});

test('backups that are missing, old or not verified are warnings once there is data to lose', async () => {
  const folder = await folderWithStore();
  const at = Date.now();
  const backupsAt = async (now: number) => (await examine(folder, {}, { now: () => now })).of('Backups');
  expect(await backupsAt(at)).toEqual(['– none yet, and the data is new']);
  const cure = 'Run `npx dwell backup FILE`, every day.';
  expect(await backupsAt(at + 2 * millisecondsInDay)).toEqual([`! there is none yet. ${cure}`]);
  const store = await openTestStore(folder);
  open.push(() => store.close());
  const backup = { at, file: '/backups/a.db', bytes: 950, verified: false };
  await store.facts.change('backup', () => JSON.stringify(backup));
  expect(await backupsAt(at)).toEqual([
    `! the last one is /backups/a.db (950 bytes), just now, and was not verified. ${cure}`,
  ]);
  await store.facts.change('backup', () => JSON.stringify({ ...backup, verified: true }));
  expect(await backupsAt(at + 8 * millisecondsInDay)).toEqual([
    `! the last one is /backups/a.db (950 bytes), 8 days ago. ${cure}`,
  ]);
});

test('a restored database whose digests are paused is a warning that names the command', async () => {
  const folder = await folderWithStore();
  const store = await openTestStore(folder);
  await storedDigests(store).add(aDigest('a'));
  await store.close();
  expect((await examine(folder)).of('Posting')).toEqual(['✓ not paused (digests: 1, watches: 0)']);
  mkdirSync(join(folder, 'tenants/default'), { recursive: true });
  writeFileSync(join(folder, 'tenants/default/stamp'), 'of-another-database');
  const { of, code } = await examine(folder);
  expect(of('Posting')).toEqual([
    expect.stringMatching(/^! Digests and alerts are paused: .*npx dwell resume\.$/),
  ]);
  expect(code).toBe(0);
});

test('another Node than the one that Dwell is tested with', async () => {
  const folder = temporaryFolder();
  const nodeOf = async (version: string) => {
    const node = { version, file: '/usr/bin/node' };
    return (await examine(folder, {}, { node })).of('Node');
  };
  expect((await examine(folder)).of('Node')).toEqual([`✓ ${process.versions.node} (the project's own)`]);
  expect(await nodeOf(process.versions.node)).toEqual([`✓ ${process.versions.node} (/usr/bin/node)`]);
  expect(await nodeOf('24.0.1')).toEqual([
    expect.stringMatching(/^– 24\.0\.1 \(\/usr\/bin\/node\); Dwell is tested with 24\./),
  ]);
  expect(await nodeOf('99.0.0')).toEqual([expect.stringMatching(/^! 99\.0\.0 .* Run npm ci in /)]);
});

test('a DATA_DIR that is a file, and one that others can write to', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  const file = await examine(join(folder, 'file'));
  expect(file.of('Disk')[0]).toMatch(
    /^✗ \S+\/file is a file, so DATA_DIR cannot be there\. Set DATA_DIR to another folder\.$/,
  );
  expect(file.code).toBe(1);
  mkdirSync(join(folder, 'shared'));
  chmodSync(join(folder, 'shared'), 0o777);
  expect((await examine(join(folder, 'shared'))).of('Disk')[0]).toMatch(
    /^! other users can write to \S+\. Run chmod 700/,
  );
});

test('a database with another owner than its folder', async () => {
  const folder = await folderWithStore();
  const database = join(folder, 'dwell.db');
  const own = statSync(folder).uid;
  // Only root gives files away; a file of root is another user's to everyone else.
  if (own === 0) chownSync(database, 1234, 1234);
  else {
    rmSync(database);
    symlinkSync('/etc/passwd', database);
  }
  expect((await examine(folder)).of('Disk')[0]).toBe(
    `! ${database} belongs to user ${own === 0 ? 1234 : 0}, and its folder to user ${own}. Run chown --reference=${folder} ${database}*.`,
  );
});
