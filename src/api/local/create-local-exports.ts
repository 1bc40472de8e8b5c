import { AppError } from '../../model/error.ts';
import type { Delivery, ExportRecord } from '../../model/export.ts';
import type { Asker } from '../../model/request.ts';
import { createTurns } from '../create-turns.ts';
import type { Courier, ExportFile, ExportsApi } from '../exports.ts';
import { apart } from '../next-turn.ts';
import { createExportWorker } from './exports/create-export-worker.ts';
import { createExportFiles } from './exports/export-files.ts';
import type { LocalExportsParts } from './exports/exports-parts.ts';
import { fileOf } from './exports/file-of.ts';
import { makeNow } from './exports/make-now.ts';
import { asOfNow, isOwn, notYours } from './exports/own-exports.ts';
import { type Pace, usualPace } from './exports/pace.ts';
import { queueExport } from './exports/queue-export.ts';
import { createTickets, invalidLink } from './exports/tickets.ts';
import { previewExport, requestOf } from './exports/write-export.ts';

/** Files made at once take turns with each other, lest many of them make everybody slow. */
const MOST_AT_ONCE = 2;

/** Exports on this machine, and the work that is done for them beside answering. */
export interface LocalExports extends ExportsApi {
  /** Takes up queued work, also what an earlier process left, and looks for more of it from time to time. */
  start(couriers: Readonly<Partial<Record<Delivery['door'], Courier>>>): void;
  /** Lets go of the work under way, which is then queued again, within `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** The exports port over our own reports, store and disk. */
export function createLocalExports(parts: LocalExportsParts, pace: Pace = usualPace): LocalExports {
  const { reporting, store, now, log } = parts;
  const files = createExportFiles(parts.folder);
  const turns = createTurns(MOST_AT_ONCE);
  const tickets = createTickets(parts.key, now);
  const worker = createExportWorker({ ...parts, files, pace });
  const fileOfRecord = (record: ExportRecord): Promise<ExportFile> =>
    fileOf(asOfNow(record, now()), { files, reporting, log });

  async function own(asker: Asker, id: string): Promise<ExportRecord> {
    const record = await store.get(id);
    if (record === null || !isOwn(record, asker)) throw notYours();
    return asOfNow(record, now());
  }

  return {
    start: worker.start,
    stop: worker.stop,
    count: (wish) => reporting.count(requestOf(wish)),
    preview: (wish, most) => previewExport(wish, most, reporting),
    now: (wish, signal) => makeNow(wish, { ...parts, files, turns }, signal),
    async queue(wish, delivery) {
      const record = await queueExport(wish, delivery ?? null, parts);
      apart(worker.kick);
      return record;
    },
    get: own,
    async list(asker, page) {
      const { records, total } = await store.list(asker, page);
      return { records: records.map((record) => asOfNow(record, now())), total };
    },
    async abort(asker, id) {
      await own(asker, id);
      if (!(await store.abort(id, now(), 'The export was aborted.'))) {
        throw new AppError('not-found', 'The export is completed.');
      }
      worker.aborted(id);
      return own(asker, id);
    },
    file: async (asker, id) => fileOfRecord(await own(asker, id)),
    ticket: ({ id }, token) => tickets.seal(id, token),
    async fileByTicket(ticket) {
      const { id, token } = await tickets.read(ticket);
      const record = await store.get(id);
      if (record === null || (token !== null && !(await parts.isActive(token)))) throw invalidLink();
      return fileOfRecord(record);
    },
  };
}
