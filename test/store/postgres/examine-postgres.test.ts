import { expect, test } from '#jest';
import { addressIn, emptyDatabase, queryOnce } from '../../support/postgres-database.ts';
import { examine } from '../../support/run-doctor.ts';
import { databaseOf } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a database of this version is all right, and one without tables stays empty', async () => {
  const folder = temporaryFolder();
  await databaseOf(folder);
  const { of, code } = await examine(folder);
  expect(of('Store')).toEqual([
    expect.stringMatching(/^✓ PostgreSQL \d+\.\d+.*, schema \d{4}-\S+, [\d.]+ MB$/),
  ]);
  expect(of('Clock')).toEqual([expect.stringMatching(/^✓ within 0\.\d s of the database$/)]);
  expect(of('Backups')).toEqual(['– not seen here: a PostgreSQL database is copied by pg_dump']);
  expect(of('Posting')).toEqual(['✓ not paused (digests: 0, watches: 0)']);
  expect(code).toBe(0);

  const empty = await emptyDatabase();
  const found = await examine(folder, { DATABASE_URL: empty }, { args: ['--thorough'] });
  expect(found.of('Store')).toEqual([
    expect.stringMatching(/^– PostgreSQL \S+.*, an empty database: the first start makes its tables$/),
  ]);
  expect(await queryOnce(empty, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
});

test('an earlier schema is announced and left, a later one and missing rights are problems', async () => {
  const folder = temporaryFolder();
  const url = await databaseOf(folder);
  const [last] = await queryOnce(url, 'SELECT max(name) AS name FROM kysely_migration');
  await queryOnce(url, 'DELETE FROM kysely_migration WHERE name = $1', [last?.name]);
  expect((await examine(folder)).of('Store')).toEqual([
    expect.stringMatching(
      /^– .* of an earlier Dwell: the next start or command upgrades it to \S+; it is over at once\./,
    ),
  ]);
  expect(await queryOnce(url, 'SELECT 1 FROM kysely_migration WHERE name = $1', [last?.name])).toEqual([]);
  await queryOnce(url, "INSERT INTO kysely_migration VALUES ($1, 'now')", [last?.name]);

  const { pathname } = new URL(url);
  await queryOnce(url, "CREATE ROLE examined LOGIN PASSWORD 'words of a role'");
  await queryOnce(url, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO examined');
  const asReader = addressIn(pathname.slice(1), 'examined:words of a role');
  const limited = await examine(folder, { DATABASE_URL: asReader });
  expect(limited.of('Store').slice(1)).toEqual([
    '✗ Its user cannot create tables, which an upgrade does. Set DATABASE_URL to the user who owns it.',
    '✗ Its user cannot write to its tables. Set DATABASE_URL to the user who owns them.',
  ]);
  expect(limited.code).toBe(1);

  await queryOnce(url, "INSERT INTO kysely_migration VALUES ('9999-later', 'now')");
  const later = await examine(folder);
  expect(later.of('Store')).toEqual([
    expect.stringMatching(/^✗ The database in DATABASE_URL cannot be used: it was written by a newer Dwell/),
  ]);
  expect(later.of('Sync')).toEqual(['– not used: no tracker is connected']);
  expect(later.of('Posting')).toEqual(['– not checked: see Store']);
});

test('a database that is away, and a password that is not accepted and shown nowhere', async () => {
  const wrong = addressIn('dwell', 'examined-nobody:a distinctive password');
  for (const url of ['postgres://someone:distinctive@127.0.0.1:1/dwell', wrong]) {
    const { of, code, text } = await examine(temporaryFolder(), { DATABASE_URL: url });
    expect(of('Store')).toEqual([
      expect.stringMatching(/^✗ The database in DATABASE_URL cannot be opened: /),
    ]);
    expect(text).not.toContain('distinctive');
    expect(code).toBe(1);
  }
});
