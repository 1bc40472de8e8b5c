import { formatsToUse } from '../../api/settings/settings-in-use.ts';
import type { Message } from '../../block-kit/message.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { ExportInput } from '../../model/export.ts';
import type { ReportRequest } from '../../model/request.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import type { DeliveryNote } from '../exports/delivery-note.ts';
import { exportProgress } from '../messages/export-progress.ts';
import { exportTitle, exportTitleText } from '../messages/export-title.ts';
import type { SlackParts } from '../parts.ts';

const types = { xlsx: 'XLSX', xls: 'XLS', csv: 'CSV' } as const;

/** More exports of one owner are not unfinished at a time. */
const LOOKED_AT = { start: 0, size: 50 };

/** The file of a digest as it is asked for: the list behind its answer, as of the same instant. */
export async function digestFileInput(
  file: NonNullable<Digest['file']>,
  request: ReportRequest,
  userName: string,
  { settings }: Pick<SlackParts, 'settings'>,
): Promise<ExportInput> {
  const { formats, notes } = await formatsToUse(settings);
  return {
    principalName: userName,
    type: types[file],
    request: { ...request, statistic: null, page: null },
    unit: 'hours',
    dayLength: '24HourDays',
    ...withNotes({ formats }, notes),
    denominator: 'nonNull',
    deviation: 'population',
    byteOrderMark: file === 'csv',
    withProvenance: false,
  };
}

/** The message in the thread that tells how far the file is. */
export function digestFileMessage(
  wish: ExportInput,
  { owner, userName, total }: { readonly owner: string; readonly userName: string; readonly total: number },
  { reporting }: Pick<SlackParts, 'reporting'>,
): Message {
  const words = exportTitleText(exportTitle(wish, reporting));
  return exportProgress({ wish: words, user: owner, userName, completed: 0, total });
}

/** Has the file made and brought into the thread; once for a message, however often it is called. */
export async function queueDigestFile(
  wish: ExportInput,
  note: Pick<DeliveryNote, 'channel' | 'messageTs' | 'threadTs' | 'user' | 'userName'>,
  { exports }: Pick<SlackParts, 'exports'>,
): Promise<void> {
  const { records } = await exports.list(wish.request.principal, LOOKED_AT);
  if (records.some(({ delivery }) => delivery?.note.messageTs === note.messageTs)) return;
  await exports.queue(wish, { door: 'slack', note, pending: true });
}

/** What went wrong with the file of a message that stands there, as the owner is told. */
export function fileFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code === 'unavailable') return error;
  return new AppError(error.reason, 'The message is posted, but its file could not be made.', [
    error.message,
    ...error.details,
  ]);
}
