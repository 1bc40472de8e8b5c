import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { openSyncRecords } from '../../src/mirror/sync/sync-records.ts';
import { emptyDirectory } from '../../src/model/directory.ts';
import { storeEngine } from '../support/store-engine.ts';
import { storedDigests } from '../support/stored-digests.ts';
import { storedExports } from '../support/stored-exports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  fillTenant,
  lease,
  NOW,
  namespaceOf,
  openStoreWithAll,
  readTenant,
} from '../support/tenant-with-all.ts';

const folder = temporaryFolder();
const store = await openStoreWithAll(folder);
const engine = await storeEngine.openEngine(folder);
const tables = await engine.db.introspection.getTables();
afterAll(async () => {
  await store.close();
  engine.close();
});

const fill = (tenant: string) => fillTenant(store.forTenant(tenant));
const contentOf = (tenant: string) => readTenant(store.forTenant(tenant));

describe('two tenants in one store', () => {
  let [ours, theirs, nobodys]: unknown[] = [];
  beforeAll(async () => {
    nobodys = await contentOf('nobody');
    await fill('acme');
    ours = await contentOf('acme');
    await fill('apex');
    theirs = await contentOf('apex');
  });

  test('nothing of one is seen by the other', async () => {
    expect(JSON.stringify(ours)).not.toContain('apex');
    expect(JSON.stringify(theirs)).not.toContain('acme');
    expect(await contentOf('acme')).toEqual(ours);
    expect(await contentOf('nobody')).toEqual(nobodys);
    expect(nobodys).toMatchObject({
      count: 0,
      revision: 0,
      directory: emptyDirectory,
      exports: [],
      watches: [],
    });
  });

  test('ids, keys and names are each tenant’s own, and nothing is missing', () => {
    expect(JSON.stringify(ours).replaceAll('acme', 'apex')).toBe(JSON.stringify(theirs));
  });

  test('work and alerts are claimed, changed and taken away by their own tenant', async () => {
    const [one, other] = [store.forTenant('acme'), store.forTenant('apex')];
    expect(await storedExports(one.exports).claim(NOW, lease, [])).toMatchObject({
      input: { notes: ['acme'] },
    });
    expect(await storedExports(one.exports).claim(NOW, lease, [])).toBeNull();
    expect(await storedDigests(one).claim(NOW, lease)).toMatchObject({ digestId: 'same' });
    expect((await one.digests.get('same'))?.title).toBe('acme');
    expect(await storedDigests(one).claim(NOW, lease)).toBeNull();
    expect(await openSyncRecords(one, 'file').claim({ ...lease, holder: 'another' }, NOW)).toBe(false);
    await storedDigests(other).remove('same');
    expect(await other.watches.change('same', () => null)).toBeNull();
    await other.watchAlerts.removeOf('same');
    await other.snoozes.change('U0ADA', () => null);
    await other.blobs('exports').remove('same');
    await other.parameterSets.change('s', () => null);
    await storedExports(other.exports).expire(NOW, NOW + 1, 0);
    await storedDigests(other).forget(NOW + 1);
    await other.watchAlerts.forget(NOW + 1);
    await other.secrets.change('name', () => null);
    await other.tokens.change('t', (stored) => stored && { ...stored, active: false });
    await other.documents('file').links.change('U0ADA', () => ({ revision: 2, link: null }));
    await namespaceOf(other).delete('key');
    await other.sync('file').removeIssues(['0', '1']);
    expect(await contentOf('acme')).toEqual(ours);
    expect(await other.secrets.get('key')).toBe('key of apex');
    expect(await one.secrets.get('key')).toBe('key of acme');
  });
});

describe('the schema', () => {
  test.each(tables)('$name has a tenant, and every index begins with it', async ({ name, columns }) => {
    expect(columns.map((column) => column.name)).toContain('tenant');
    const firsts = await storeEngine.firstsOfIndexes(folder, name);
    // Where there is a number beside, it is the store's own.
    expect(firsts.length).toBeGreaterThan(0);
    expect(new Set(firsts)).toEqual(new Set(['tenant']));
  });

  test('whatever two tenants fill in is in every table', async () => {
    const counts = await Promise.all(
      tables.map(async ({ name }) => ({
        name,
        isEmpty: (await sql`select 1 from ${sql.table(name)} limit 1`.execute(engine.db)).rows.length === 0,
      })),
    );
    expect(counts.filter(({ isEmpty }) => isEmpty).map(({ name }) => name)).toEqual([]);
  });
});
