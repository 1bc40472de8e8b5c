import type { Logger } from 'pino';
import type { ExportsApi } from '../../api/exports/exports-api.ts';
import { AppError } from '../../model/error.ts';
import type { ExportInput } from '../../model/export.ts';
import type { Table } from '../../model/table.ts';

/** More lines than a glance has room for are not asked for. */
const ISSUES = 5;

/** The first issues of a file; null where they cannot be told any more: the file is as good without. */
export async function firstRows(
  wish: ExportInput,
  { exports, log }: { readonly exports: Pick<ExportsApi, 'preview'>; readonly log: Logger },
): Promise<Table | null> {
  try {
    return await exports.preview(wish, ISSUES);
  } catch (error) {
    if (error instanceof AppError) log.warn({ err: error }, 'the first rows of an export cannot be told');
    else log.error({ err: error }, 'telling the first rows of an export failed');
    return null;
  }
}
