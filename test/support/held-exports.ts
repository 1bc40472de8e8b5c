import type { Principal } from '../../src/model/request.ts';
import { anExport, aWish } from './an-export.ts';
import { openTestStore } from './open-test-store.ts';
import { storedExports } from './stored-exports.ts';

const CREATED = Date.parse('2026-03-18T11:00:00Z');
/** What the tests call now. */
const HELD_AT = Date.parse('2026-03-18T12:00:00Z');

/** Exports of somebody that another process holds, so that they never end by themselves; their ids. */
export async function heldExports(dataDir: string, principal: Principal, count: number): Promise<string[]> {
  const store = await openTestStore(dataDir);
  const exports = storedExports(store.exports);
  const ids = Array.from({ length: count }, (_, i) => `${principal.account}-${i}`);
  for (const id of ids) {
    const record = anExport(id, { createdAt: CREATED, total: 312, input: aWish({ principal }) });
    await exports.add(record, Number.MAX_SAFE_INTEGER);
    await exports.claim(HELD_AT, { holder: 'elsewhere', until: HELD_AT + 10_000 }, []);
  }
  store.close();
  return ids;
}
