import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A write of SQLite may fit into what is allotted already, so something new is written; as much as a large write of ours. */
const PROBE_BYTES = 1_048_576;

/** What a folder lacks for something to be written into it; null where it can be. */
export async function whyUnwritable(folder: string): Promise<string | null> {
  const probe = join(folder, '.writable');
  try {
    await writeFile(probe, new Uint8Array(PROBE_BYTES));
    return null;
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : error;
    if (code === 'ENOSPC' || code === 'EDQUOT') return 'free disk space in DATA_DIR';
    return `a DATA_DIR that can be written to (${String(code)})`;
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}
