import type { ExportRecord } from '../../../model/export.ts';
import type { ExportStore } from '../../../store/job-stores.ts';
import type { Lease } from '../../../store/lease.ts';
import type { LocalExportsParts } from './exports-parts.ts';
import { every, type Pace } from './pace.ts';

/** Long enough for a busy process to renew it, short enough to wait for when its holder was killed. */
const LEASE_MS = 8_000;

/** An export that this process works on. */
export interface Hold {
  readonly id: string;
  /** Aborted when the export is not ours any more, or was aborted by its owner. */
  readonly lost: AbortSignal;
  /** The lease from this moment on. */
  lease(): Lease;
  /** Notes how far it is; kept with the next renewal. */
  tell(completed: number, total: number): void;
  progress(): Parameters<ExportStore['renew']>[2];
  /** Renews at once; false when the export is not ours any more. */
  renew(): Promise<boolean>;
  /** Gives it up. */
  lose(): void;
  /** Renews no more. */
  end(): void;
}

/** Who holds exports, and how. */
export type HoldParts = Pick<LocalExportsParts, 'store' | 'now' | 'log'> & {
  readonly holder: string;
  readonly pace: Pick<Pace, 'renewMs'>;
};

/** A lease that begins now. */
export function leaseFor({ holder, now }: Pick<HoldParts, 'holder' | 'now'>): Lease {
  return { holder, until: now() + LEASE_MS };
}

/** Renews the lease of a claimed export until told to end. */
export function holdExport({ id, completed, total }: ExportRecord, parts: HoldParts): Hold {
  const { store, log, pace } = parts;
  const controller = new AbortController();
  const lease = () => leaseFor(parts);
  let progress = { completed, total };
  let renewing = false;
  const stop = every(pace.renewMs, () => {
    if (!renewing) void renewQuietly();
  });

  async function renew(): Promise<boolean> {
    if (!controller.signal.aborted && !(await store.renew(id, lease(), progress))) controller.abort();
    return !controller.signal.aborted;
  }

  async function renewQuietly(): Promise<void> {
    renewing = true;
    try {
      await renew();
    } catch (error) {
      // Others may write for a while: the lease lasts longer, and who takes it in the end tells us by the store.
      log.warn({ err: error, exportId: id }, 'the lease of an export could not be renewed');
    } finally {
      renewing = false;
    }
  }

  return {
    id,
    lost: controller.signal,
    lease,
    tell(completed, total) {
      progress = { completed, total };
    },
    progress: () => progress,
    renew,
    lose: () => controller.abort(),
    end: stop,
  };
}
