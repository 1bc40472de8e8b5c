import type { Logger } from 'pino';
import type { ExportRecord } from '../../../model/export.ts';
import type { Courier } from '../../exports.ts';
import type { Hold } from './hold-export.ts';
import { every } from './pace.ts';

/** Tells a courier now and then how far an export is. Returns what ends that, once nothing is being told any more. */
export function tellProgress(
  record: ExportRecord,
  hold: Pick<Hold, 'progress'>,
  courier: Courier,
  { everyMs, log }: { readonly everyMs: number; readonly log: Logger },
): () => Promise<void> {
  let telling: Promise<void> | null = null;
  const stop = every(everyMs, () => {
    telling ??= tell();
  });

  async function tell(): Promise<void> {
    try {
      await courier.progress({ ...record, ...hold.progress() });
    } catch (error) {
      log.debug({ err: error, exportId: record.id }, 'progress of an export could not be told');
    } finally {
      telling = null;
    }
  }

  return async () => {
    stop();
    await telling;
  };
}
