import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Hold } from '../../concurrency/leased-worker.ts';
import { AppError } from '../../model/error.ts';
import type { Delivery, ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { Courier, ExportFile } from '../exports.ts';
import { asOfNow, fileOf } from './download-export.ts';
import type { ExportFiles } from './export-files.ts';
import { type LocalExportsParts, untilStored } from './make-export.ts';

const SOONEST_RETRY_MS = 10_000;
const LATEST_RETRY_MS = 15 * millisecondsInMinute;
const GIVE_UP_MS = millisecondsInDay;

/** What bringing an export to its principal needs. */
type DeliveryParts = Pick<LocalExportsParts, 'reporting' | 'store' | 'now' | 'log'> & {
  readonly files: ExportFiles;
  readonly couriers: Readonly<Partial<Record<Delivery['door'], Courier>>>;
  readonly pace: { readonly lookMs: number };
};

/** Brings a finished export to where it was asked from. Answers when to try again; null: never. */
export async function deliverExport(
  record: ExportRecord,
  hold: Hold,
  signal: AbortSignal,
  parts: DeliveryParts,
): Promise<Instant | null> {
  const { store, now, log, couriers, pace } = parts;
  const { id, delivery } = record;
  if (delivery === null || !delivery.pending) return null;
  const courier = couriers[delivery.door];
  const finishedAt = record.finishedAt ?? now();
  let { note } = delivery;
  const keep = async (changed: Delivery['note']) => {
    if (hold.lost.aborted || !(await store.putDelivery(id, hold.lease(), { ...delivery, note: changed }))) {
      hold.lose();
      throw new AppError('unavailable', 'The export is being delivered by another process.');
    }
    note = changed;
  };

  if (now() - finishedAt >= GIVE_UP_MS) {
    log.error({ exportId: id }, 'the end of an export was not told within a day and will not be');
  } else if (courier === undefined) {
    // The door may be open elsewhere, or with the next configuration.
    return null;
  } else {
    try {
      await courier.deliver(asOfNow(record, now()), await fileFor(record, parts), keep);
    } catch (error) {
      if (hold.lost.aborted) return null;
      if (error instanceof AppError && error.code === 'unavailable') {
        log.warn({ err: error, exportId: id }, 'the end of an export could not be told yet');
        // Waiting as long again as has been waited doubles the pauses.
        const waited = now() - finishedAt;
        return now() + Math.min(Math.max(waited, SOONEST_RETRY_MS), LATEST_RETRY_MS);
      }
      log.error({ err: error, exportId: id }, 'the end of an export could not be told');
    }
  }
  const settled = () => store.putDelivery(id, hold.lease(), { ...delivery, note, pending: false });
  await untilStored(settled, { signal, pauseMs: pace.lookMs, log });
  return null;
}

async function fileFor(
  record: ExportRecord,
  { files, reporting, log, now }: Pick<DeliveryParts, 'files' | 'reporting' | 'log' | 'now'>,
): Promise<ExportFile | null> {
  try {
    return await fileOf(asOfNow(record, now()), { files, reporting, log });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}
