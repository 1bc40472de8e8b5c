import { AppError } from '../../../model/error.ts';
import type { Delivery, ExportInput, ExportRecord } from '../../../model/export.ts';
import type { LocalExportsParts } from './exports-parts.ts';
import { requestOf } from './write-export.ts';

/** One owner must not fill the queue. */
const MOST_UNFINISHED = 10;

/** Checks a wish and keeps it for whoever makes files; it speaks of the instant of queueing unless it names one. */
export async function queueExport(
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
    total: await reporting.count(requestOf(fixed)),
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
