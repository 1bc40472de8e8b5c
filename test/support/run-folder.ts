import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run of jest one temporary folder, in which all of its processes make theirs, and takes it away when the run
 * ends: a process that a test kills cannot do so itself. A folder that cannot be taken away fails the run.
 */
export default function makeRunFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'dwell-tests-'));
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
