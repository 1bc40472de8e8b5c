import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fixture } from './fixture.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Makes a DATA_DIR as an earlier Dwell left it: of the SQL in a fixture, and of the texts of the other files by path. */
export function leftFolder(sql: string, files: Readonly<Record<string, string>>): string {
  const dataDir = temporaryFolder();
  inFolder(dataDir, (database) => database.exec(readFileSync(fixture(sql), 'utf8')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true });
    writeFileSync(join(dataDir, name), text);
  }
  return dataDir;
}

/** Works on the database of a folder as another program does. */
export function inFolder<Result>(dataDir: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(dataDir, 'dwell.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}
