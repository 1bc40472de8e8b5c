import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { type DigestOnlooker, watchedDigests, watchedDoor } from './digest-moments.ts';
import { aDigestOffice } from './digest-office.ts';

/**
 * A process that posts what is due of the digests in its folder, tells each moment as it comes, and kills itself in the
 * one it is told of. Its clock stands still.
 */
const [dataDir = '', now = '', apiUrl = '', botToken = '', lastMoment = ''] = process.argv.slice(2);

const come: DigestOnlooker = (moment) => {
  writeSync(1, `${moment}\n`);
  if (moment !== lastMoment) return;
  // The next process is to find what was compiled, as if this one had ended in peace.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
};

const { digests, close } = await aDigestOffice({
  dataDir,
  clock: { now: Number(now) },
  slack: { apiUrl, botToken },
  changeStore: (store) => watchedDigests(store, come),
  changeDoor: (door) => watchedDoor(door, come),
  log: pino({ level: 'error' }, pino.destination({ dest: 2, sync: true })),
});
// The first look at the clock is not believed.
await digests.tick();
await digests.tick();
await digests.stop(5_000);
close();
