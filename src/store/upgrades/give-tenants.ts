import type { DatabaseSync } from 'node:sqlite';

/** The rights of the principal of an export, who was called the asker. */
const rights = `
  CASE WHEN json_extract(wish, '$.request.asker.isStranger') THEN 'stranger' WHEN admin THEN 'admin' ELSE 'user' END`;

/** Columns of exports that get another name or type. */
const exportColumns: Readonly<Record<string, string>> = { user: 'account TEXT', admin: 'rights TEXT' };

/** The values of exports that are others now: documents say whom they are for as 0.8.0 called it; a principal is a tenant's. */
const exportValues: Readonly<Record<string, string>> = {
  admin: rights,
  wish: `
    json_set(
      json_remove(wish, '$.request.asker', '$.askerName'),
      '$.principalName', json_extract(wish, '$.askerName'),
      '$.request.principal', json_object('tenant', 'default', 'account', user, 'rights', ${rights}))`,
  provenance: `
    CASE WHEN json_extract(provenance, '$.dependsOnAsker') IS NULL THEN provenance ELSE json_set(
      json_remove(provenance, '$.dependsOnAsker'), '$.dependsOnPrincipal', json('true')) END`,
};

/**
 * A step of the schema: every row belongs to a tenant, first in every key and index; what there is to `default`. Tables are
 * made again, but for that of the issues: of a million, only the indexes are.
 */
export function giveTenants(database: DatabaseSync): void {
  const listed = database.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
  );
  const [tables = [], indexes = []] = ['table', 'index'].map((type) =>
    listed.all(type).map(({ name, sql }) => ({ name: String(name), sql: String(sql) })),
  );
  database.exec(`
    DROP TRIGGER user_put;
    -- Ids of calendars are not given twice either; they are of no tracker.
    INSERT INTO last_id SELECT '', 'calendar', seq FROM sqlite_sequence WHERE name = 'calendar';
    -- A default value costs nothing for the rows that are there.
    ALTER TABLE issue ADD COLUMN tenant TEXT NOT NULL DEFAULT 'default';
  `);
  for (const { name, sql } of tables)
    if (name !== 'issue') makeAgain(database, name, sql.endsWith('WITHOUT ROWID'));
  for (const { name, sql } of indexes) {
    const ofAccount = name.startsWith('export_') ? sql.replaceAll('user', 'account') : sql;
    database.exec(`DROP INDEX IF EXISTS ${name}; ${ofAccount.replace('(', '(tenant, ')}`);
  }
}

/** Makes a table again with a tenant before its columns, in the order of its rowids if it has some. */
function makeAgain(database: DatabaseSync, table: string, isWithoutRowid: boolean): void {
  const columns = database
    .prepare(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)`)
    .all(table);
  const names = columns.map(({ name }) => String(name));
  const isExport = table === 'export';
  const keys = columns
    .filter(({ pk }) => pk !== 0)
    .sort((a, b) => Number(a.pk) - Number(b.pk))
    .map(({ name }) => String(name));
  // The only row is a tenant's now.
  const isKeyed = keys.length > 0 || table === 'user_revision';
  const defined = columns.map(({ name, type, notnull, dflt_value: value, pk }) => {
    const column = (isExport && exportColumns[String(name)]) || `${name} ${type}`;
    return `${column}${notnull || pk ? ' NOT NULL' : ''}${value === null ? '' : ` DEFAULT ${value}`}`;
  });
  const values = names.map((name) => (isExport && exportValues[name]) || name);
  database.exec(`
    ALTER TABLE ${table} RENAME TO old;
    CREATE TABLE ${table} (
      tenant TEXT NOT NULL, ${defined.join(', ')}${isKeyed ? `, PRIMARY KEY (${['tenant', ...keys].join(', ')})` : ''}
    ) STRICT${isWithoutRowid ? ', WITHOUT ROWID' : ''};
    INSERT INTO ${table} SELECT 'default', ${values.join(', ')} FROM old${isWithoutRowid ? '' : ' ORDER BY rowid'};
    DROP TABLE old;
  `);
}
