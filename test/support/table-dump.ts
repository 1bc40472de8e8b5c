import type { Tables } from '../../src/store/sql/tables.ts';
import { storeEngine } from './store-engine.ts';

const tables = {
  ...{ area: 1, last_number: 1, document: 1, issue: 1, issue_term: 1, issue_gone: 1, issue_alias: 1 },
  ...{ issue_former_key: 1, issue_seen: 1, user: 1, work: 1, watch_alert: 1, cache_entry: 1, audit: 1 },
  ...{ blob: 1, blob_part: 1 },
} satisfies Record<keyof Tables, 1>;

/** Everything in the database of a folder by table and, where it has kinds, by kind; bytes as the texts in them. */
export async function dumpTables(folder: string): Promise<Readonly<Record<string, string>>> {
  const engine = await storeEngine.openEngine(folder);
  const texts: Record<string, string> = {};
  for (const table of Object.keys(tables) as (keyof Tables)[]) {
    for (const row of await engine.db.selectFrom(table).selectAll().execute()) {
      const text = Object.values(row).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
      );
      const name = 'kind' in row ? `${table} ${row.kind}` : table;
      texts[name] = `${texts[name] ?? ''}${text.join(' | ')}\n`;
    }
  }
  await engine.close();
  return texts;
}
