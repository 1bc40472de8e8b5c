import type { DigestPeriod, DigestRun, StoredDigest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { TenantStore } from '../../store/store.ts';
import { ENDED, TO_REPORT, type WorkChanges } from '../../store/work-kinds.ts';

/** The end of a period. */
export type PeriodEnd = Pick<DigestRun, 'message'> & {
  readonly state: 'sent' | 'silent' | 'skipped' | 'failed';
  readonly skipReason?: DigestRun['skipReason'];
};

/** A period before any work on it. */
export function newPeriod(digestId: string, due: Instant, plannedFor: Instant): DigestPeriod {
  const nothing = { note: {}, attempts: 0, message: null, skipReason: null, finishedAt: null };
  return { run: { digestId, due, state: 'claimed', ...nothing }, plannedFor };
}

/** A period whose work was started. */
export function taken({ run, plannedFor }: DigestPeriod): DigestPeriod {
  return { run: { ...run, attempts: run.attempts + 1 }, plannedFor };
}

/** A period that its process released in good order, which was no attempt; null where it has ended. */
export function released(period: DigestPeriod): DigestPeriod | null {
  return changed(period, ({ attempts }) => ({ attempts: attempts - 1 }));
}

/** A period that has come to its end; null where it had before. */
export function finished(period: DigestPeriod, end: PeriodEnd, finishedAt: Instant): DigestPeriod | null {
  return period.run.state === 'claimed' ? ended(period, end, finishedAt) : null;
}

/** Gives another note to the period that has this one, among periods that have ended. */
export function renoted(
  found: readonly DigestPeriod[],
  before: DigestRun['note'],
  note: DigestRun['note'],
): WorkChanges<DigestPeriod> {
  const put = found
    .filter(({ run }) => JSON.stringify(run.note) === JSON.stringify(before))
    .map(({ run, plannedFor }) => ({ run: { ...run, note }, plannedFor }));
  return put.length === 0 ? {} : { put };
}

/** Records of a period that failed, or is not known, that it was posted after all. */
export function posted(
  stored: DigestPeriod | undefined,
  { digestId, due, note }: Pick<DigestRun, 'digestId' | 'due' | 'note'>,
): WorkChanges<DigestPeriod> {
  if (stored !== undefined && stored.run.state !== 'failed') return {};
  const { run, plannedFor } = stored ?? newPeriod(digestId, due, due);
  const finishedAt = run.finishedAt ?? due;
  return { put: [{ run: { ...run, state: 'sent', message: null, note, finishedAt }, plannedFor }] };
}

/** A period with changes, if it has not come to its end; else null. */
export function changed(
  { run, plannedFor }: DigestPeriod,
  changes: (run: DigestRun) => Partial<DigestRun>,
): DigestPeriod | null {
  return run.state === 'claimed' ? { run: { ...run, ...changes(run) }, plannedFor } : null;
}

/** A period that has come to its end. */
export function ended(
  period: DigestPeriod,
  { skipReason = null, ...end }: PeriodEnd,
  finishedAt: Instant,
): DigestPeriod {
  return { ...period, run: { ...period.run, ...end, skipReason, finishedAt } };
}

/** A period of which nothing was, or can have been, posted. */
export function isUntouched({ run: { state, note } }: DigestPeriod): boolean {
  if (state === 'claimed') return Object.keys(note).length === 0;
  return state === 'skipped' || state === 'silent';
}

/** Removes the periods that ended before an instant, but for the newest of each digest. */
export async function forgetPeriods(
  { periods }: Pick<TenantStore, 'periods'>,
  before: Instant,
): Promise<void> {
  const old = { open: ENDED, plannedBefore: before };
  const owners = new Set((await periods.list(old)).map(({ run }) => run.digestId));
  const newest = new Map<string, Instant>();
  for (const owner of owners) {
    for (const { run } of await periods.list({ owner, open: ENDED }, 1)) newest.set(owner, run.due);
  }
  const isForgotten = ({ run: { digestId, due, finishedAt } }: DigestPeriod) =>
    Number(finishedAt) < before && due < (newest.get(digestId) ?? due);
  await periods.change(old, (found) => ({ remove: found.filter(isForgotten) }));
}

/** The newest periods of a digest, newest first; with `ended` only those that have ended. */
export async function runsOf(
  { periods }: Pick<TenantStore, 'periods'>,
  owner: string,
  count: number,
  options: { readonly ended: boolean } = { ended: false },
): Promise<readonly DigestRun[]> {
  const found = await periods.list({ owner, ...(options.ended && { open: ENDED }) }, count);
  return found.map(({ run }) => run).toSorted((a, b) => b.due - a.due);
}

/** Periods that failed since an instant and whose owners are to be notified, the oldest first. */
export async function unreported(
  { periods }: Pick<TenantStore, 'periods'>,
  since: Instant,
): Promise<readonly DigestRun[]> {
  const failed = (await periods.list({ open: [TO_REPORT] })).map(({ run }) => run);
  return failed.filter(({ finishedAt }) => Number(finishedAt) >= since).toReversed();
}

/** The channel that a digest is posted to; null: it is for its owner alone. */
export function postingChannel({ place }: Pick<StoredDigest, 'place'>): string | null {
  return place.kind === 'channel' ? place.channel : null;
}

/** Returns the channel a digest is posted in, or else its owner. */
export function placeOf(digest: StoredDigest): string {
  return postingChannel(digest) ?? digest.owner;
}

/** Ids of the digests of which nothing is posted now: they are paused, or their place is busy. */
export function resting(digests: readonly StoredDigest[], busy: ReadonlySet<string>): readonly string[] {
  return digests.filter((one) => one.paused || busy.has(placeOf(one))).map(({ id }) => id);
}

/** Returns true where the open periods of a digest were planned for another time or place than it has now. */
export function isElsewhere(before: DigestPlan, now: DigestPlan): boolean {
  const [cron, timeZone] = [now.schedule.cron, now.schedule.timeZone];
  if (before.schedule.cron !== cron || before.schedule.timeZone !== timeZone) return true;
  return postingChannel(before) !== postingChannel(now);
}

type DigestPlan = Pick<StoredDigest, 'schedule' | 'place'>;
