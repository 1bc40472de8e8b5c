import type { DigestRun } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { HeldRun } from '../../store/job-stores.ts';
import type { Lease } from '../../store/lease.ts';
import { every } from '../local/exports/pace.ts';
import type { DigestsParts } from './digests-parts.ts';

/** Longer than a call of Slack may last, so that nobody looks for a message that is still on its way. */
const LEASE_MS = 60_000;
/** How often it is renewed (ms of real time). */
const RENEW_MS = 10_000;

/** A period this process works on. */
export interface PeriodHold {
  /** Aborted when the period is not ours any more. */
  readonly lost: AbortSignal;
  note(): DigestRun['note'];
  /** Makes a changed note durable; `unavailable` when the period is somebody else's by now. */
  keep(note: DigestRun['note']): Promise<void>;
  /** Touches the store no more. */
  end(): void;
}

/** A lease that begins now. */
export function periodLease(holder: string, { now }: Pick<DigestsParts, 'now'>): Lease {
  return { holder, until: now() + LEASE_MS };
}

/** Renews the lease of a claimed period until told to end. */
export function holdPeriod(
  { run }: HeldRun,
  holder: string,
  parts: Pick<DigestsParts, 'store' | 'now' | 'log'>,
): PeriodHold {
  const { store, log } = parts;
  const { digestId, due } = run;
  const controller = new AbortController();
  const lease = () => periodLease(holder, parts);
  let note = run.note;
  let isOver = false;
  const stop = every(RENEW_MS, () => {
    store.renew(digestId, due, lease()).then(
      (held) => held || controller.abort(),
      (error: unknown) =>
        log.warn({ err: error, digestId, due }, 'the lease of a digest could not be renewed'),
    );
  });
  return {
    lost: controller.signal,
    note: () => note,
    async keep(changed) {
      if (isOver || controller.signal.aborted || !(await store.putNote(digestId, due, lease(), changed))) {
        controller.abort();
        throw new AppError('unavailable', 'The digest is being posted by another process.');
      }
      note = changed;
    },
    end() {
      isOver = true;
      stop();
    },
  };
}
