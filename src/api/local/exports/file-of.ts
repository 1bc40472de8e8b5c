import type { Logger } from 'pino';
import { AppError } from '../../../model/error.ts';
import type { ExportRecord } from '../../../model/export.ts';
import type { ExportFile } from '../../exports.ts';
import type { ExportFiles } from './export-files.ts';
import { formatOf } from './write-export.ts';

/** The file of an export; `not-found` with the reason when there is none. */
export async function fileOf(record: ExportRecord, files: ExportFiles, log: Logger): Promise<ExportFile> {
  const why = whyNone(record);
  if (why !== null) throw new AppError('not-found', why);
  const { extension, mediaType } = formatOf(record.wish);
  const path = files.pathOf(record.id, record.attempts, extension);
  const bytes = await files.sizeOf(path);
  const { fileName, provenance } = record;
  if (bytes === null || fileName === null || provenance === null) {
    log.error({ exportId: record.id }, 'the file of an export is gone from the disk');
    throw new AppError(
      'not-found',
      'The file of the export is gone from the disk; please ask for the export again.',
    );
  }
  return { path, bytes, fileName, mediaType, provenance };
}

function whyNone({ state, message }: ExportRecord): string | null {
  switch (state) {
    case 'Queued':
    case 'Running':
      return 'The export is not completed: it is still being processed.';
    case 'Failed':
    case 'Aborted':
      return `The export failed or was aborted: ${message}`;
    case 'Expired':
      return 'The file of the export has expired.';
    case 'Successful':
      return null;
  }
}
