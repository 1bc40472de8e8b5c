import type { Logger } from 'pino';
import type { ExportsApi } from '../../api/exports/exports-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { Message } from '../../block-kit/message.ts';
import type { ExportRecord } from '../../model/export.ts';
import { exportEnded } from '../messages/export-ended.ts';
import { exportResult } from '../messages/export-result.ts';
import { exportTitle, exportTitleText } from '../messages/export-title.ts';
import { firstRows } from './first-rows.ts';

/** Where the file is: in the channel, nowhere, or on our side only and why that is so, in whole sentences. */
export type Whereabouts = 'shared' | 'none' | { readonly keptBecause: string };

/** What the message about an export says at its end. */
export async function endMessage(
  record: ExportRecord,
  userName: string,
  whereabouts: Whereabouts,
  parts: {
    readonly reporting: Pick<ReportingApi, 'reportTypes'>;
    readonly exports: Pick<ExportsApi, 'preview'>;
    readonly log: Logger;
  },
): Promise<Message> {
  const { input: wish, id, total, provenance } = record;
  const words = exportTitle(wish, parts.reporting);
  if (whereabouts === 'shared') {
    const table = await firstRows(wish, parts);
    return exportResult({ words, wish, userName, issues: total, id, provenance, table });
  }
  const isKept = whereabouts !== 'none';
  const sentences = isKept
    ? ['The file is made, but I could not put it here.', whereabouts.keptBecause]
    : whyNone(record);
  return exportEnded({ wish: exportTitleText(words), userName, sentences, fileOf: isKept ? id : null });
}

function whyNone({ state, message }: ExportRecord): readonly string[] {
  if (state === 'Aborted') return ['It was aborted; there is no file.'];
  if (state === 'Failed') return [message ?? 'It failed.', 'Please ask again.'];
  return ['The file is not kept any more. Please ask again.'];
}
