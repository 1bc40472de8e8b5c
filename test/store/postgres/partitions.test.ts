import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { newClient } from '../../../src/store/postgres/postgres-dialect.ts';
import {
  allExplained,
  assertOnePartition,
  explain,
  PARTITIONED,
  partition,
} from '../../support/partitions.ts';
import { addressIn, queryOnce } from '../../support/postgres-database.ts';
import { readPostgresSchema } from '../../support/read-schema.ts';
import { databaseOf, withDatabase } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { fillTenant, openStoreWithAll, readTenant, useTenant } from '../../support/tenant-with-all.ts';

const client = newClient(addressIn(PARTITIONED));
beforeAll(() => client.connect());
afterAll(() => client.end());

test('every table is in eight partitions, by its tenant', async () => {
  const divided = await queryOnce(
    addressIn(PARTITIONED),
    `SELECT partrelid::regclass::text AS name, pg_get_partkeydef(partrelid) AS key, count(inhrelid)::int AS parts
     FROM pg_partitioned_table JOIN pg_inherits ON inhparent = partrelid GROUP BY partrelid`,
  );
  const tables = Object.keys(await readPostgresSchema(addressIn('dwell')));
  const all = tables.map((name) => ({ name: expect.stringContaining(name), key: 'HASH (tenant)', parts: 8 }));
  expect(divided).toHaveLength(all.length);
  expect(divided).toEqual(expect.arrayContaining(all));
});

describe('of a statement', () => {
  test.each([
    ['select key from issue where tenant = $1', ['acme']],
    ['select key from issue where tenant = any($1)', [['acme']]],
    ['update work set holder = null where tenant = $1', ['acme']],
    [
      'select 1 from issue join issue_alias on issue_alias.tenant = issue.tenant where issue.tenant = $1',
      ['acme'],
    ],
  ])('one partition is enough: %s', async (sql, values) => {
    await assertOnePartition(client, sql, values);
  });

  test.each([
    ['select key from issue where tracker = $1', ['file']],
    ['select key from issue where id = any($1)', [[1, 2]]],
    ['update work set holder = null where id = $1', ['e']],
    ['delete from cache_entry where expires_at < $1', [1]],
    [
      'select (select max(served) from work as one where one.tenant = work.tenant) from work where tenant = $1',
      ['acme'],
    ],
  ])('more than one is refused: %s', async (sql, values) => {
    await expect(assertOnePartition(client, sql, values)).rejects.toThrow('A statement needs 8 partitions');
    explain(sql, values);
    await expect(allExplained()).rejects.toThrow('A statement needs 8 partitions');
  });
});

test('a store with all its ports works on the partitions', async () => {
  const folders = [temporaryFolder(), temporaryFolder()];
  await withDatabase(await databaseOf(folders[0] ?? ''), partition);
  const answers = await Promise.all(
    folders.map(async (folder) => {
      const store = await openStoreWithAll(folder);
      const tenant = store.forTenant('acme');
      await fillTenant(tenant);
      const answer = await readTenant(tenant);
      await useTenant(tenant);
      await store.close();
      return answer;
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
});
