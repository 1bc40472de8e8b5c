import { sql } from 'kysely';
import { expect, test } from '#jest';
import type { Tx } from '../../../src/store/sql/engine.ts';
import { readEngine } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** As SQLite numbers them. */
const [NORMAL, FULL] = [1, 2];

test('only what must outlive a failing power supply waits for the disk', async () => {
  const engine = await readEngine('sqlite').openEngine(temporaryFolder());
  const synchronous = async ({ db }: Tx) => (await sql`pragma synchronous`.execute(db)).rows;
  const [durable, quick] = [
    await engine.write(synchronous),
    await engine.write(synchronous, { isDurable: false }),
  ];
  expect([durable, quick]).toEqual([[{ synchronous: FULL }], [{ synchronous: NORMAL }]]);
  engine.close();
});
