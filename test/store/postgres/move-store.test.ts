import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '#jest';
import { openTrackerIssues } from '../../../src/mirror/lists/tracker-issues.ts';
import { openSyncRecords } from '../../../src/mirror/sync/sync-records.ts';
import { defaultTenant } from '../../../src/model/request.ts';
import { NUMBERED, tableShapes } from '../../../src/store/move/moved-tables.ts';
import { loadStore } from '../../../src/store/open-store.ts';
import { readSecretKeys } from '../../../src/store/sealed-secrets.ts';
import { inFolder } from '../../support/left-folder.ts';
import { checksums, filledFolder, left, SECRET_KEY, types } from '../../support/moved-stores.ts';
import { readWholeStore } from '../../support/read-whole-store.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { databaseOf, withDatabase } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { comparable, fixtureLines, type RecordedAnswer } from '../sqlite/left-office.ts';

/** What 0.8.0 answered over REST, but for exports, which come to their end when a Dwell opens the folder. */
const recorded = fixtureLines<RecordedAnswer>('dwell-0.8.0.answers.jsonl').filter(
  ({ path }) => !path.startsWith('/rest/export'),
);

/** All that a store has, as its port reads it. */
async function wholeStore(dataDir: string, databaseUrl: string | null) {
  const openStore = await loadStore({ dataDir, databaseUrl, secretKeys: readSecretKeys(SECRET_KEY, []) });
  const opened = await openStore({ now: () => 0 });
  const tenant = opened.forTenant(defaultTenant);
  const whole = await readWholeStore(
    {
      ...tenant,
      issues: (tracker: string) => openTrackerIssues(tenant, tracker),
      sync: (tracker: string) => openSyncRecords(tenant, tracker),
    },
    left.names,
  );
  await opened.close();
  return whole;
}

/** Whether posting is paused, and the answers that are not as 0.8.0 gave them. */
async function answersOf(dataDir: string, settings: Readonly<Record<string, string>>) {
  const dwell = await startDwell({
    ...{ dataDir, at: left.at },
    environment: {
      TRACKER: 'file',
      TIME_ZONE: 'Europe/Berlin',
      BASE_URL: 'https://dwell.example',
      ...settings,
    },
  });
  const wrong: unknown[] = [];
  for (const { who, path, status, body } of recorded) {
    const { json, text, ...answer } = await dwell.send('GET', path, {
      Authorization: `TISJWT ${left.tokens[who]}`,
    });
    const given = JSON.stringify([answer.status, comparable(json ?? text)]);
    if (given !== JSON.stringify([status, comparable(body)])) wrong.push([path, given]);
  }
  await dwell.stop();
  return { isPaused: dwell.isPaused, wrong };
}

describe('a store that is moved into a database and back', () => {
  const [inData, back] = [temporaryFolder(), join(temporaryFolder(), 'new')];
  let [from, url] = ['', ''];
  let ends: Awaited<ReturnType<typeof types>>[];
  let sums: unknown[];
  let stores: unknown[];
  beforeAll(async () => {
    from = await filledFolder();
    // Numbers of issues that were removed are not given again.
    inFolder(from, (database) => database.exec("UPDATE sqlite_sequence SET seq = 500 WHERE name = 'issue'"));
    url = await databaseOf(inData);
    stores = [await wholeStore(from, null)];
    sums = [await checksums(from)];
    ends = [
      await types({ DATA_DIR: inData, DATABASE_URL: url }, 'store', 'move', from, 'DATABASE_URL', '--json'),
    ];
    sums.push(await checksums(url));
    stores.push(await wholeStore(inData, url));
    ends.push(await types({ DATA_DIR: inData }, 'store', 'move', url, back));
    sums.push(await checksums(back));
    stores.push(await wholeStore(back, null));
  });

  test('says what it has moved, without the address of the database', () => {
    expect(ends.map(({ err, code }) => [err, code])).toEqual([
      ['', 0],
      ['', 0],
    ]);
    const { from: first, to, tables, files } = JSON.parse(ends[0]?.out ?? '');
    expect([first, to]).toEqual([
      `the folder ${from}`,
      `the database ${new URL(url).pathname.slice(1)} on ${new URL(url).host}`,
    ]);
    expect(tables.map(({ table }: { table: string }) => table)).toEqual(tableShapes.map(({ name }) => name));
    expect(tables).toContainEqual({
      ...{ table: 'issue', rows: 23, bytes: expect.any(Number), checksum: expect.stringMatching(/^\w{64}$/) },
    });
    expect(files.files).toBeGreaterThan(0);
    expect(ends[1]?.out).toMatch(/^issue +23 rows {2}[0-9a-f]{16}$/m);
    expect(ends[1]?.out).toMatch(/with equal checksums\. Start Dwell there\.\n$/);
  });

  test('has the same rows and the same content each time', () => {
    expect(sums[1]).toEqual(sums[0]);
    expect(sums[2]).toEqual(sums[0]);
    expect(stores[1]).toEqual(stores[0]);
    expect(stores[2]).toEqual(stores[0]);
  });

  test('has the files of exports', () => {
    const names = Object.keys(left.files).filter((name) => /tenants\/[^/]+\/exports\//.test(name));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(readFileSync(join(back, name), 'utf8')).toBe(left.files[name]);
  });

  test('goes on with the next number of issues', async () => {
    const values = "'acme', 'file', 'A-1', 1, 0, 0, 0";
    const columns = 'tenant, tracker, key, revision, updated, cut, unread_roles, packed';
    const undone = await withDatabase(url, async (client) => {
      await client.query('DROP TABLE store_move; DROP FUNCTION store_move_refuse_write CASCADE');
      return client.query(`INSERT INTO issue (${columns}) VALUES (${values}, '') RETURNING id`);
    });
    expect(undone.rows).toEqual([{ id: '501' }]);
    expect(
      inFolder(back, (database) => {
        const { lastInsertRowid } = database
          .prepare(`INSERT INTO issue (${columns}) VALUES (${values}, x'')`)
          .run();
        database.exec("DELETE FROM issue WHERE tenant = 'acme'");
        return lastInsertRowid;
      }),
    ).toBe(501);
    await withDatabase(url, (client) => client.query("DELETE FROM issue WHERE tenant = 'acme'"));
  });

  test('answers as 0.8.0 did, and posts go on', async () => {
    expect(recorded.length).toBeGreaterThan(25);
    expect(await answersOf(inData, {})).toEqual({ isPaused: false, wrong: [] });
    expect(await answersOf(back, { DATABASE_URL: '', SECRET_KEY })).toEqual({ isPaused: false, wrong: [] });
  });
});

describe('the tables that are moved', () => {
  // These are moved by their files.
  const isBlobs = ({ name }: { name: string }) => ['blob', 'blob_part'].includes(name);
  const wanted = tableShapes
    .map(({ name, key, columns }) => ({
      name,
      key: [...key],
      columns: columns.map((column) => `${column.name} ${column.kind}`).toSorted(),
    }))
    .toSorted(byName);

  function byName(a: { name: string }, b: { name: string }): number {
    return a.name < b.name ? -1 : 1;
  }

  test('are all of PostgreSQL', async () => {
    const kinds = { text: 'text', bigint: 'integer', bytea: 'bytes' };
    const tables = await withDatabase(await databaseOf(temporaryFolder()), async (client) => {
      const { rows } = await client.query(`
        SELECT relname AS name, array(
          SELECT attname::text FROM pg_index, unnest(indkey) WITH ORDINALITY AS key (number, place), pg_attribute
          WHERE indrelid = pg_class.oid AND indisprimary AND attrelid = indrelid AND attnum = number ORDER BY place
        ) AS key, array(
          SELECT attname || ' ' || format_type(atttypid, NULL) FROM pg_attribute
          WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
        ) AS columns
        FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'kysely%'`);
      return rows;
    });
    const found = tables.map(({ name, key, columns }) => ({
      ...{ name, key },
      columns: columns
        .map((one: string) => one.replace(/\w+$/, (type) => Reflect.get(kinds, type) ?? type))
        .toSorted(),
    }));
    const asRows = found.filter((table) => !isBlobs(table));
    expect(asRows.toSorted(byName)).toEqual(wanted);
    expect(found.length - asRows.length).toBe(2);
  });

  test('are all of SQLite', async () => {
    const dataDir = await filledFolder();
    const kinds = { text: 'text', bigint: 'integer', integer: 'integer', blob: 'bytes' };
    const found = inFolder(dataDir, (database) =>
      database
        .prepare(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kysely%' AND name NOT LIKE 'sqlite%'",
        )
        .all()
        .map(({ name }) => {
          const columns = database
            .prepare('SELECT name, type, pk FROM pragma_table_info(?)')
            .all(String(name));
          const key = columns
            .filter(({ pk }) => Number(pk) > 0)
            .toSorted((a, b) => Number(a.pk) - Number(b.pk));
          return {
            name: String(name),
            // The number alone is the key here.
            key: name === NUMBERED ? ['tenant', 'id'] : key.map((column) => String(column.name)),
            columns: columns
              .map((column) => `${column.name} ${Reflect.get(kinds, String(column.type).toLowerCase())}`)
              .toSorted(),
          };
        }),
    );
    const asRows = found.filter((table) => !isBlobs(table));
    expect(asRows.toSorted(byName)).toEqual(wanted);
  });
});

test('a folder with files of its own gets those of the other one beside them', async () => {
  const [from, to] = [await filledFolder(), temporaryFolder()];
  const url = await databaseOf(to);
  const folder = join(to, 'tenants/default/exports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'own'), 'own');
  const inFiles = { DATA_DIR: to, DATABASE_URL: url, BLOBS: 'folder' };
  const { code } = await types(inFiles, 'store', 'move', from, 'DATABASE_URL');
  expect([code, readFileSync(join(folder, 'own'), 'utf8')]).toEqual([0, 'own']);
  expect(readdirSync(folder).length).toBeGreaterThan(1);
});

test('files become rows of a database, and files again in a folder', async () => {
  const [from, data, back] = [await filledFolder(), temporaryFolder(), temporaryFolder()];
  const exportsIn = (dataDir: string) => {
    const folder = join(dataDir, 'tenants/default/exports');
    return readdirSync(folder)
      .map((name) => [name, readFileSync(join(folder, name), 'base64')])
      .toSorted();
  };
  const settings = { DATA_DIR: data, DATABASE_URL: await databaseOf(data) };
  expect((await types(settings, 'store', 'move', from, 'DATABASE_URL')).code).toBe(0);
  const rows = await withDatabase(settings.DATABASE_URL, (client) => client.query('SELECT name FROM blob'));
  expect(rows.rows.map(({ name }) => name).toSorted()).toEqual(exportsIn(from).map(([name]) => name));
  expect((await types(settings, 'store', 'move', 'DATABASE_URL', back)).code).toBe(0);
  expect(exportsIn(back)).toEqual(exportsIn(from));
});
