import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from '#jest';
import { createRestore } from '../../../src/api/restore/create-restore.ts';
import { defaultTenant } from '../../../src/model/request.ts';
import { loadStore } from '../../../src/store/open-store.ts';
import { readIdentity } from '../../../src/store/postgres/migrate.ts';
import { readSecretKeys } from '../../../src/store/sealed-secrets.ts';
import { aDigest } from '../../support/a-digest.ts';
import { inFolder } from '../../support/left-folder.ts';
import { SECRET_KEY, types } from '../../support/moved-stores.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { emptyDatabase } from '../../support/postgres-database.ts';
import { databaseOf, withDatabase } from '../../support/store-engine.ts';
import { storedDigests } from '../../support/stored-digests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dataDir = temporaryFolder();

/** Starts what pauses, as a process does at its start; returns whether it is paused, before and after a resume where that is typed. */
async function pausedIn(databaseUrl: string, { isResumed = false } = {}): Promise<boolean[]> {
  const secretKeys = readSecretKeys(SECRET_KEY, []);
  const opened = await (await loadStore({ dataDir, databaseUrl, secretKeys }))({ now: () => 0 });
  const restore = createRestore({
    store: opened.forTenant(defaultTenant),
    file: null,
    identity: opened.identity,
    startOver: async () => {},
    dropAnswers: async () => {},
    isReplaced: () => false,
    newStamp: () => 'none',
    now: () => 0,
    log: pino({ level: 'silent' }),
  });
  await restore.start();
  const paused = [await restore.isPaused()];
  if (isResumed) {
    await restore.resume();
    paused.push(await restore.isPaused());
  }
  await opened.close();
  return paused;
}

test('a database that was restored beside its original, or into it, is paused until it is resumed, and not moved before', async () => {
  const url = await databaseOf(dataDir);
  const store = await openTestStore(dataDir);
  await storedDigests(store).add(aDigest('weekly'));
  await store.close();
  expect([await pausedIn(url), await pausedIn(url)]).toEqual([[false], [false]]);

  const beside = await emptyDatabase(`TEMPLATE ${new URL(url).pathname.slice(1)}`);
  expect(await pausedIn(beside)).toEqual([true]);
  expect(await pausedIn(beside, { isResumed: true })).toEqual([true, false]);
  expect([await pausedIn(beside), await pausedIn(url)]).toEqual([[false], [false]]);

  // As `pg_restore --clean` makes the tables again.
  await withDatabase(url, (client) =>
    client.query(`
      CREATE TABLE other (LIKE document INCLUDING ALL); INSERT INTO other SELECT * FROM document;
      DROP TABLE document; ALTER TABLE other RENAME TO document`),
  );
  expect(await pausedIn(url)).toEqual([true]);
  const folder = join(temporaryFolder(), 'moved');
  const move = () => types({ DATA_DIR: dataDir, DATABASE_URL: url }, 'store', 'move', 'DATABASE_URL', folder);
  expect((await move()).err).toMatch(/^Digests and alerts are paused in FROM/);
  expect(await pausedIn(url, { isResumed: true })).toEqual([true, false]);
  expect(await move()).toMatchObject({ err: '', code: 0 });
  // In another database later on, everything is not taken for a copy of this one.
  expect(
    inFolder(folder, (database) =>
      database.prepare("SELECT id FROM document WHERE kind = 'stamp' AND id = 'database'").all(),
    ),
  ).toEqual([]);
});

test('a service that does not show the number of its server is known by its database alone', async () => {
  const identity = await readIdentity(async (query) => {
    if (query.includes('pg_control_system')) throw Object.assign(new Error('denied'), { code: '42501' });
    return '5 6';
  });
  expect(identity).toBe('server 5 6');
});
