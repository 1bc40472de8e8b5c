import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from '#jest';
import { defaultTenant } from '../../../src/model/request.ts';
import { loadStore } from '../../../src/store/open-store.ts';
import { readSecretKeys } from '../../../src/store/sealed-secrets.ts';
import { openEngine } from '../../../src/store/sqlite/open-engine.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { inFolder, leftFolder } from '../../support/left-folder.ts';
import { checksums, filledFolder, left, SECRET_KEY, types } from '../../support/moved-stores.ts';
import { databaseOf, withDatabase } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const secretKeys = readSecretKeys(SECRET_KEY, []);

let [from, to, url] = ['', '', ''];
beforeEach(async () => {
  from = await filledFolder();
  to = temporaryFolder();
  url = await databaseOf(to);
});

const move = (...args: string[]) => types({ DATA_DIR: to, DATABASE_URL: url }, 'store', 'move', ...args);

const openDatabaseStore = async (databaseUrl = url) =>
  (await loadStore({ dataDir: to, databaseUrl, secretKeys }))({ now: () => 0 });

/** Opens and closes a store, as every process of Dwell does. */
async function open(databaseUrl: string | null, dataDir = to): Promise<void> {
  const opened = await (await loadStore({ dataDir, databaseUrl, secretKeys }))({ now: () => 0 });
  await opened.close();
}

/** The only thing that was printed is that sentence. */
const refusal = (err: RegExp) => ({ out: '', err: expect.stringMatching(err), code: 1 });

const isMarked = (dataDir: string) =>
  inFolder(dataDir, (database) =>
    database.prepare("SELECT count(*) AS count FROM sqlite_master WHERE name LIKE 'store_move%'").get(),
  )?.count !== 0;

test.each([
  [[], /^FROM and TO are required\. Try: store move FROM TO\.\n$/],
  [['./data'], /^FROM and TO are required\./],
  [['./data', './other'], /^FROM and TO are both a folder\. Try: a folder and a database\.\n$/],
  [['./none', 'DATABASE_URL'], /^There is no store in '.*none': it has no file dwell\.db\.\n$/],
  [['DATABASE_URL', './new', 'more'], /^Unexpected argument 'more'\. /],
  [
    ['postgres://127.0.0.1:1/dwell', './new'],
    /^The database in DATABASE_URL cannot be opened: no PostgreSQL answers at 127\.0\.0\.1:1\./,
  ],
  [
    ['./new', 'postgres://dwell:pw@127.0.0.1:1/dwell?sslmode=on'],
    /^The address of the database is not valid\. Its option sslmode is 'on'\. Try: verify-full, /,
  ],
  [['./new', 'mysql://127.0.0.1/dwell'], /^'mysql:' is not the address of a store\. Try: postgres:/],
])('%j is refused in a sentence', async (args, sentence) => {
  expect(await move(...args)).toEqual(refusal(sentence));
});

test('the word DATABASE_URL needs the setting', async () => {
  expect(await types({ DATA_DIR: to }, 'store', 'move', from, 'DATABASE_URL')).toEqual(
    refusal(/^DATABASE_URL is not set\. /),
  );
  expect((await types({ DATA_DIR: to }, 'store', 'copy', from, url)).err).toMatch(/^'copy' is not known\./);
});

test('a database without tables has no store, and gets none', async () => {
  const name = 'without_tables';
  const server = process.env.POSTGRES_SERVER ?? '';
  await withDatabase(`${server}/postgres`, (client) => client.query(`CREATE DATABASE ${name}`));
  expect(await move(`${server}/${name}`, join(to, 'new'))).toEqual(
    refusal(/^There is no store in the database/),
  );
  expect(existsSync(join(to, 'new'))).toBe(false);
});

test('secrets that are not encrypted stay where they are', async () => {
  const plain = leftFolder('dwell-0.8.0.sql', left.files);
  await open(null, plain);
  expect(await move(plain, 'DATABASE_URL')).toEqual(
    refusal(/^FROM has 2 secrets that are not encrypted, .* run npx dwell secrets rotate /),
  );
  inFolder(plain, (database) =>
    database.exec("DELETE FROM document WHERE kind = 'secret' AND id <> 'token-signing-key'"),
  );
  expect(await move(plain, 'DATABASE_URL')).toEqual(refusal(/^FROM has 1 secret that is not encrypted, /));
  expect(isMarked(plain)).toBe(false);
  const store = await openSqliteStore(plain, { secretKeys });
  await store.rotateSecrets();
  await store.close();
  expect((await move(plain, 'DATABASE_URL')).code).toBe(0);
});

test('a store that is not empty is not filled', async () => {
  const other = await filledFolder();
  expect((await move(from, 'DATABASE_URL')).code).toBe(0);
  const notEmpty =
    /^TO is not empty: a Dwell ran on it, .* \(its table 'area' has rows\)\. Try: a new \w+\.\n$/;
  expect(await move(other, 'DATABASE_URL')).toEqual(refusal(notEmpty));
  expect(await move('DATABASE_URL', other)).toEqual(refusal(notEmpty));
  expect(isMarked(other)).toBe(false);
  await open(null, other);
  await open(url);
});

test('a restored database, whose digests are paused, is not moved before it is known which one posts', async () => {
  inFolder(from, (database) =>
    database.exec("UPDATE document SET document = '[\"another\"]' WHERE kind = 'stamp'"),
  );
  expect(await move(from, 'DATABASE_URL')).toEqual(refusal(/^Digests and alerts are paused in FROM/));
});

test('a text that PostgreSQL cannot store is named', async () => {
  inFolder(from, (database) =>
    database
      .prepare("UPDATE document SET name = 'odd' || char(0) WHERE kind = 'calendar' AND id = '101'")
      .run(),
  );
  const { err, code } = await move(from, 'DATABASE_URL');
  expect([err, code]).toEqual([expect.stringMatching(/^A row cannot be moved: .* character of code 0/), 1]);
  expect(err).toContain("'name' of table 'document'");
  expect(err).toContain("tenant 'default', kind 'calendar', id '101'");
});

test('a folder that is in use is not moved, nor a database, and neither is filled', async () => {
  const store = await openSqliteStore(from, { secretKeys });
  expect(await move(from, 'DATABASE_URL')).toEqual(
    refusal(/^The store in DATA_DIR .* is in use\. Stop Dwell /),
  );
  await store.close();
  const opened = await openDatabaseStore();
  await opened.forTenant(defaultTenant).tokens.list();
  expect(await move(from, 'DATABASE_URL')).toEqual(
    refusal(/^The store in DATABASE_URL is in use\. Stop every Dwell /),
  );
  await opened.close();
  expect(isMarked(from)).toBe(false);
  expect((await move(from, 'DATABASE_URL')).code).toBe(0);
});

describe('once it was moved', () => {
  test('a folder is not used any more, until that is undone', async () => {
    expect((await move(from, 'DATABASE_URL')).code).toBe(0);
    const moved =
      /was moved to the database \w+ on 127\.0\.0\.1:\d+ at \S+ \S+ UTC\. Use that one, or use this one again: npx dwell store move \S+ --force\.\n?$/;
    await expect(open(null, from)).rejects.toThrow(moved);
    expect(await move(from, 'DATABASE_URL')).toEqual(refusal(moved));
    expect(await move('DATABASE_URL', from)).toEqual(refusal(/^TO was moved to the database/));
    const undone = await move(from, '--force');
    expect([undone.code, undone.out]).toEqual([
      0,
      expect.stringMatching(/can be used again\. Don't use the database/),
    ]);
    const store = await openSqliteStore(from, { secretKeys });
    await store.forTenant(defaultTenant).facts.change('client-key', () => 'other');
    await store.close();
    expect(await move(from, '--force')).toEqual(refusal(/was not moved: there is nothing to undo\.\n$/));
  });

  test('a database says so without its password, and can be moved again with --force', async () => {
    expect((await move(from, 'DATABASE_URL')).code).toBe(0);
    const before = await checksums(url);
    const back = join(temporaryFolder(), 'back');
    const withPassword = url.replace('dwell@', 'dwell:s3cr3t@');
    const ended = await types(
      { DATA_DIR: to, DATABASE_URL: withPassword },
      'store',
      'move',
      'DATABASE_URL',
      back,
    );
    expect([ended.code, ended.out]).toEqual([0, expect.not.stringContaining('s3cr3t')]);
    const refused = /^The store in DATABASE_URL was moved to the folder [^@]*DATABASE_URL --force\.$/;
    await expect(open(withPassword)).rejects.toThrow(refused);
    const again = join(temporaryFolder(), 'again');
    expect((await move('DATABASE_URL', again)).err).toMatch(/^FROM was moved to the folder/);
    expect((await move('DATABASE_URL', again, '--force')).code).toBe(0);
    expect(await checksums(again)).toEqual(before);
  });

  test('a process that still runs on a database reads, and writes nothing', async () => {
    expect((await move(from, 'DATABASE_URL')).code).toBe(0);
    // As its connections show when the database is behind a pool that names them otherwise.
    const running = await openDatabaseStore(`${url}?application_name=pooled`);
    const store = running.forTenant(defaultTenant);
    expect((await move('DATABASE_URL', join(temporaryFolder(), 'back'))).code).toBe(0);
    expect(await store.facts.get('client-key')).not.toBeNull();
    const moved = {
      reason: 'store-unavailable',
      message: expect.stringMatching(/^The store in DATABASE_URL was moved to/),
    };
    await expect(store.facts.change('client-key', () => 'other')).rejects.toMatchObject(moved);
    await expect(store.periods.change({}, (put) => ({ put }))).rejects.toMatchObject(moved);
    await expect(store.issues('file').putUsers([{ id: 'x', name: 'X' }])).rejects.toMatchObject(moved);
    expect(await running.writeProblem()).toBe('a database that can be written to');
    expect((await move('DATABASE_URL', '--force')).code).toBe(0);
    await store.facts.change('client-key', () => 'other');
    expect(await store.facts.get('client-key')).toBe('other');
    await running.close();
  });

  test('nor does one of a version that knows nothing of moves, on a folder', async () => {
    expect((await move(from, 'DATABASE_URL')).code).toBe(0);
    const file = join(from, 'dwell.db');
    const engine = openEngine(new DatabaseSync(file), { file, isReplaced: () => false });
    const row = { tenant: 'default', kind: 'fact', id: 'x', added: 1, name: null, document: '1' };
    const moved = { message: expect.stringMatching(/^The store in DATA_DIR .* was moved to the database/) };
    await expect(
      engine.write(({ db }) => db.insertInto('document').values(row).execute()),
    ).rejects.toMatchObject(moved);
    await expect(
      engine.write(({ db }) => db.updateTable('work').set({ served: 9 }).execute()),
    ).rejects.toMatchObject(moved);
    await expect(engine.write(({ db }) => db.deleteFrom('area').execute())).rejects.toMatchObject(moved);
    engine.close();
  });
});
