import { millisecondsInMinute } from 'date-fns/constants';
import { createLimit } from '../../concurrency/concurrency-limit.ts';
import { detached } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Principal } from '../../model/request.ts';
import { TO_MAKE } from '../../store/work-kinds.ts';
import { createEncryptedTokens } from '../people/signing-keys.ts';
import { asOfNow, createExportFiles, explainDiskTrouble, fileOf, localFile } from './export-files.ts';
import { aborted, queued } from './export-states.ts';
import {
  createExportWorker,
  defaultPace,
  type ExportPace,
  type ExportsParts,
  type ExportWorker,
} from './export-worker.ts';
import type { ExportsApi } from './exports-api.ts';
import { exportRequestOf, formatCalled, writeExport } from './write-export.ts';

/** More files that are made at once would make everyone slow. */
const MAX_AT_ONCE = 2;
/** The compression of a file that a user waits for and that is sent once. */
const QUICK = 2;
/** One owner must not fill the queue. */
const MAX_UNFINISHED = 10;
/** The lifetime of a link. */
const TICKET_MS = 15 * millisecondsInMinute;

/** Exports over our own reports, store and disk, and the work that is done for them beside answering. */
export function createExports(
  parts: ExportsParts,
  pace: ExportPace = defaultPace,
): ExportsApi & Pick<ExportWorker, 'start' | 'stop'> {
  const { reporting, store, now, newId, keys } = parts;
  const files = createExportFiles(parts.blobs);
  const limit = createLimit(MAX_AT_ONCE);
  const worker = createExportWorker({ ...parts, files, pace });
  const purpose = 'dwell export ticket';
  const tickets = createEncryptedTokens({ purpose, lifetimeMs: TICKET_MS, keys, now, invalid: invalidLink });
  const current = (record: ExportRecord) => asOfNow(record, now());
  const fileOfRecord = (record: ExportRecord) => fileOf(current(record), { ...parts, files });

  async function get(principal: Principal, id: string): Promise<ExportRecord> {
    const record = await store.get(id);
    if (record !== null && isOwn(record, principal)) return current(record);
    // No one learns whether an export of another user exists.
    const sentence = 'The export could not be found or you do not have permission to view it.';
    throw new AppError('unknown-export', sentence);
  }

  /** A file written at once; `close` takes it away again. */
  async function loose<Facts extends object>(write: (path: string) => Promise<Facts>) {
    const path = await files.loose(newId()).catch(rethrow);
    const close = () => files.removeLoose(path);
    try {
      return { ...(await write(path)), ...localFile(path), close };
    } catch (error) {
      await close();
      return rethrow(error);
    }
  }

  return {
    get,
    start: worker.start,
    stop: worker.stop,
    count: (input) => reporting.count(exportRequestOf(input)),
    write(book, id) {
      const format = formatCalled(id);
      return loose(async (path) => {
        await format.write(book, path, { byteOrderMark: id === 'csv', compression: QUICK });
        return { fileName: `${book.title}.${format.extension}` };
      });
    },
    now(input, signal) {
      const writing = { compression: QUICK, ...(signal && { signal }) };
      return limit(() => loose((path) => writeExport(input, path, parts, writing)), signal);
    },
    async queue(input, delivery) {
      const createdAt = now();
      const request = { ...input.request, asOf: input.request.asOf ?? createdAt };
      const dated = { ...input, request };
      const total = await reporting.count(exportRequestOf(dated));
      const facts = { id: newId(), createdAt, total, delivery: delivery ?? null };
      const record: ExportRecord = { ...unmade, ...facts, input: dated, state: 'Queued' };
      const owner = input.request.principal.account;
      const { put } = await store.change({ owner, open: [TO_MAKE] }, (unfinished) =>
        queued(record, unfinished, MAX_UNFINISHED),
      );
      if (put === undefined) {
        const sentence = `${MAX_UNFINISHED} of your exports are queued or running, and no more are allowed at a time; wait until one of them is completed, or abort one.`;
        const data = { most: MAX_UNFINISHED };
        throw new AppError('too-many-exports', 'Too many exports', [sentence], { data });
      }
      detached(worker.kick);
      return record;
    },
    async list(principal, { start, size }) {
      const own = (await store.list({ owner: principal.account })).filter((record) =>
        isOwn(record, principal),
      );
      return { records: own.slice(start, start + size).map(current), total: own.length };
    },
    async abort(principal, id) {
      await get(principal, id);
      await store.change({ ids: [id] }, ([record]) => {
        const ended = record === undefined ? null : aborted(record, now());
        if (ended === null) throw new AppError('export-ended', 'The export is completed.');
        return { put: [ended] };
      });
      worker.aborted(id);
      return get(principal, id);
    },
    file: async (principal, id) => fileOfRecord(await get(principal, id)),
    ticket: ({ id }, token) => tickets.encrypt(id, token === null ? {} : { token }),
    async fileByTicket(ticket) {
      const { sub, token } = await tickets.read(ticket);
      const record = await store.get(sub);
      const isInactive = typeof token === 'string' && !(await parts.isActive(token));
      if (record === null || isInactive) throw invalidLink();
      return fileOfRecord(record);
    },
  };
}

function rethrow(error: unknown): never {
  throw explainDiskTrouble(error);
}

/** The facts of an export that no process has started. */
const unmade = {
  completed: 0,
  attempts: 0,
  message: null,
  finishedAt: null,
  expiresAt: null,
  fileName: null,
  bytes: null,
  provenance: null,
  scope: null,
};

/** An export is known to its owner, who must have the rights that it was requested with. */
function isOwn({ input }: ExportRecord, principal: Principal): boolean {
  const owner = input.request.principal;
  return owner.account === principal.account && (principal.rights === 'admin' || owner.rights !== 'admin');
}

function invalidLink(): AppError {
  const sentence =
    'The link is not valid or has expired; links work for 15 minutes. Please ask for the status of the export, which has a new one.';
  return new AppError('invalid-link', sentence);
}
