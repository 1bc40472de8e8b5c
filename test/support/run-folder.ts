import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 31;

/**
 * Gives a run of jest one temporary folder, in which all of its processes make theirs, and takes it away when the run
 * ends: a process that a test kills cannot do so itself. A folder that cannot be taken away fails the run.
 */
export default function makeRunFolder(): void {
  const folder = mkdtempSync(join(placeForFiles(), 'dwell-tests-'));
  // Tests become another user, who must reach what is theirs in it.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  // A worker may still be ending.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  process.once('exit', () => rmSync(folder, options));
  // By default a signal ends the process without the event.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

/** Hundreds of stores are made and thrown away: in memory where the machine has room there and nobody says where. */
function placeForFiles(): string {
  if (process.env.TMPDIR !== undefined) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ROOM_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
