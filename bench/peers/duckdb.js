import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DOUBLE, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { ownJob, peakMb, tellFound, timed } from '../measure.ts';
import { forDuckdb, inSql } from '../references/in-sql.ts';
import { readReferenceJob } from '../references/reference-job.ts';
import { DATABASE, tablesOf } from '../references/tables.ts';

const CHUNK = 2048;

/** DuckDB with two threads, asked the same questions over a visit a row. */
const job = readReferenceJob(ownJob());
const path = join(job.columns, `${DATABASE}.duckdb`);
if (!existsSync(path)) await write(`${path}.part`);
const instance = await DuckDBInstance.create(path, { threads: '2', access_mode: 'READ_ONLY' });
const connection = await instance.connect();
for (const name of job.questions) {
  const sql = inSql[name]?.duckdb;
  if (sql === undefined) continue;
  let rows = [];
  const times = await timed(async () => {
    const reader = await connection.runAndReadAll(forDuckdb(sql));
    rows = reader.getRows();
  });
  const numbers = rows.slice(0, 100).map((row) => row.map(Number));
  tellFound({ name, ...times, peakMb: peakMb(), rows: numbers });
}
connection.closeSync();
instance.closeSync();

async function write(part) {
  rmSync(part, { force: true });
  const writing = await DuckDBInstance.create(part);
  const connection = await writing.connect();
  for (const { name, columns } of tablesOf(job.columns)) {
    await connection.run(
      `create table ${name} (${columns.map(([column]) => `${column} double`).join(', ')})`,
    );
    const appender = await connection.createAppender(name);
    const count = columns[0][1].length;
    for (let at = 0; at < count; at += CHUNK) {
      const size = Math.min(CHUNK, count - at);
      const chunk = DuckDBDataChunk.create(
        columns.map(() => DOUBLE),
        size,
      );
      chunk.setColumns(columns.map(([, values]) => Array.from({ length: size }, (_, i) => values[at + i])));
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    const small = columns.filter(([, values]) => !(values instanceof Float64Array) && !Array.isArray(values));
    for (const [column] of small) await connection.run(`alter table ${name} alter ${column} type integer`);
  }
  await connection.run('checkpoint');
  connection.closeSync();
  writing.closeSync();
  renameSync(part, path);
}
