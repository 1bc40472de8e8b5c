import {
  aborted,
  afterMaking,
  type ExportOutcome,
  type ExportProgress,
  expired,
  finished,
  forgotten,
  queued,
  released,
  renewed,
  taken,
} from '../../src/api/exports/export-states.ts';
import type { Lease } from '../../src/concurrency/leased-worker.ts';
import type { Delivery, ExportRecord } from '../../src/model/export.ts';
import type { Instant } from '../../src/model/issue.ts';
import type { Principal } from '../../src/model/request.ts';
import { TO_MAKE, toDeliver, type Work } from '../../src/store/work-kinds.ts';

/** What is done to stored exports, each deed as the work on exports does it. */
export function storedExports(work: Work<ExportRecord>) {
  /** The exports that this process has taken up, as they were then. */
  const begun = new Map<string, ExportRecord>();
  return {
    get: work.get,
    async add(record: ExportRecord, most: number): Promise<boolean> {
      const owner = record.input.request.principal.account;
      const { put } = await work.change({ owner, open: [TO_MAKE] }, (unfinished) =>
        queued(record, unfinished, most),
      );
      return put !== undefined;
    },
    async claim(
      now: Instant,
      lease: Lease,
      doors: readonly Delivery['door'][],
    ): Promise<ExportRecord | null> {
      const record = await work.claim({ now, open: [TO_MAKE, ...doors.map(toDeliver)] }, lease, taken);
      if (record !== null) begun.set(`${lease.holder} ${record.id}`, record);
      return record;
    },
    renew: (id: string, lease: Lease, progress: ExportProgress): Promise<boolean> =>
      work.keep(id, lease, (stored) =>
        renewed(stored, begun.get(`${lease.holder} ${id}`) ?? { state: 'Queued' }, progress),
      ),
    finish: (id: string, lease: Lease, at: Instant, outcome: ExportOutcome): Promise<boolean> =>
      work.keep(id, lease, (stored) => finished(stored, outcome, at)),
    putDelivery: (id: string, lease: Lease, delivery: Delivery): Promise<boolean> =>
      work.keep(id, lease, (stored) => ({ ...stored, delivery })),
    release: (id: string, holder: string, notBefore: Instant): Promise<boolean> =>
      work.release(id, { holder, notBefore }, released),
    async abort(id: string, at: Instant): Promise<boolean> {
      const { put } = await work.change({ ids: [id] }, ([stored]) => {
        const ended = stored === undefined ? null : aborted(stored, at);
        return ended === null ? {} : { put: [ended] };
      });
      return put !== undefined;
    },
    /** Ids of those that expired, and of those that were forgotten. */
    async expire(now: Instant, oldest: Instant, most: number): Promise<readonly string[]> {
      const { put = [] } = await work.change({ open: afterMaking }, (records) => ({
        put: expired(records, now, most),
      }));
      const ended = { open: [...afterMaking, null], plannedBefore: oldest };
      const { remove = [] } = await work.change(ended, (records) => forgotten(records, oldest));
      return [...remove, ...put].map(({ id }) => id);
    },
    /** Newest first. */
    list: ({ account }: Principal): Promise<readonly ExportRecord[]> => work.list({ owner: account }),
  };
}

export type StoredExports = ReturnType<typeof storedExports>;
