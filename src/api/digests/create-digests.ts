import { millisecondsInHour } from 'date-fns/constants';
import type { LeasedWorker } from '../../concurrency/leased-worker.ts';
import {
  type Digest,
  type DigestInput,
  type DigestPeriod,
  digestFiles,
  type Schedule,
  type StoredDigest,
} from '../../model/digest.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import type { Principal } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { periodId, TO_POST, TO_REPORT } from '../../store/work-kinds.ts';
import { fireTimes, scheduleProblem } from '../../time/cron.ts';
import { calendarById } from '../settings/settings-api.ts';
import { createDigestWorker } from './digest-worker.ts';
import type { DigestNotifier, DigestsApi } from './digests-api.ts';
import {
  type DigestsParts,
  endedPeriod,
  isElsewhere,
  plannedPeriod,
  posted,
  postingChannel,
  runsOf,
} from './plan-periods.ts';

/** The digests one person can own; more go unread. */
const MAX_OWN = 50;
const MAX_TITLE = 100;
/** The time between two posts at least; more frequent ones go unread. */
const MIN_MS = millisecondsInHour;
/** The number of fires that shows every pause of a schedule whose minutes and hours repeat daily. */
const FIRES_CHECKED = 50;
/** The most posts that are looked ahead, as more are never shown, and the most periods: a holiday may be long. */
const MAX_AHEAD = 100;
const MAX_PERIODS_AHEAD = 200;

/** Digests over the store, and the work that is done for them beside answering. */
export function createDigests(parts: DigestsParts): DigestsApi & LeasedWorker<DigestNotifier> {
  const { store, now, newId } = parts;
  const { digests, periods } = store;

  async function get(principal: Principal, id: string): Promise<Digest> {
    const digest = await digests.get(id);
    if (digest === null || !canChange(principal, digest)) throw unknownDigest(id);
    return withLastRun(digest);
  }

  /** A digest with the newest of its periods that have ended. */
  async function withLastRun(digest: StoredDigest): Promise<Digest> {
    const [lastRun = null] = await runsOf(store, digest.id, 1, { ended: true });
    return { ...digest, lastRun };
  }

  /** Changes a digest, checked where it is stored, as it may have been handed over meanwhile; `gone`: an owner who left. */
  async function change(
    principal: Principal,
    id: string,
    make: (digest: StoredDigest) => StoredDigest,
    gone: string | null = null,
  ): Promise<Digest> {
    const changed = await digests.change(id, (digest) => {
      const isAllowed =
        digest !== null && (gone === null ? canChange(principal, digest) : digest.owner === gone);
      if (!isAllowed) throw unknownDigest(id);
      return make(digest);
    });
    return withLastRun(changed);
  }

  /** Skips the periods that wait: they are not wanted later, nor elsewhere. */
  async function skipWaiting(id: string, since: 'changed' | 'paused' | 'restored'): Promise<void> {
    const what = since === 'restored' ? 'database' : 'digest';
    const message = `It was not finished when the ${what} was ${since}.`;
    // The processes of another database do not exist here.
    const which = { owner: id, open: [TO_POST], ...(since !== 'restored' && { freeAt: now() }) };
    await periods.change(which, (found) => ({
      put: found.map((one) => endedPeriod(one, { state: 'skipped', skipReason: since, message }, now())),
    }));
  }

  /** Fails with a `bad-request` that names every problem. */
  async function check({ title, schedule, workingDays, file, place }: DigestInput): Promise<void> {
    const problems = [
      (title.trim() === '' || title.length > MAX_TITLE) &&
        `title '${title}' is not allowed. Try: 1 to ${MAX_TITLE} characters.`,
      scheduleError(schedule, now()),
      workingDays !== null &&
        (await calendarById(workingDays, parts)) === null &&
        `calendar '${workingDays}' is not known. Try: the id of a calendar, or normalHours.`,
      file !== null &&
        !digestFiles.includes(file) &&
        `file '${file}' is not known. Try: ${digestFiles.join(', ')}.`,
      postingChannel({ place }) === '' && "channel '' is not known. Try: the id of a channel.",
    ].filter((problem) => typeof problem === 'string');
    if (problems.length > 0) throw badRequest(...problems);
  }

  return {
    ...createDigestWorker(parts),
    get,
    async create({ account }, input) {
      await check(input);
      const createdAt = now();
      const id = newId();
      const digest = await digests.change(id, (_none, all) => {
        if (all.filter(({ owner }) => owner === account).length >= MAX_OWN) throw tooManyDigests();
        return {
          ...input,
          title: input.title.trim(),
          id,
          owner: account,
          createdAt,
          paused: false,
          nextDue: nextDueAfter(createdAt, input),
        };
      });
      return { ...digest, lastRun: null };
    },
    async list(principal, channel) {
      const isListed = (digest: StoredDigest) =>
        (channel === null && principal.rights === 'admin') ||
        digest.owner === principal.account ||
        (channel !== null && postingChannel(digest) === channel);
      const listed = (await digests.list()).filter(isListed).toSorted(byTitle);
      return Promise.all(listed.map(withLastRun));
    },
    async change(principal, id, changes) {
      const { title, question, place, schedule, workingDays, file } = {
        ...(await get(principal, id)),
        ...changes,
      };
      const input = { title, question, place, schedule, workingDays, file };
      await check(input);
      let isMoved = false;
      const changed = await change(principal, id, (digest) => {
        isMoved = isElsewhere(digest, input);
        const isRescheduled = isElsewhere(digest, { ...digest, schedule });
        const nextDue = isRescheduled && !digest.paused ? nextDueAfter(now(), input) : digest.nextDue;
        return { ...digest, ...input, title: title.trim(), nextDue };
      });
      if (isMoved) await skipWaiting(id, 'changed');
      return changed;
    },
    async pause(principal, id) {
      const paused = await change(principal, id, (digest) => ({ ...digest, paused: true, nextDue: null }));
      await skipWaiting(id, 'paused');
      return paused;
    },
    async resume(principal, id) {
      // A period that was under way when it was paused may wait since.
      if ((await get(principal, id)).paused) await skipWaiting(id, 'paused');
      return change(principal, id, (digest) =>
        digest.paused ? { ...digest, paused: false, nextDue: nextDueAfter(now(), digest) } : digest,
      );
    },
    async handOver(principal, id, account) {
      if (account === '') throw badRequest("account '' is not known. Try: the account of a person.");
      return change(principal, id, (digest) => ({ ...digest, owner: account }));
    },
    takeOver: (principal, id, gone) =>
      change(principal, id, (digest) => ({ ...digest, owner: principal.account }), gone),
    async remove(principal, id) {
      await digests.change(id, (digest) => {
        if (digest === null || !canChange(principal, digest)) throw unknownDigest(id);
        return null;
      });
      await periods.change({ owner: id }, (remove) => ({ remove }));
    },
    async nextPosts({ schedule, workingDays }, after, count) {
      const problem = scheduleError(schedule, after);
      if (problem !== null) throw badRequest(problem);
      const calendar = workingDays === null ? null : await calendarById(workingDays, parts);
      return postingTimes({ schedule, calendar }, after, Math.min(count, MAX_AHEAD));
    },
    async markPosted(principal, id, due, note) {
      await get(principal, id);
      const { put } = await periods.change({ ids: [periodId(id, due)] }, ([stored]) =>
        posted(stored, { digestId: id, due, note }),
      );
      return put !== undefined;
    },
    async startOver() {
      for (const { id } of await digests.list()) {
        await skipWaiting(id, 'restored');
        await digests.change(id, (digest) =>
          digest === null || digest.paused ? digest : { ...digest, nextDue: nextDueAfter(now(), digest) },
        );
      }
      const reported = ({ run, plannedFor }: DigestPeriod) => ({
        run: { ...run, note: { ...run.note, told: '' } },
        plannedFor,
      });
      await periods.change({ open: [TO_REPORT] }, (found) => ({ put: found.map(reported) }));
    },
    async runs(principal, id, count) {
      await get(principal, id);
      return runsOf(store, id, count);
    },
  };
}

function canChange({ account, rights }: Principal, { owner }: StoredDigest): boolean {
  return rights === 'admin' || owner === account;
}

/** The order of digests: by title; of one title the one that is due first, paused ones last. */
function byTitle(a: StoredDigest, b: StoredDigest): number {
  const titles = compareText(a.title.toLowerCase(), b.title.toLowerCase());
  const due = (one: StoredDigest) => one.nextDue ?? Number.MAX_SAFE_INTEGER;
  return titles || due(a) - due(b) || compareText(a.id, b.id);
}

function nextDueAfter(after: Instant, { schedule }: Pick<DigestInput, 'schedule'>): Instant | null {
  return fireTimes(schedule, after, 1)[0] ?? null;
}

function tooManyDigests(): AppError {
  const sentence = `You have ${MAX_OWN} digests, the most one person can own. Delete one you don't need.`;
  return new AppError('too-many-digests', 'Too many digests', [sentence], { data: { most: MAX_OWN } });
}

function unknownDigest(id: string): AppError {
  return new AppError('unknown-digest', `There is no digest '${id}', or it is not yours.`, [], {
    data: { id },
  });
}

/** The reason a digest cannot be posted at such times, in a sentence; null where it can. */
function scheduleError(schedule: Schedule, after: Instant): string | null {
  const error = scheduleProblem(schedule);
  if (error !== null) return error;
  // In a zone whose clocks are changed, two times of day may for once come close together.
  const times = fireTimes({ ...schedule, timeZone: 'UTC' }, after, FIRES_CHECKED);
  const isTooOften = times.some((at, i) => i > 0 && at - (times[i - 1] ?? 0) < MIN_MS);
  return isTooOften
    ? `schedule '${schedule.cron}' is due more often than once an hour. Try: at most once an hour.`
    : null;
}

/**
 * The instants at which the next periods that fall due after an instant are posted: one that falls on a day off comes on
 * the next working day, unless another follows before. Fewer than `count` where hardly any day is worked on.
 */
function postingTimes(
  { schedule, calendar }: { readonly schedule: Schedule; readonly calendar: CalendarDefinition | null },
  after: Instant,
  count: number,
): readonly Instant[] {
  if (calendar === null) return fireTimes(schedule, after, count);
  const times: Instant[] = [];
  let due = nextDueAfter(after, { schedule });
  for (let checked = 0; due !== null && times.length < count && checked < MAX_PERIODS_AHEAD; checked += 1) {
    const following = nextDueAfter(due, { schedule });
    const { notBefore, skipped } = plannedPeriod(due, following, schedule, calendar);
    if (skipped === null) times.push(notBefore);
    due = following;
  }
  return times;
}
