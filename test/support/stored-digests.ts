import {
  addDigestPeriods,
  changedPeriod,
  endedPeriod,
  finishedPeriod,
  forgetPeriods,
  isUntouchedPeriod,
  type PeriodEnd,
  posted,
  releasedPeriod,
  renoted,
  resting,
  runsOf,
  takenPeriod,
  unreported,
} from '../../src/api/digests/plan-periods.ts';
import type { Lease } from '../../src/concurrency/leased-worker.ts';
import type { Digest, DigestRun, Skipped, StoredDigest } from '../../src/model/digest.ts';
import type { Instant } from '../../src/model/issue.ts';
import type { TenantStore } from '../../src/store/store.ts';
import { ENDED, periodId, TO_POST } from '../../src/store/work-kinds.ts';

/** What is done to stored digests and their periods, each deed as the work on digests does it. */
export function storedDigests(store: Pick<TenantStore, 'digests' | 'periods'>) {
  const { digests, periods } = store;
  const withLastRun = async (digest: StoredDigest): Promise<Digest> => {
    const [lastRun = null] = await runsOf(store, digest.id, 1, { ended: true });
    return { ...digest, lastRun };
  };
  return {
    async add({ lastRun, ...digest }: Digest): Promise<void> {
      await digests.change(digest.id, () => digest);
    },
    async get(id: string): Promise<Digest | null> {
      const digest = await digests.get(id);
      return digest && withLastRun(digest);
    },
    async change(id: string, changes: Partial<StoredDigest>): Promise<void> {
      await digests.change(id, (kept) => kept && { ...kept, ...changes });
    },
    due: async (now: Instant): Promise<readonly StoredDigest[]> =>
      (await digests.list())
        .filter(({ paused, nextDue }) => !paused && nextDue !== null && nextDue <= now)
        .toSorted((a, b) => Number(a.nextDue) - Number(b.nextDue)),
    async remove(id: string): Promise<void> {
      await digests.change(id, () => null);
      await periods.change({ owner: id }, (remove) => ({ remove }));
    },
    /** Writes the periods of a digest as it was known when it was due at an instant. */
    async addRuns(
      id: string,
      nextDue: Instant,
      runs: readonly {
        readonly due: Instant;
        readonly notBefore: Instant;
        readonly skipped: Skipped | null;
      }[],
      next: Instant | null,
      now: Instant,
    ): Promise<void> {
      const digest = await digests.get(id);
      if (digest === null) return;
      await addDigestPeriods({ ...digest, nextDue }, { periods: runs, next }, { store, now: () => now });
    },
    async claim(now: Instant, lease: Lease, busy: readonly string[] = []): Promise<DigestRun | null> {
      const which = { now, open: [TO_POST], resting: resting(await digests.list(), new Set(busy)) };
      return (await periods.claim(which, lease, takenPeriod))?.run ?? null;
    },
    renew: (id: string, due: Instant, lease: Lease): Promise<boolean> =>
      periods.keep(periodId(id, due), lease, (stored) => changedPeriod(stored, () => ({}))),
    putNote: (id: string, due: Instant, lease: Lease, note: DigestRun['note']): Promise<boolean> =>
      periods.keep(periodId(id, due), lease, (stored) => changedPeriod(stored, () => ({ note })), {
        isPatient: true,
      }),
    finish: (id: string, due: Instant, holder: string, end: PeriodEnd, at: Instant): Promise<boolean> =>
      periods.release(periodId(id, due), { holder, notBefore: 0 }, (stored) =>
        finishedPeriod(stored, end, at),
      ),
    release: (
      id: string,
      due: Instant,
      { holder, notBefore, isAttempt }: { holder: string; notBefore: Instant; isAttempt: boolean },
    ): Promise<boolean> =>
      periods.release(periodId(id, due), { holder, notBefore }, (stored) =>
        isAttempt ? changedPeriod(stored, () => ({})) : releasedPeriod(stored),
      ),
    async skipWaiting(id: string, why: Skipped, now: Instant): Promise<void> {
      await periods.change({ owner: id, open: [TO_POST], freeAt: now }, (found) => ({
        put: found.map((one) => endedPeriod(one, { state: 'skipped', ...why }, now)),
      }));
    },
    async takeBack(after: Instant): Promise<void> {
      await periods.change({ plannedAfter: after }, (found) => ({
        remove: found.filter((one) => one.run.due > after && isUntouchedPeriod(one)),
      }));
    },
    unreported: (since: Instant): Promise<readonly DigestRun[]> => unreported(store, since),
    async changeNote(id: string, due: Instant, before: DigestRun['note'], note: DigestRun['note']) {
      const which = { ids: [periodId(id, due)], open: ENDED };
      const { put } = await periods.change(which, (found) => renoted(found, before, note));
      return put !== undefined;
    },
    async markPosted(digestId: string, due: Instant, note: DigestRun['note']): Promise<boolean> {
      const { put } = await periods.change({ ids: [periodId(digestId, due)] }, ([stored]) =>
        posted(stored, { digestId, due, note }),
      );
      return put !== undefined;
    },
    runs: (id: string, count: number): Promise<readonly DigestRun[]> => runsOf(store, id, count),
    forget: (before: Instant): Promise<void> => forgetPeriods(store, before),
  };
}

export type StoredDigests = ReturnType<typeof storedDigests>;
