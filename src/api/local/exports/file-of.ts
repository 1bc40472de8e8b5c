import type { Logger } from 'pino';
import { AppError } from '../../../model/error.ts';
import type { ExportRecord } from '../../../model/export.ts';
import type { ReportRequest } from '../../../model/request.ts';
import { stillCovers } from '../../access-rules.ts';
import type { ExportFile } from '../../exports.ts';
import type { ReportingApi } from '../../reporting.ts';
import type { ExportFiles } from './export-files.ts';
import { formatOf, requestOf } from './write-export.ts';

/** What the file of an export is looked for with. */
export interface FileParts {
  readonly files: ExportFiles;
  readonly reporting: Pick<ReportingApi, 'scope' | 'check'>;
  readonly log: Logger;
}

/**
 * The file of an export; `not-found` with the reason when there is none, or when something has been closed to its asker
 * since it was made.
 */
export async function fileOf(
  record: ExportRecord,
  { files, reporting, log }: FileParts,
): Promise<ExportFile> {
  const why = whyNone(record);
  if (why !== null) throw new AppError('not-found', why);
  if (!(await maySeeStill(record, reporting))) {
    throw new AppError(
      'not-found',
      'What you may see has changed since the export was made; please ask for it again.',
    );
  }
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

async function maySeeStill(
  { wish, scope }: ExportRecord,
  reporting: FileParts['reporting'],
): Promise<boolean> {
  const { asker, creditDelegates } = wish.request;
  if (scope === null || !stillCovers(scope, await reporting.scope(asker, scope))) return false;
  // Who stood in for whom is not told by the scope.
  return creditDelegates === null || mayAskStill(requestOf(wish), reporting);
}

/** What else has become wrong with a request, such as a category that is gone, makes its file no secret. */
async function mayAskStill(request: ReportRequest, reporting: FileParts['reporting']): Promise<boolean> {
  try {
    await reporting.check(request);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    return error.code !== 'not-allowed';
  }
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
