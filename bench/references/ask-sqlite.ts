import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ownJob, peakMb, tellFound, timed } from '../measure.ts';
import { inSql } from './in-sql.ts';
import { readReferenceJob } from './reference-job.ts';
import { DATABASE, tablesOf } from './tables.ts';

/** SQLite, asked the same questions over a visit a row. */
const job = readReferenceJob(ownJob());
const path = join(job.columns, `${DATABASE}.sqlite`);
if (!existsSync(path)) write(`${path}.part`);
const database = new DatabaseSync(path);
// As much as the other engines hold in memory.
database.exec('pragma cache_size = -2000000; pragma mmap_size = 4000000000');
for (const name of job.questions) {
  const sql = inSql[name]?.sqlite;
  if (sql === undefined) continue;
  const statement = database.prepare(sql);
  let rows: ReturnType<typeof statement.all> = [];
  const times = await timed(() => {
    rows = statement.all();
  });
  const first = rows.slice(0, 100).map((row) => Object.values(row).map(Number));
  tellFound({ name, ...times, peakMb: peakMb(), rows: first });
}
database.close();

function write(part: string): void {
  rmSync(part, { force: true });
  const writing = new DatabaseSync(part);
  writing.exec('pragma journal_mode = off; pragma synchronous = off; begin');
  for (const { name, columns } of tablesOf(job.columns)) {
    writing.exec(`create table "${name}" (${columns.map(([column]) => `${column} integer`).join(', ')})`);
    const insert = writing.prepare(`insert into "${name}" values (${columns.map(() => '?').join(', ')})`);
    const count = columns[0]?.[1].length ?? 0;
    for (let i = 0; i < count; i += 1) insert.run(...columns.map(([, values]) => values[i] ?? 0));
  }
  writing.exec(`commit;
    create index work_start on work (start, finish, before);
    create index span_issue on span (issue);
    create index visit_status on visit (status, start, finish, issue);
    create index issue_project on issue (project, priority, updated);
    create unique index issue_id on issue (id); analyze`);
  writing.close();
  renameSync(part, path);
}
