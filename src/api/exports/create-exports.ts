import { millisecondsInMinute } from 'date-fns/constants';
import { createLimit } from '../../concurrency/concurrency-limit.ts';
import { detached } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import type { ExportInput, ExportRecord } from '../../model/export.ts';
import type { Principal } from '../../model/request.ts';
import { TO_MAKE } from '../../store/work-kinds.ts';
import { createEncryptedTokens } from '../people/tokens.ts';
import { createExportFiles, explainDiskTrouble, localFile } from './export-files.ts';
import { aborted, queued } from './export-states.ts';
import {
  asOfNow,
  createExportWorker,
  defaultPace,
  type ExportPace,
  type ExportsParts,
  type ExportWorker,
  fileOf,
} from './export-worker.ts';
import type { ExportsApi } from './exports-api.ts';
import { exportRequestOf, formatCalled, writeExport } from './write-export.ts';

/** More files that are made at once would make everyone slow. */
const MAX_AT_ONCE = 2;
/** A user is waiting, and the file is sent once: compressed quickly. */
const QUICK = 2;
/** One owner must not fill the queue. */
const MAX_UNFINISHED = 10;
/** How long a link can be used. */
const TICKET_MS = 15 * millisecondsInMinute;

/** Exports over our own reports, store and disk, and the work that is done for them beside answering. */
export function createExports(
  parts: ExportsParts,
  pace: ExportPace = defaultPace,
): ExportsApi & Pick<ExportWorker, 'start' | 'stop'> {
  const { reporting, store, now, newId, key } = parts;
  const files = createExportFiles(parts.blobs);
  const limit = createLimit(MAX_AT_ONCE);
  const worker = createExportWorker({ ...parts, files, pace });
  const purpose = 'dwell export ticket';
  const tickets = createEncryptedTokens({ purpose, lifetimeMs: TICKET_MS, key, now, invalid: invalidLink });
  const current = (record: ExportRecord) => asOfNow(record, now());
  const fileOfRecord = (record: ExportRecord) => fileOf(current(record), { ...parts, files });

  async function get(principal: Principal, id: string): Promise<ExportRecord> {
    const record = await store.get(id);
    if (record !== null && isOwn(record, principal)) return current(record);
    // No one learns whether an export of another user exists.
    const sentence = 'The export could not be found or you do not have permission to view it.';
    throw new AppError('unknown-export', sentence);
  }

  async function make(input: ExportInput, signal: AbortSignal | undefined) {
    const path = await files.loose(newId());
    const close = () => files.removeLoose(path);
    try {
      const writing = { compression: QUICK, ...(signal && { signal }) };
      return { ...(await writeExport(input, path, parts, writing)), ...localFile(path), close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  return {
    get,
    start: worker.start,
    stop: worker.stop,
    count: (input) => reporting.count(exportRequestOf(input)),
    async write(book, id) {
      const format = formatCalled(id);
      const path = await files.loose(newId());
      const close = () => files.removeLoose(path);
      try {
        await format.write(book, path, { byteOrderMark: id === 'csv', compression: QUICK });
        return { ...localFile(path), fileName: `${book.title}.${format.extension}`, close };
      } catch (error) {
        await close();
        throw explainDiskTrouble(error);
      }
    },
    async now(input, signal) {
      try {
        return await limit(() => make(input, signal), signal);
      } catch (error) {
        throw explainDiskTrouble(error);
      }
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

/** What is not known of an export that no one has taken up. */
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

/** An export is known to its owner, who must have the rights that it was asked for with. */
function isOwn({ input }: ExportRecord, principal: Principal): boolean {
  const owner = input.request.principal;
  return owner.account === principal.account && (principal.rights === 'admin' || owner.rights !== 'admin');
}

function invalidLink(): AppError {
  const sentence =
    'The link is not valid or has expired; links work for 15 minutes. Please ask for the status of the export, which has a new one.';
  return new AppError('invalid-link', sentence);
}
