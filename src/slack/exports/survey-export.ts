import type { Logger } from 'pino';
import type { ExportsApi } from '../../api/exports.ts';
import type { ReportingApi } from '../../api/reporting.ts';
import { AppError } from '../../model/error.ts';
import type { ExportWish } from '../../model/export.ts';
import type { Provenance, Table } from '../../model/table.ts';

/** More lines than a glance has room for are not asked for. */
const ISSUES = 10;

/** What is to be told beside a file; null where it cannot be told any more. */
export interface Survey {
  readonly provenance: Provenance | null;
  readonly table: Table | null;
}

/** How far a file can be trusted, of all its issues, and the first of them. Without them the file is as good. */
export async function surveyExport(
  wish: ExportWish,
  {
    reporting,
    exports,
    log,
  }: {
    readonly reporting: Pick<ReportingApi, 'open'>;
    readonly exports: Pick<ExportsApi, 'preview'>;
    readonly log: Logger;
  },
): Promise<Survey> {
  try {
    const { list } = await reporting.open({ ...wish.request, statistic: null, page: null }, []);
    return { provenance: list.provenance, table: await exports.preview(wish, ISSUES) };
  } catch (error) {
    if (error instanceof AppError) log.warn({ err: error }, 'the first rows of an export cannot be told');
    else log.error({ err: error }, 'telling the first rows of an export failed');
    return { provenance: null, table: null };
  }
}
