import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Issue } from '../../src/model/issue.ts';
import { foldedName } from '../../src/model/issues/ids-and-names.ts';
import { migrations } from '../../src/store/upgrades/upgrade.ts';
import { inFolder } from './left-folder.ts';
import { openTestStore } from './open-test-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Steps of the schema before issues were packed. */
const DOCUMENT_STEPS = 10;

/** Makes the tables of a Dwell that knew so many steps. */
export function takeSteps(database: DatabaseSync, count: number): void {
  database.function('folded_name', { deterministic: true }, (name) => foldedName(String(name)));
  for (const step of migrations.slice(0, count)) {
    if (typeof step === 'string') database.exec(step);
    else step(database);
  }
  database.exec(`PRAGMA user_version = ${count}`);
}

/** A row of a table: its values by their columns; objects are stored as JSON. */
export type OldRow = readonly [table: string, row: Readonly<Record<string, string | number | null | object>>];

/** A new folder with the store of a Dwell that knew only the first steps, and these rows in it. */
export function folderAtStep(steps: number, ...rows: readonly OldRow[]): string {
  const dataDir = temporaryFolder();
  inFolder(dataDir, (database) => {
    takeSteps(database, steps);
    for (const [table, row] of rows) putRow(database, table, row);
  });
  return dataDir;
}

/** A row of an issue as it was stored before issues were packed. */
export function documentRow(tracker: string, revision: number, issue: Issue): OldRow {
  const { id = null, key, project, created, updated, fields, history } = issue;
  return [
    'issue',
    {
      ...{ tracker, key: key.toUpperCase(), project: project.id, created, updated, revision },
      document: issue,
      tracker_id: id,
      source_updated: typeof fields.updated === 'number' ? fields.updated : null,
      cut: Number(!history.complete),
      unread_roles: Number(fields.issuerestriction === null),
    },
  ];
}

/** Puts a row into a table; one of an issue without the values for which no step has made a column. */
function putRow(database: DatabaseSync, ...[table, row]: OldRow): void {
  const all = table === 'issue' ? columnsOf(database, 'main', table) : Object.keys(row);
  const columns = all.filter((column) => column in row);
  const values = columns.map((column) => row[column] ?? null);
  database
    .prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
    .run(
      ...values.map((value) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value)),
    );
}

/**
 * Makes of a store what a Dwell that knew so many steps would have left behind: of each issue what `older` makes of it, as
 * long as issues were documents.
 */
export async function makeOlder(
  dataDir: string,
  steps: number,
  older: (issue: Issue) => Issue = (issue) => issue,
): Promise<void> {
  const isPacked = steps > DOCUMENT_STEPS;
  const [file, made] = [join(dataDir, 'dwell.db'), join(dataDir, 'older.db')];
  const store = await openTestStore(dataDir);
  const database = new DatabaseSync(made);
  takeSteps(database, steps);
  database.prepare('ATTACH ? AS present').run(file);
  for (const { name } of database.prepare("SELECT name FROM main.sqlite_master WHERE type = 'table'").all()) {
    const table = String(name);
    const there = columnsOf(database, 'present', table);
    const columns = columnsOf(database, 'main', table).filter((column) => there.includes(column));
    if ((table === 'issue' && !isPacked) || columns.length === 0) continue;
    database.exec(`DELETE FROM main.${table}`);
    database.exec(
      `INSERT INTO main.${table} (${columns.join()}) SELECT ${columns.join()} FROM present.${table}`,
    );
  }
  database.exec(fromDocuments(isPacked ? 'tenant,' : ''));
  const trackers = isPacked ? [] : database.prepare('SELECT DISTINCT tracker FROM present.issue').all();
  for (const { tracker } of trackers) {
    const { issues } = await store.issues(String(tracker)).changedSince(0, Number.MAX_SAFE_INTEGER);
    for (const [i, { issue }] of issues.entries()) {
      putRow(database, ...documentRow(String(tracker), i + 1, older(issue)));
    }
  }
  database.close();
  store.close();
  for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true });
  renameSync(made, file);
}

/** What has become documents since, as far as a server goes on with it; `tenant` where tables had tenants. */
const fromDocuments = (tenant: '' | 'tenant,') => `
  INSERT INTO sync_state (${tenant} tracker, document)
  SELECT ${tenant} substr(kind, length('sync ') + 1), document
  FROM present.document WHERE kind LIKE 'sync %' AND id = 'state';
  INSERT INTO fill (${tenant} tracker, at)
  SELECT ${tenant} substr(kind, length('facts ') + 1), document
  FROM present.document WHERE kind LIKE 'facts %' AND id = 'filled';
  INSERT INTO secret (${tenant} name, value)
  SELECT ${tenant} id, json_extract(document, '$') FROM present.document WHERE kind = 'secret';
  INSERT INTO token (${tenant} id, user, admin, created_at, expires_at, active)
  SELECT ${tenant} id, document ->> '$.user', document ->> '$.admin', document ->> '$.createdAt',
    document ->> '$.expiresAt', document ->> '$.active'
  FROM present.document WHERE kind = 'token';
`;

function columnsOf(database: DatabaseSync, schema: string, table: string): readonly string[] {
  return database
    .prepare('SELECT name FROM pragma_table_info(?, ?)')
    .all(table, schema)
    .map(({ name }) => String(name));
}
