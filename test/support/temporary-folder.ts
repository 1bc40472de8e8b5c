import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that vanishes with the machine's other temporary files. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'dwell-'));
}
