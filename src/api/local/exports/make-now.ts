import type { ExportInput } from '../../../model/export.ts';
import type { Turns } from '../../create-turns.ts';
import type { ExportFile } from '../../exports.ts';
import type { ExportFiles } from './export-files.ts';
import type { LocalExportsParts } from './exports-parts.ts';
import { asAppError } from './why-failed.ts';
import { writeExport } from './write-export.ts';

/** Somebody is waiting, and the file is sent once. */
const QUICK = 2;

/** Makes a file while its asker waits, first for a turn. */
export async function makeNow(
  wish: ExportInput,
  parts: Pick<LocalExportsParts, 'reporting' | 'version' | 'newId'> & {
    readonly files: ExportFiles;
    readonly turns: Turns;
  },
  signal?: AbortSignal,
): Promise<ExportFile & { close(): Promise<void> }> {
  const { files, turns } = parts;
  const end = await turns.take(signal);
  try {
    const path = await files.loose(parts.newId());
    const close = () => files.removeLoose(path);
    try {
      return {
        ...(await writeExport(wish, path, parts, { compression: QUICK, ...(signal && { signal }) })),
        path,
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    throw asAppError(error);
  } finally {
    end();
  }
}
