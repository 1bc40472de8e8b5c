import { AppError } from '../../../model/error.ts';
import type { ExportRecord } from '../../../model/export.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Asker } from '../../../model/request.ts';

/** Whether an asker may know of an export: it is their own, and they have the rights it was asked for with. */
export function isOwn({ wish }: ExportRecord, asker: Asker): boolean {
  const owner = wish.request.asker;
  return owner.user === asker.user && (asker.admin || !owner.admin);
}

/** An export as it stands at an instant: its time may be over before anybody has taken its file away. */
export function asOfNow(record: ExportRecord, now: Instant): ExportRecord {
  const { state, expiresAt } = record;
  return state === 'Successful' && expiresAt !== null && expiresAt <= now
    ? { ...record, state: 'Expired' }
    : record;
}

/** Nobody learns whether an export of somebody else exists. */
export function notYours(): AppError {
  return new AppError('not-found', 'The export could not be found or you do not have permission to view it.');
}
