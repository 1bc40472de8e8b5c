import { millisecondsInHour } from 'date-fns/constants';
import { type Digest, type DigestInput, digestFiles, type Schedule } from '../../model/digest.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { fireTimes, whyNoSchedule } from '../../time/cron.ts';
import { calendarNamed } from '../calendar-named.ts';
import type { DigestsApi } from '../digests.ts';
import type { SettingsApi } from '../settings/settings-api.ts';
import { createDigestWorker, type DigestWorker } from './digest-worker.ts';
import { type DigestsParts, periodOf } from './plan-periods.ts';

/** A person's digests are for them and their channels; more than so many go unread. */
const MOST_OWN = 50;
/** A schedule is looked ahead for no longer than is ever shown. */
const MOST_AHEAD = 100;

/** Digests, and the work that is done for them beside answering. */
type Digests = DigestsApi & DigestWorker;

/** Digests over the store. */
export function createDigests(parts: DigestsParts): Digests {
  return { ...ownDigests(parts), ...createDigestWorker(parts) };
}

/** Keeping and changing digests, each with the rights of who asks. */
function ownDigests(parts: Pick<DigestsParts, 'store' | 'settings' | 'now' | 'newId'>): DigestsApi {
  const { store, now, newId } = parts;

  async function get(principal: Principal, id: string): Promise<Digest> {
    const digest = await store.get(id);
    if (digest === null || !mayChange(principal, digest)) throw unknown(id);
    return digest;
  }

  async function change(principal: Principal, id: string, make: (kept: Digest) => Digest): Promise<Digest> {
    const changed = await store.change(id, (kept) => {
      // It may have been handed over meanwhile.
      if (!mayChange(principal, kept)) throw unknown(id);
      return make(kept);
    });
    if (changed === null) throw unknown(id);
    return changed;
  }

  /** What has waited for so long is not wanted later, nor elsewhere. */
  async function leaveWaiting(digest: Digest, change: 'changed' | 'paused'): Promise<Digest> {
    await store.skipWaiting(digest.id, leftBy(change), now());
    return digest;
  }

  return {
    get,
    async create({ account }, wish) {
      await checkDigest(wish, parts);
      const at = now();
      const digest: Digest = {
        ...wish,
        title: wish.title.trim(),
        id: newId(),
        owner: account,
        paused: false,
        createdAt: at,
        nextDue: nextOf(wish, at),
        lastRun: null,
      };
      if (await store.add(digest, MOST_OWN)) return digest;
      throw new AppError('too-many', 'Too many digests', [
        `You have ${MOST_OWN} digests, and no more are allowed; delete one you do not need, or hand one over.`,
      ]);
    },
    async list(principal, channel) {
      const all = await store.list();
      if (channel === null && principal.rights === 'admin') return all;
      return all.filter(
        ({ owner, place }) =>
          owner === principal.account ||
          (channel !== null && place.kind === 'channel' && place.channel === channel),
      );
    },
    async change(principal, id, changes) {
      const { title, question, place, schedule, workingDays, file } = {
        ...(await get(principal, id)),
        ...changes,
      };
      const wish: DigestInput = { title, question, place, schedule, workingDays, file };
      await checkDigest(wish, parts);
      let isElsewhere = false;
      const changed = await change(principal, id, (kept) => {
        const isRescheduled =
          kept.schedule.cron !== schedule.cron || kept.schedule.timeZone !== schedule.timeZone;
        isElsewhere = isRescheduled || channelOf(kept) !== channelOf(wish);
        const nextDue = isRescheduled && !kept.paused ? nextOf(wish, now()) : kept.nextDue;
        return { ...kept, ...wish, title: title.trim(), nextDue };
      });
      return isElsewhere ? leaveWaiting(changed, 'changed') : changed;
    },
    async pause(principal, id) {
      const paused = await change(principal, id, (kept) => ({ ...kept, paused: true, nextDue: null }));
      return leaveWaiting(paused, 'paused');
    },
    async resume(principal, id) {
      // What was at work when it was paused may wait since.
      if ((await get(principal, id)).paused) await store.skipWaiting(id, leftBy('paused'), now());
      return change(principal, id, (kept) =>
        kept.paused ? { ...kept, paused: false, nextDue: nextOf(kept, now()) } : kept,
      );
    },
    async handOver(principal, id, account) {
      if (account === '') throw badRequest("account '' is not known; allowed: somebody's account.");
      return change(principal, id, (kept) => ({ ...kept, owner: account }));
    },
    async takeOver({ account }, id, gone) {
      const taken = await store.change(id, (kept) => {
        if (kept.owner !== gone) throw unknown(id);
        return { ...kept, owner: account };
      });
      if (taken === null) throw unknown(id);
      return taken;
    },
    async remove(principal, id) {
      await get(principal, id);
      if (!(await store.remove(id))) throw unknown(id);
    },
    async nextPosts({ schedule, workingDays }, after, count) {
      const why = whyBadSchedule(schedule, after);
      if (why.length > 0) throw badRequest(...why);
      const calendar = workingDays === null ? null : await calendarNamed(workingDays, parts.settings);
      return postingTimes({ schedule, calendar }, after, Math.min(count, MOST_AHEAD));
    },
    async markPosted(principal, id, due, note) {
      await get(principal, id);
      return store.putTold(id, due, note);
    },
    async runs(principal, id, count) {
      await get(principal, id);
      return store.runs(id, count);
    },
  };
}

function leftBy(change: 'changed' | 'paused'): string {
  return `It had not been brought to its end when the digest was ${change}.`;
}

function channelOf({ place }: Pick<DigestInput, 'place'>): string | null {
  return place.kind === 'channel' ? place.channel : null;
}

function mayChange({ account, rights }: Principal, { owner }: Digest): boolean {
  return rights === 'admin' || owner === account;
}

function nextOf({ schedule }: Pick<DigestInput, 'schedule'>, after: Instant): Instant | null {
  return fireTimes(schedule, after, 1)[0] ?? null;
}

function unknown(id: string): AppError {
  return new AppError('not-found', `There is no digest '${id}', or it is not yours.`);
}

const LONGEST_TITLE = 100;

/** Fails with a `bad-request` that names everything that is wrong with a wish. */
async function checkDigest(
  { title, schedule, workingDays, file, place }: DigestInput,
  { settings, now }: { readonly settings: Pick<SettingsApi, 'calendars'>; readonly now: () => Instant },
): Promise<void> {
  const problems: string[] = [];
  if (title.trim() === '' || title.length > LONGEST_TITLE) {
    problems.push(`title '${title}' is not allowed; allowed: 1 to ${LONGEST_TITLE} characters.`);
  }
  problems.push(...whyBadSchedule(schedule, now()));
  if (workingDays !== null && (await calendarNamed(workingDays, settings)) === null) {
    problems.push(`calendar '${workingDays}' is not known; allowed: the id of a calendar, or normalHours.`);
  }
  if (file !== null && !digestFiles.includes(file)) {
    problems.push(`file '${file}' is not known; allowed: ${digestFiles.join(', ')}.`);
  }
  if (place.kind === 'channel' && place.channel === '') {
    problems.push("channel '' is not known; allowed: the id of a channel.");
  }
  if (problems.length > 0) throw badRequest(...problems);
}

/** Why a digest cannot be told at such times, in sentences; none: it can. */
function whyBadSchedule(schedule: Schedule, after: Instant): readonly string[] {
  const why = whyNoSchedule(schedule) ?? whyTooOften(schedule, after);
  return why === null ? [] : [why];
}

/** More often nobody reads what an app says. */
const LEAST_MS = millisecondsInHour;
/** As many fires as show every pause of a schedule whose minutes and hours repeat daily. */
const LOOKED_AT = 50;

/** Why a schedule that fires is too much, in a sentence; null: it is not. */
function whyTooOften(schedule: Schedule, after: Instant): string | null {
  // Where clocks are changed, two times of day may for once come close together.
  const times = fireTimes({ ...schedule, timeZone: 'UTC' }, after, LOOKED_AT);
  const isTooOften = times.some((at, i) => i > 0 && at - (times[i - 1] ?? 0) < LEAST_MS);
  if (!isTooOften) return null;
  return `schedule '${schedule.cron}' is due more often than once an hour; allowed: at most once an hour.`;
}

/** So many periods are looked at, of which a long holiday may leave all out. */
const MOST_LOOKED_AT = 200;

/**
 * When the next periods that fall due after an instant are told, as they will be planned: one that falls on a day off
 * comes on the next working day, unless another follows before. Fewer than `count` where hardly any day is worked on.
 */
function postingTimes(
  { schedule, calendar }: { readonly schedule: Schedule; readonly calendar: CalendarDefinition | null },
  after: Instant,
  count: number,
): readonly Instant[] {
  if (calendar === null) return fireTimes(schedule, after, count);
  const times: Instant[] = [];
  let [due] = fireTimes(schedule, after, 1);
  for (let looked = 0; due !== undefined && times.length < count && looked < MOST_LOOKED_AT; looked += 1) {
    const [following]: readonly Instant[] = fireTimes(schedule, due, 1);
    const { notBefore, skipped } = periodOf(due, following ?? null, schedule, calendar);
    if (skipped === null) times.push(notBefore);
    due = following;
  }
  return times;
}
