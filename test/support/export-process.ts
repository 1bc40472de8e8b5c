import { readdirSync, statSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pino } from 'pino';
import { createExports } from '../../src/api/exports/create-exports.ts';
import { createCycleTimes } from '../../src/api/outcomes/issue-outcomes.ts';
import { createPageLists } from '../../src/api/reporting/load-page.ts';
import { createStoreMirror } from '../../src/mirror/create-mirrors.ts';
import { createFolderBlobs } from '../../src/store/folder-blobs.ts';
import { aWish } from './an-export.ts';
import { type Onlooker, watchedReporting, watchedStore } from './export-moments.ts';
import { fileKinds } from './file-kinds.ts';
import { createLedgerNotifier } from './ledger-notifier.ts';
import { localReporting } from './local-reporting.ts';
import { oneSigningKey } from './one-signing-key.ts';
import { openTestStore } from './open-test-store.ts';
import { principalOf } from './principal-of.ts';
import { storedIn } from './stored-in.ts';

/**
 * A process that makes exports of imported issues. It queues one of a kind of file where there are fewer than it is told
 * of, tells each moment as it comes, kills itself in the one it is told of, and leaves as soon as all is delivered. Its
 * clock stands still.
 */
const [dataDir = '', wanted = '', now = '', kindName = '', lastMoment = ''] = process.argv.slice(2);
const everything = { start: 0, size: 99 };
const ada = principalOf('ada');
const clock = () => Number(now);
const folder = join(dataDir, 'exports');

const come: Onlooker = (moment) => {
  writeSync(1, `${moment}\n`);
  if (moment !== lastMoment) return;
  // The next process is to find what was compiled, as if this one had ended in peace.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
};
const isOnDisk = () =>
  readdirSync(folder).some((name) => name.includes('.part') && statSync(join(folder, name)).size > 0);

const store = await openTestStore(dataDir);
const mirror = createStoreMirror('file', store.issues('file'));
const pages = createPageLists({ stored: storedIn(store, clock), now: clock });
const reporting = localReporting(mirror, clock, { pages });
const exports = createExports(
  {
    reporting: watchedReporting(reporting, isOnDisk, come),
    cycleTimes: createCycleTimes(reporting),
    store: watchedStore(store.exports, come),
    blobs: createFolderBlobs(folder),
    keys: oneSigningKey(''),
    isActive: async () => true,
    now: clock,
    newId: () => crypto.randomUUID(),
    version: '1.2.3',
    log: pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true })),
  },
  // While the clock stands still no lease ends, and the one renewal is that before the file gets its name.
  { pollMs: 20, renewMs: 600_000 },
);
// Nobody waits for it any longer.
setTimeout(() => process.exit(1), 600_000).unref();
exports.start({ slack: createLedgerNotifier(join(dataDir, 'ledger'), () => come('shared')) });
const kind = fileKinds.find(({ name }) => name === kindName);
if (kind !== undefined && (await exports.list(ada, everything)).total < Number(wanted)) {
  await exports.queue(aWish({ fields: ['story'] }, kind.wish), {
    door: 'slack',
    note: { channel: 'C1' },
    pending: true,
  });
}
while ((await exports.list(ada, everything)).records.some(({ delivery }) => delivery?.pending)) {
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await exports.stop(5_000);
store.close();
