import { doors, type ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import { HAS_FILE, toDeliver, type WorkChanges } from '../../store/work-kinds.ts';

/** An export as an attempt to make its file has left it. */
export type ExportOutcome =
  | (Pick<ExportRecord, 'fileName' | 'bytes' | 'provenance' | 'scope' | 'expiresAt'> & {
      readonly state: 'Successful';
    })
  | { readonly state: 'Failed'; readonly message: string };

/** The progress of an export. */
export type ExportProgress = Pick<ExportRecord, 'completed' | 'total'>;

/** The open states of exports that may have a file. */
export const afterMaking = [HAS_FILE, ...doors.map(toDeliver)];

/** An export whose file is not there yet, and will be. */
function isUnfinished({ state }: Pick<ExportRecord, 'state'>): boolean {
  return state === 'Queued' || state === 'Running';
}

/** Queues an export, unless its owner has `max` that are unfinished. */
export function queued(
  record: ExportRecord,
  unfinished: readonly ExportRecord[],
  max: number,
): WorkChanges<ExportRecord> {
  return unfinished.length < max ? { put: [record] } : {};
}

/** A started export; where its file is still to be made, nothing of it is written. */
export function taken(record: ExportRecord): ExportRecord {
  if (!isUnfinished(record)) return record;
  return { ...record, state: 'Running', attempts: record.attempts + 1, completed: 0 };
}

/** An export that its process released in good order, which is no attempt that a crash has ended. */
export function released(record: ExportRecord): ExportRecord {
  if (record.state !== 'Running') return record;
  return { ...record, state: 'Queued', attempts: record.attempts - 1, completed: 0 };
}

/** An export with its progress since it was started; null where it was aborted meanwhile. */
export function renewed(record: ExportRecord, since: Pick<ExportRecord, 'state'>, progress: ExportProgress) {
  if (since.state === 'Running' && record.state === 'Aborted') return null;
  return record.state === 'Running' ? { ...record, ...progress } : record;
}

/** A running export that has come to its end; null where it does not run any more. */
export function finished(
  record: ExportRecord,
  outcome: ExportOutcome,
  finishedAt: Instant,
): ExportRecord | null {
  if (record.state !== 'Running') return null;
  const completed = outcome.state === 'Successful' ? record.total : record.completed;
  return { ...record, ...outcome, finishedAt, completed };
}

/** An export that was ended before its time; null where it has ended already. */
export function aborted(record: ExportRecord, finishedAt: Instant): ExportRecord | null {
  if (!isUnfinished(record)) return null;
  return { ...record, state: 'Aborted', finishedAt, message: 'The export was aborted.' };
}

/** An export whose end is delivered to no one. */
export function undelivered(record: ExportRecord): ExportRecord {
  const { delivery } = record;
  return { ...record, delivery: delivery && { ...delivery, pending: false } };
}

/**
 * The exports that become Expired: those that are past their time, and of each owner's all but the `maxFiles` newest. No
 * file is taken away for its number before it was delivered.
 */
export function expired(
  records: readonly ExportRecord[],
  now: Instant,
  maxFiles: number,
): readonly ExportRecord[] {
  const filesOf = new Map<string, number>();
  return records
    .filter(({ state }) => state === 'Successful')
    .toSorted((a, b) => Number(b.finishedAt) - Number(a.finishedAt))
    .filter(({ input, expiresAt, delivery }) => {
      const { account } = input.request.principal;
      const rank = (filesOf.get(account) ?? 0) + 1;
      filesOf.set(account, rank);
      const isTooMany = rank > maxFiles && delivery?.pending !== true;
      return isTooMany || (expiresAt !== null && expiresAt <= now);
    })
    .map((record) => ({ ...record, state: 'Expired' }));
}

/** Removes the exports that ended before an instant. */
export function forgotten(records: readonly ExportRecord[], before: Instant): WorkChanges<ExportRecord> {
  return { remove: records.filter(({ finishedAt }) => finishedAt !== null && finishedAt < before) };
}
