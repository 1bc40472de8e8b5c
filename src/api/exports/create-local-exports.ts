import { createLimit } from '../../concurrency/concurrency-limit.ts';
import { detached } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import type { Delivery, ExportInput, ExportRecord } from '../../model/export.ts';
import type { Principal } from '../../model/principal.ts';
import type { Courier, ExportFile, ExportsApi } from '../exports.ts';
import { asOfNow, createTickets, fileOf, invalidLink, isOwn, notYours } from './download-export.ts';
import { createExportFiles } from './export-files.ts';
import { createExportWorker } from './export-worker.ts';
import { type LocalExportsParts, makeNow, type Pace, usualPace } from './make-export.ts';
import { exportRequestOf, previewExport } from './write-export.ts';

/** More files that are made at once would make everybody slow. */
const MOST_AT_ONCE = 2;

/** Exports on this machine, and the work that is done for them beside answering. */
interface LocalExports extends ExportsApi {
  /** Takes up queued work, also what an earlier process left, and looks for more of it from time to time. */
  start(couriers: Readonly<Partial<Record<Delivery['door'], Courier>>>): void;
  /** Lets go of the work under way, which is then queued again, within `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** The exports port over our own reports, store and disk. */
export function createLocalExports(parts: LocalExportsParts, pace: Pace = usualPace): LocalExports {
  const { reporting, store, now, log } = parts;
  const files = createExportFiles(parts.folder);
  const limit = createLimit(MOST_AT_ONCE);
  const tickets = createTickets(parts.key, now);
  const worker = createExportWorker({ ...parts, files, pace });
  const fileOfRecord = (record: ExportRecord): Promise<ExportFile> =>
    fileOf(asOfNow(record, now()), { files, reporting, log });

  async function own(principal: Principal, id: string): Promise<ExportRecord> {
    const record = await store.get(id);
    if (record === null || !isOwn(record, principal)) throw notYours();
    return asOfNow(record, now());
  }

  return {
    start: worker.start,
    stop: worker.stop,
    count: (wish) => reporting.count(exportRequestOf(wish)),
    preview: (wish, most) => previewExport(wish, most, reporting),
    now: (wish, signal) => makeNow(wish, { ...parts, files, limit }, signal),
    async queue(wish, delivery) {
      const record = await queueExport(wish, delivery ?? null, parts);
      detached(worker.kick);
      return record;
    },
    get: own,
    async list(principal, page) {
      const { records, total } = await store.list(principal, page);
      return { records: records.map((record) => asOfNow(record, now())), total };
    },
    async abort(principal, id) {
      await own(principal, id);
      if (!(await store.abort(id, now(), 'The export was aborted.'))) {
        throw new AppError('not-found', 'The export is completed.');
      }
      worker.aborted(id);
      return own(principal, id);
    },
    file: async (principal, id) => fileOfRecord(await own(principal, id)),
    ticket: ({ id }, token) => tickets.seal(id, token),
    async fileByTicket(ticket) {
      const { id, token } = await tickets.read(ticket);
      const record = await store.get(id);
      if (record === null || (token !== null && !(await parts.isActive(token)))) throw invalidLink();
      return fileOfRecord(record);
    },
  };
}

/** One owner must not fill the queue. */
const MOST_UNFINISHED = 10;

/** Checks an input and stores it for the worker; it is as of the instant of queueing unless it names one. */
async function queueExport(
  wish: ExportInput,
  delivery: Delivery | null,
  { reporting, store, now, newId }: Pick<LocalExportsParts, 'reporting' | 'store' | 'now' | 'newId'>,
): Promise<ExportRecord> {
  const createdAt = now();
  const { request } = wish;
  const fixed = { ...wish, request: { ...request, asOf: request.asOf ?? createdAt } };
  const record: ExportRecord = {
    id: newId(),
    wish: fixed,
    state: 'Queued',
    createdAt,
    completed: 0,
    total: await reporting.count(exportRequestOf(fixed)),
    message: null,
    fileName: null,
    bytes: null,
    provenance: null,
    scope: null,
    finishedAt: null,
    expiresAt: null,
    delivery,
    attempts: 0,
  };
  if (await store.add(record, MOST_UNFINISHED)) return record;
  throw new AppError('too-many', 'Too many exports', [
    `${MOST_UNFINISHED} of your exports are queued or running, and no more are allowed at a time; wait until one of them is completed, or abort one.`,
  ]);
}
