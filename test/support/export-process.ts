import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { createLocalExports } from '../../src/api/local/create-local-exports.ts';
import { createStoreMirror } from '../../src/mirror/create-store-mirror.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { aWish } from './an-export.ts';
import { localReporting } from './local-reporting.ts';

/**
 * A process that makes exports of imported issues. It queues one where there are fewer than it is told of, says so, and
 * leaves as soon as all have ended. Its clock stands still.
 */
const [dataDir = '', wanted = '', now = ''] = process.argv.slice(2);
const everything = { start: 0, size: 99 };
const ada = { user: 'ada', admin: false };
const clock = () => Number(now);

const store = openSqliteStore(dataDir);
const mirror = createStoreMirror('file', store.issues('file'));
const exports = createLocalExports({
  reporting: localReporting(mirror, clock, { pages: store.pages }),
  store: store.exports,
  folder: join(dataDir, 'exports'),
  key: async () => new Uint8Array(32),
  now: clock,
  newId: () => crypto.randomUUID(),
  version: '1.2.3',
  log: pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true })),
});
exports.start({});
if ((await exports.list(ada, everything)).total < Number(wanted)) {
  const { id } = await exports.queue(aWish());
  writeSync(1, `${id}\n`);
}
while ((await exports.list(ada, everything)).records.some(({ finishedAt }) => finishedAt === null)) {
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await exports.stop(5_000);
store.close();
