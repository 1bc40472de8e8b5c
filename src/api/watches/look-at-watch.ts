import { AppError } from '../../model/error.ts';
import type { Watch } from '../../model/watch.ts';
import { calendarOf } from '../../time/calendar.ts';
import { isAtWork } from '../../time/working-days.ts';
import { calendarNamed } from '../digests/calendar-named.ts';
import { createPacer } from '../local/pacer.ts';
import type { NudgedVisit, NudgeGroup, WatchPostman } from '../watches.ts';
import { overdueVisits, type Sight } from './overdue-visits.ts';
import { pauseBroken } from './pause-broken.ts';
import { byKey, isSnoozed, untoldSince } from './untold-since.ts';
import type { WatchesParts } from './watches-parts.ts';
import { type HearingParts, whoHears } from './who-hears.ts';
import { whyNoStatus } from './why-no-status.ts';

/** What a look takes. */
export interface LookParts extends WatchesParts, Pick<HearingParts, 'presenceOf' | 'isRefused'> {
  readonly postman: WatchPostman;
}

/** What a watch saw, and whom it has to tell what, by account. `later`: of some it has to be found out again soon. */
export interface Look {
  readonly sight: Sight;
  readonly groups: ReadonlyMap<string, NudgeGroup>;
  readonly became: 'done' | 'later';
}

/** Looks at one watch. `resting`: nobody is told at this hour, or it cannot work and has paused. */
export async function lookAtWatch(watch: Watch, parts: LookParts): Promise<Look | 'resting'> {
  const { postman, settings, now } = parts;
  const calendar = await calendarNamed(watch.calendar, settings);
  if (calendar === null) {
    await pauseBroken(watch, `The calendar '${watch.calendarName ?? watch.calendar}' is gone.`, parts);
    return 'resting';
  }
  if (!isAtWork(calendarOf(calendar), watch.timeZone, now())) return 'resting';
  const asker = await postman.askerOf(watch.owner);
  if (asker === null) {
    await pauseBroken(watch, 'Its owner does not work here any more.', parts);
    return 'resting';
  }
  const trouble = await whyNoStatus(watch.status, asker, parts);
  const sight = trouble === null ? await overdueVisits(watch, asker, parts).catch(whyNot) : trouble;
  if (typeof sight === 'string') {
    await pauseBroken(watch, sight, parts);
    return 'resting';
  }
  return { sight, ...(await whoHearsWhat(watch, sight, parts)) };
}

/** One person about whom nothing can be found out keeps nobody else from being told. */
async function whoHearsWhat(watch: Watch, sight: Sight, parts: LookParts): Promise<Omit<Look, 'sight'>> {
  const { store, now, log } = parts;
  const { calendar, asOf, dataAsOf } = sight;
  const alerts = byKey(await store.alerts(watch.id));
  const told = { alerts, snoozes: byKey(await store.snoozes()), now: now() };
  const byAccount = new Map<string, NudgedVisit[]>();
  const pace = createPacer();
  let became: Look['became'] = 'done';
  for (const overdue of sight.overdue) {
    await pace();
    const { issue } = overdue;
    const since = untoldSince(issue, told);
    if (since === null) continue;
    try {
      const { account, why } = await whoHears(watch, issue, parts);
      if (isSnoozed(issue, account, told)) continue;
      const visits = byAccount.get(account) ?? [];
      visits.push({ ...overdue, why, untoldSince: since });
      byAccount.set(account, visits);
    } catch (error) {
      log.warn(
        { err: error, watchId: watch.id, key: issue.key },
        'who is to be told cannot be found out yet',
      );
      became = 'later';
    }
  }
  const groups = [...byAccount].map(
    ([account, visits]) => [account, { watch, visits, calendar, asOf, dataAsOf }] as const,
  );
  return { groups: new Map(groups), became };
}

/** What passes by itself. */
const passing: readonly string[] = ['unavailable', 'too-many'];

/** What an owner has to put right; everything else may pass, or is a bug of ours. */
function whyNot(error: unknown): string {
  if (!(error instanceof AppError) || passing.includes(error.code)) throw error;
  return error.details.length > 0 ? error.details.join(' ') : error.message;
}
