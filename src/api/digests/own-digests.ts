import type { Digest, DigestWish } from '../../model/digest.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { fireTimes } from '../../time/cron.ts';
import type { DigestAsker, DigestsApi } from '../digests.ts';
import { calendarNamed } from './calendar-named.ts';
import { checkDigestWish, whyBadSchedule } from './check-digest-wish.ts';
import type { DigestsParts } from './digests-parts.ts';
import { toldTimes } from './told-times.ts';

/** Somebody's digests are for them and their channels; more than so many nobody reads. */
const MOST_OWN = 50;
/** A schedule is looked ahead for no longer than anybody shows. */
const MOST_AHEAD = 100;

/** Keeping and changing digests, each with the rights of who asks. */
export function ownDigests(parts: Pick<DigestsParts, 'store' | 'settings' | 'now' | 'newId'>): DigestsApi {
  const { store, now, newId } = parts;

  async function get(asker: DigestAsker, id: string): Promise<Digest> {
    const digest = await store.get(id);
    if (digest === null || !mayChange(asker, digest)) throw unknown(id);
    return digest;
  }

  async function change(asker: DigestAsker, id: string, make: (kept: Digest) => Digest): Promise<Digest> {
    const changed = await store.change(id, (kept) => {
      // It may have been handed over meanwhile.
      if (!mayChange(asker, kept)) throw unknown(id);
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
      await checkDigestWish(wish, parts);
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
    async list(asker, channel) {
      const all = await store.list();
      if (channel === null && asker.admin) return all;
      return all.filter(
        ({ owner, place }) =>
          owner === asker.account ||
          (channel !== null && place.kind === 'channel' && place.channel === channel),
      );
    },
    async change(asker, id, changes) {
      const { title, question, place, schedule, workingDays, file } = {
        ...(await get(asker, id)),
        ...changes,
      };
      const wish: DigestWish = { title, question, place, schedule, workingDays, file };
      await checkDigestWish(wish, parts);
      let isElsewhere = false;
      const changed = await change(asker, id, (kept) => {
        const isRescheduled =
          kept.schedule.cron !== schedule.cron || kept.schedule.timeZone !== schedule.timeZone;
        isElsewhere = isRescheduled || channelOf(kept) !== channelOf(wish);
        const nextDue = isRescheduled && !kept.paused ? nextOf(wish, now()) : kept.nextDue;
        return { ...kept, ...wish, title: title.trim(), nextDue };
      });
      return isElsewhere ? leaveWaiting(changed, 'changed') : changed;
    },
    async pause(asker, id) {
      const paused = await change(asker, id, (kept) => ({ ...kept, paused: true, nextDue: null }));
      return leaveWaiting(paused, 'paused');
    },
    async resume(asker, id) {
      // What was at work when it was paused may wait since.
      if ((await get(asker, id)).paused) await store.skipWaiting(id, leftBy('paused'), now());
      return change(asker, id, (kept) =>
        kept.paused ? { ...kept, paused: false, nextDue: nextOf(kept, now()) } : kept,
      );
    },
    async handOver(asker, id, account) {
      if (account === '') throw badRequest("account '' is not known; allowed: somebody's account.");
      return change(asker, id, (kept) => ({ ...kept, owner: account }));
    },
    async takeOver({ account }, id, gone) {
      const taken = await store.change(id, (kept) => {
        if (kept.owner !== gone) throw unknown(id);
        return { ...kept, owner: account };
      });
      if (taken === null) throw unknown(id);
      return taken;
    },
    async remove(asker, id) {
      await get(asker, id);
      if (!(await store.remove(id))) throw unknown(id);
    },
    async toldAfter({ schedule, workingDays }, after, count) {
      const why = whyBadSchedule(schedule, after);
      if (why.length > 0) throw badRequest(...why);
      const calendar = workingDays === null ? null : await calendarNamed(workingDays, parts.settings);
      return toldTimes({ schedule, calendar }, after, Math.min(count, MOST_AHEAD));
    },
    async tellAfterAll(asker, id, due, note) {
      await get(asker, id);
      return store.putTold(id, due, note);
    },
    async runs(asker, id, count) {
      await get(asker, id);
      return store.runs(id, count);
    },
  };
}

function leftBy(change: 'changed' | 'paused'): string {
  return `It had not been brought to its end when the digest was ${change}.`;
}

function channelOf({ place }: Pick<DigestWish, 'place'>): string | null {
  return place.kind === 'channel' ? place.channel : null;
}

function mayChange({ account, admin }: DigestAsker, { owner }: Digest): boolean {
  return admin || owner === account;
}

function nextOf({ schedule }: Pick<DigestWish, 'schedule'>, after: Instant): Instant | null {
  return fireTimes(schedule, after, 1)[0] ?? null;
}

function unknown(id: string): AppError {
  return new AppError('not-found', `There is no digest '${id}', or it is not yours.`);
}
