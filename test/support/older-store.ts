import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { foldedName } from '../../src/issues/ids-and-names.ts';
import type { Issue } from '../../src/model/issue.ts';
import { migrations } from '../../src/store/sqlite/migrations.ts';
import { openTestStore } from './open-test-store.ts';

/** Steps of the schema before issues were packed. */
const DOCUMENT_STEPS = 10;

/** Makes the tables of a Dwell that knew so many steps, all of them SQL. */
export function takeSteps(database: DatabaseSync, count: number): void {
  database.function('folded_name', { deterministic: true }, (name) => foldedName(String(name)));
  for (const step of migrations.slice(0, count)) {
    if (typeof step !== 'string') throw new Error('That step is more than SQL.');
    database.exec(step);
  }
  database.exec(`PRAGMA user_version = ${count}`);
}

/** Puts an issue as it was kept before issues were packed, with what these steps have columns for. */
export function putDocument(
  database: DatabaseSync,
  {
    tracker,
    revision,
    issue,
  }: { readonly tracker: string; readonly revision: number; readonly issue: Issue },
): void {
  const { id = null, key, project, created, updated, fields, history } = issue;
  const row: Record<string, string | number | null> = {
    ...{ tracker, key: key.toUpperCase(), project: project.id, created, updated, revision },
    document: JSON.stringify(issue),
    tracker_id: id,
    source_updated: typeof fields.updated === 'number' ? fields.updated : null,
    cut: Number(!history.complete),
    unread_roles: Number(fields.issuerestriction === null),
  };
  const columns = columnsOf(database, 'main', 'issue').filter((column) => column in row);
  database
    .prepare(`INSERT INTO issue (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
    .run(...columns.map((column) => row[column] ?? null));
}

/** Makes of a store what a Dwell that knew so many steps would have left behind, of each issue what `older` makes of it. */
export async function makeOlder(
  dataDir: string,
  steps: number,
  older: (issue: Issue) => Issue,
): Promise<void> {
  if (steps > DOCUMENT_STEPS) throw new Error('Issues were packed then.');
  const [file, made] = [join(dataDir, 'dwell.db'), join(dataDir, 'older.db')];
  const store = openTestStore(dataDir);
  const database = new DatabaseSync(made);
  takeSteps(database, steps);
  database.prepare('ATTACH ? AS present').run(file);
  for (const { name } of database.prepare("SELECT name FROM main.sqlite_master WHERE type = 'table'").all()) {
    const table = String(name);
    const there = columnsOf(database, 'present', table);
    const columns = columnsOf(database, 'main', table).filter((column) => there.includes(column));
    if (table === 'issue' || columns.length === 0) continue;
    database.exec(`DELETE FROM main.${table}`);
    database.exec(
      `INSERT INTO main.${table} (${columns.join()}) SELECT ${columns.join()} FROM present.${table}`,
    );
  }
  for (const { tracker } of database.prepare('SELECT DISTINCT tracker FROM present.issue').all()) {
    const { issues } = await store.issues(String(tracker)).changedSince(0, Number.MAX_SAFE_INTEGER);
    for (const [i, { issue }] of issues.entries()) {
      putDocument(database, { tracker: String(tracker), revision: i + 1, issue: older(issue) });
    }
  }
  database.close();
  store.close();
  for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true });
  renameSync(made, file);
}

function columnsOf(database: DatabaseSync, schema: string, table: string): readonly string[] {
  return database
    .prepare('SELECT name FROM pragma_table_info(?, ?)')
    .all(table, schema)
    .map(({ name }) => String(name));
}
