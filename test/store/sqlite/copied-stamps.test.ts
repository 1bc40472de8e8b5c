import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '#jest';
import { addStamp, stampsOf } from '../../../src/store/stamps.ts';
import { aStore } from '../../support/a-store.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a copy has its own stamp in place of all others, and no area has the word it had', async () => {
  const dataDir = temporaryFolder();
  const copy = join(temporaryFolder(), 'copy.db');
  const store = await openTestStore(dataDir);
  for (const name of ['folder', 'columns']) await addStamp(store.stamps, name, { stamp: name });
  await store.facts.change('client-key', () => 'key');
  await store.backUp(copy, { stamp: 'of the copy' });
  const areasOf = (file: string) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const areas = database.prepare('SELECT area, revision, word FROM area ORDER BY area').all();
    const copies = database.prepare("SELECT count(*) AS count FROM document WHERE kind = 'copy'").get();
    database.close();
    return { areas, copies: copies?.count };
  };
  const [here, there] = [areasOf(join(dataDir, 'dwell.db')), areasOf(copy)];
  expect([here.copies, there.copies]).toEqual([0, 0]);
  expect(there.areas.map(({ area, revision }) => [area, revision])).toEqual(
    here.areas.map(({ area, revision }) => [area, revision]),
  );
  const words = [...here.areas, ...there.areas].map(({ word }) => word);
  expect(new Set(words).size).toBe(words.length);
  store.close();
  const folder = temporaryFolder();
  renameSync(copy, join(folder, 'dwell.db'));
  const restored = await aStore(folder);
  for (const name of ['folder', 'columns']) {
    expect(await stampsOf(restored.stamps, name)).toEqual(['of the copy']);
  }
});

test('a copy is of one instant, by which it is checked, while others write', async () => {
  const dataDir = temporaryFolder();
  const store = await aStore(dataDir);
  await store.facts.change('client-key', () => 'key');
  const writer = new DatabaseSync(join(dataDir, 'dwell.db'));
  const insert = writer.prepare(
    "INSERT INTO document (tenant, kind, id, added, document) VALUES ('default', 'fact', ?, 0, '1')",
  );
  for (let copies = 0, written = 0; copies < 5; copies += 1) {
    let isCopied = false;
    const copying = store.backUp(join(temporaryFolder(), 'copy.db'), { stamp: 'copy' }).finally(() => {
      isCopied = true;
    });
    while (!isCopied) {
      insert.run(`fact ${written++}`);
      await new Promise((next) => setImmediate(next));
    }
    await copying;
  }
  writer.close();
});
