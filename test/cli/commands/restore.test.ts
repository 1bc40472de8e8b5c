import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, describe, expect, test } from '#jest';
import { auditText } from '../../../src/output/audit-text.ts';
import { SCHEMA_VERSION } from '../../../src/store/sqlite/open-database.ts';
import { stampsOf } from '../../../src/store/stamps.ts';
import { aDigest } from '../../support/a-digest.ts';
import { aWatch } from '../../support/a-watch.ts';
import { inFolder, leftFolder } from '../../support/left-folder.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { typesRestore } from '../../support/restore-command.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { storedDigests } from '../../support/stored-digests.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AT = '2026-11-30T06:00:12Z';
const paused = (command: string) =>
  `Digests and alerts are paused, because the original may still post them. Once it doesn't, resume them: ${command}.`;

const revoked =
  'Tokens turned off, and signing keys revoked, since the copy was made work again. Turn such tokens off: npx dwell tokens --off ID. If a key has leaked, revoke it again: npx dwell secrets rotate-signing-key --revoke.';

const original = suiteDwell({ at: AT });
let copy: string;
/** The words of the areas of the original, by area. */
let words: readonly unknown[];
beforeAll(async () => {
  const store = await openTestStore(original.dataDir);
  await storedDigests(store).add(aDigest('weekly', { title: 'Weekly WEB' }));
  const watch = aWatch('stuck');
  await store.watches.change(watch.id, () => watch);
  await store.stamps.change('columns', () => ['of columns']);
  store.close();
  await original.types('people', '--link', 'U0BOB', '--to', 'bob');
  await original.as('ada', { admin: true }).postJson('/rest/calendars', {
    ...{ name: 'Office', timeZone: 'UTC', holidays: [] },
    workingTimes: [{ weekday: 'MONDAY', start: 0, end: 3_600_000 }],
  });
  copy = join(temporaryFolder(), 'copy.db');
  await original.types('backup', copy);
  words = inFolder(original.dataDir, wordsOf);
});

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'restored');
});

const wordsOf = (database: DatabaseSync) =>
  database
    .prepare('SELECT word FROM area')
    .all()
    .map(({ word }) => word);

/** Types the command for the folder as DATA_DIR. */
const restores = (...args: string[]) => typesRestore({ DATA_DIR: folder }, AT, ...args);

describe('a restored database', () => {
  test('has tokens and the key that signs them, links, digests, watches and calendars; it is paused', async () => {
    const { lines, code } = await restores(copy);
    expect([lines, code]).toEqual([
      [
        expect.stringMatching(/copy\.db is the database in \S+restored now \([\d,]+ kB\)\.$/),
        revoked,
        paused('npx dwell resume'),
      ],
      0,
    ]);
    expect([readdirSync(folder), (statSync(join(folder, 'dwell.db')).mode & 0o777).toString(8)]).toEqual([
      ['dwell.db'],
      '600',
    ]);
    const restored = await startDwell({ dataDir: folder, at: AT });
    expect(restored.isPaused).toBe(true);
    const token = await original.headerOf('ada', { admin: true });
    const calendars = await restored.get('/rest/calendars', {}, token);
    expect(calendars.json.map(({ name }: { name: string }) => name)).toContain('Office');
    for (const command of ['people', 'digests', 'tokens'])
      expect(await restored.types(command, '--json')).toEqual(await original.types(command, '--json'));
    const store = await openTestStore(folder);
    expect((await store.watches.list()).map(({ id }) => id)).toEqual(['stuck']);
    store.close();
    expect((await restored.types('resume')).lines).toEqual([
      'Digests and alerts are posted again. What was due before now is left out.',
    ]);
    await restored.stop();
  });

  test('of a file that was copied by hand has another origin of revisions, and knows no stamp of before', async () => {
    const byHand = join(temporaryFolder(), 'by-hand.db');
    for (const end of ['', '-wal']) copyFileSync(join(original.dataDir, `dwell.db${end}`), `${byHand}${end}`);
    await restores(byHand);
    const others = inFolder(folder, wordsOf);
    expect(others).toHaveLength(words.length);
    expect(others.filter((word) => words.includes(word))).toEqual([]);
    const store = await openTestStore(folder);
    const stamps = await Promise.all(['folder', 'columns'].map((name) => stampsOf(store.stamps, name)));
    store.close();
    expect(new Set(stamps.flat()).size).toBe(1);
    expect(stamps.flat()).not.toContain('of columns');
  });

  test('of an earlier version is upgraded before it takes the place of another one', async () => {
    const older = join(leftFolder('dwell-0.8.0.sql', {}), 'dwell.db');
    await restores(older);
    const version = inFolder(folder, (database) => database.prepare('PRAGMA user_version').get());
    expect(version).toEqual({ user_version: SCHEMA_VERSION });
  });

  test('posts at once where the original is gone', async () => {
    expect((await restores(copy, '--resume')).lines.at(-1)).toBe(
      'Digests and alerts are posted again. What was due before now is left out.',
    );
    const restored = await startDwell({ dataDir: folder, at: AT });
    expect(restored.isPaused).toBe(false);
    await restored.stop();
  });
});

test('a restore is in the audit log of the database that it restores, after what the copy has', async () => {
  const inFolderOfBackups = join(temporaryFolder(), 'dwell-2026-11-30T0559Z.db');
  copyFileSync(copy, inFolderOfBackups);
  await restores(copy);
  const entriesIn = async () => {
    const store = await openTestStore(folder);
    const entries = await store.audit.list({}, 999);
    await store.close();
    return entries;
  };
  const common = { at: Date.parse(AT), actor: 'operator', via: 'cli', action: 'database.restored' };
  const [first] = (await entriesIn()).slice(-1);
  expect(first).toMatchObject({ ...common, facts: { name: 'copy.db', copiedAt: null, replaced: false } });
  await restores(inFolderOfBackups, '--replace');
  const [, ...entries] = await entriesIn();
  const last = entries.at(-1);
  expect(entries.filter(({ action }) => action === 'database.restored')).toHaveLength(1);
  expect(last).toMatchObject({ ...common, subject: 'dwell.db' });
  expect(last && auditText(last, (account) => account)).toBe(
    'operator (command line) restored the database from dwell-2026-11-30T0559Z.db (copied at 2026-11-30 05:59, replaced)',
  );
});

describe('a database that is there', () => {
  test('stays unless it is to be replaced, and is found in a folder of its own then', async () => {
    await restores(copy);
    const store = await openTestStore(folder);
    await store.facts.change('mine', () => 'former');
    await store.close();
    await expect(restores(copy)).rejects.toMatchObject({
      reason: 'in-use',
      details: [
        `There is a database in '${folder}' already. Try: --replace, which moves it aside, or --to another folder.`,
      ],
    });
    const { lines } = await restores(copy, '--replace', '--json');
    const replaced = join(folder, 'replaced-2026-11-30T060012Z');
    const { bytes, ...summary } = JSON.parse(lines.join(''));
    expect(bytes).toBe(statSync(join(folder, 'dwell.db')).size);
    expect(summary).toEqual({ file: copy, folder, replaced, paused: true, warning: revoked });
    const mineIn = async (dataDir: string) => {
      const opened = await openTestStore(dataDir);
      const mine = await opened.facts.get('mine');
      await opened.close();
      return mine;
    };
    expect([await mineIn(folder), await mineIn(replaced)]).toEqual([null, 'former']);
  });

  test('elsewhere, to which the folder has a link, stays as it is', async () => {
    mkdirSync(folder);
    const database = join(folder, 'dwell.db');
    symlinkSync(copy, database);
    await expect(restores(copy, '--replace')).rejects.toMatchObject({
      details: [
        `'dwell.db' in '${folder}' is a symbolic link. Try: the file itself in its place, or --to the folder in which it is.`,
      ],
    });
    expect([readdirSync(folder), readlinkSync(database)]).toEqual([['dwell.db'], copy]);
  });

  test('that SQLite cannot read is moved aside as it is', async () => {
    mkdirSync(folder);
    const damaged = 'no database any more '.repeat(500);
    writeFileSync(join(folder, 'dwell.db'), damaged);
    expect((await restores(copy, '--replace')).code).toBe(0);
    expect(readFileSync(join(folder, 'replaced-2026-11-30T060012Z', 'dwell.db'), 'utf8')).toBe(damaged);
  });

  test('stays while a Dwell runs on it', async () => {
    const running = await startDwell({ dataDir: folder, at: AT });
    const before = statSync(join(folder, 'dwell.db')).ino;
    await expect(restores(copy, '--replace')).rejects.toMatchObject({
      reason: 'in-use',
      message: `The store in DATA_DIR '${folder}' is in use. Stop Dwell and every command on it, then try again.`,
    });
    expect(statSync(join(folder, 'dwell.db')).ino).toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('re'))).toEqual([]);
    await running.stop();
  });
});

describe('what is refused leaves the folder as it was:', () => {
  /** A copy with a change. */
  const changed = (change: string) => {
    const file = join(temporaryFolder(), 'changed.db');
    copyFileSync(copy, file);
    const database = new DatabaseSync(file);
    database.exec(change);
    database.close();
    return file;
  };

  const sealed = `UPDATE document SET document = '"sealed:1:0123abcd:AAAA:sealed"' WHERE kind = 'secret'`;
  const cases = {
    'a file that is not there': [
      () => join(temporaryFolder(), 'none.db'),
      /none\.db' is not a file\. Try: a backup/,
    ],
    'what is no database': [
      () => {
        const letter = join(temporaryFolder(), 'letter.db');
        writeFileSync(letter, 'a letter to a friend, long enough to be read. '.repeat(100));
        return letter;
      },
      /letter\.db' is not a usable copy of a database: file is not a database\.$/,
    ],
    'a database of another program': [
      () => changed('PRAGMA user_version = 0'),
      /changed\.db' is a database, but not one of Dwell\.$/,
    ],
    'a copy that was cut': [
      () => {
        const file = changed('SELECT 1');
        truncateSync(file, statSync(file).size - 8192);
        return file;
      },
      /changed\.db' is not a usable copy of a database: /,
    ],
    'a newer version': [
      () => changed(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`),
      /is of a newer Dwell \(schema \d+, this one knows \d+\)\. Try: the version that made it\.$/,
    ],
    'a store that was moved': [
      () => changed("CREATE TABLE store_move (mark text); INSERT INTO store_move VALUES ('{}')"),
      /is of a store that was being moved to another one\. Try: the other store/,
    ],
    'a copy with code of its own, which would run in Dwell': [
      () => changed('CREATE TRIGGER added AFTER INSERT ON document BEGIN DELETE FROM document; END'),
      /changed\.db' has a trigger named 'added', which no Dwell has made\. Try: a copy that nothing else has written to\.$/,
    ],
    'secrets of another key': [
      () => changed(sealed),
      /^The stored secret '[\w-]+' is encrypted with the key 0123abcd, but SECRET_KEY is not set\./,
    ],
  } as const;

  test.each(Object.entries(cases))('%s', async (_, [makeFile, sentence]) => {
    const failure = await restores(makeFile()).catch((error) => error);
    expect([failure.message, ...failure.details].at(-1)).toMatch(sentence);
    expect(existsSync(join(folder, 'dwell.db'))).toBe(false);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  test('a folder that can be none', async () => {
    writeFileSync(folder, '');
    await expect(restores(copy)).rejects.toMatchObject({
      reason: 'store-unavailable',
      message: `'${copy}' could not be restored to '${folder}', which is as it was: ENOTDIR.`,
    });
  });

  test('a command without a file, and the database of PostgreSQL', async () => {
    await expect(restores()).rejects.toMatchObject({ reason: 'missing-value' });
    const environment = { DATABASE_URL: 'postgres://db/dwell', SECRET_KEY: '0'.repeat(64) };
    await expect(typesRestore(environment, AT, copy)).rejects.toMatchObject({
      reason: 'not-possible-here',
      details: [expect.stringContaining('Try: pg_restore --clean')],
    });
    // Another folder than that of the settings can be filled.
    const elsewhere = await typesRestore(environment, AT, copy, '--to', folder);
    expect(elsewhere.lines.slice(-2)).toEqual([
      revoked.replaceAll('npx', `DATA_DIR=${folder} npx`),
      paused(`DATA_DIR=${folder} npx dwell resume`),
    ]);
  });
});

test('what a restore that was killed has left goes with the next one', async () => {
  await restores(copy);
  const dead = join(folder, 'restoring-999999999');
  mkdirSync(dead);
  const second = join(folder, 'replaced-2026-11-30T050000Z');
  mkdirSync(second);
  renameSync(join(folder, 'dwell.db'), join(second, 'dwell.db'));
  copyFileSync(join(second, 'dwell.db'), join(folder, 'dwell.db'));
  await restores(copy, '--replace');
  expect(readdirSync(folder).sort()).toEqual([
    'dwell.db',
    'replaced-2026-11-30T050000Z',
    'replaced-2026-11-30T060012Z',
  ]);
});
