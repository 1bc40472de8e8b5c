import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that vanishes at the end of the run, with everything in it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'dwell-'));
}
