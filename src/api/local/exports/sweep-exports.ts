import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { ExportFiles, FoundFile } from './export-files.ts';
import type { LocalExportsParts } from './exports-parts.ts';

/** How long a finished export is remembered. */
const REMEMBERED_MS = 7 * millisecondsInDay;
/** Whoever makes more than that has had the oldest long enough; the disk is for everybody. */
const MOST_FILES = 20;
/** Somebody waits for a file made at once, which nobody does for so long. */
const LOOSE_MS = millisecondsInHour;

/** Takes away files whose time is over or whose makers were killed, and forgets exports of long ago. */
export async function sweepExports({
  store,
  files,
  now,
  newId,
}: Pick<LocalExportsParts, 'store' | 'now' | 'newId'> & { readonly files: ExportFiles }): Promise<void> {
  await store.expire(now(), now() - REMEMBERED_MS, MOST_FILES);
  for (const file of await files.found()) {
    if (!(await isWanted(file))) await files.removeFound(file);
  }
  await files.removeOld(newId(), LOOSE_MS);

  /** A file belongs to the attempt that is under way, or that succeeded. */
  async function isWanted({ id, attempt, part }: FoundFile): Promise<boolean> {
    const record = await store.get(id);
    if (record === null || record.attempts !== attempt) return false;
    return record.state === 'Running' || (record.state === 'Successful' && !part);
  }
}
