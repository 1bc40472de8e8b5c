import { calendarOf } from '../../calendar/calendar-of.ts';
import { AppError } from '../../model/error.ts';
import type { Watch } from '../../model/watch.ts';
import { calendarNamed } from '../digests/calendar-named.ts';
import { createPacer } from '../local/pacer.ts';
import type { NudgedVisit, WatchPostman } from '../watches.ts';
import { overdueVisits, type Sight } from './overdue-visits.ts';
import { pauseBroken } from './pause-broken.ts';
import { tellHearer } from './tell-hearer.ts';
import { isTellingTime } from './telling-hours.ts';
import { byKey, isSnoozed, untoldSince } from './untold-since.ts';
import type { WatchesParts } from './watches-parts.ts';
import { type HearingParts, whoHears } from './who-hears.ts';
import { whyNoStatus } from './why-no-status.ts';

/** What a look takes. */
export interface LookParts extends WatchesParts, Pick<HearingParts, 'presenceOf'> {
  readonly postman: WatchPostman;
  readonly stopping: AbortSignal;
}

/**
 * Looks at one watch, and tells whoever is to be told. `resting`: nobody is told at this hour; `later`: somebody could
 * not be told, and may be soon; else what it saw.
 */
export async function lookAtWatch(watch: Watch, parts: LookParts): Promise<Sight | 'resting' | 'later'> {
  const { postman, settings, now } = parts;
  const calendar = await calendarNamed(watch.calendar, settings);
  if (calendar === null) {
    await pauseBroken(watch, `The calendar '${watch.calendar}' is gone.`, parts);
    return 'resting';
  }
  if (!isTellingTime(calendarOf(calendar), watch.timeZone, now())) return 'resting';
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
  return (await tellAll(watch, sight, parts)) === 'later' ? 'later' : sight;
}

/** Each person is told of everything in one message. */
async function tellAll(watch: Watch, sight: Sight, parts: LookParts): Promise<'done' | 'later'> {
  const { store, now, stopping } = parts;
  const { calendar, asOf } = sight;
  const alerts = byKey(await store.alerts(watch.id));
  const told = { alerts, snoozes: byKey(await store.snoozes()), now: now() };
  const byAccount = new Map<string, NudgedVisit[]>();
  const pace = createPacer();
  for (const overdue of sight.overdue) {
    await pace();
    const since = untoldSince(overdue.issue, told);
    if (since === null) continue;
    const { account, why } = await whoHears(watch, overdue.issue, parts);
    if (isSnoozed(overdue.issue, account, told)) continue;
    const visits = byAccount.get(account) ?? [];
    visits.push({ ...overdue, why, untoldSince: since });
    byAccount.set(account, visits);
  }
  let became: 'done' | 'later' = 'done';
  for (const [account, visits] of byAccount) {
    if (stopping.aborted) break;
    const telling = { watch, account, visits, calendar, asOf, alerts };
    if ((await tellHearer(telling, parts)) === 'later') became = 'later';
  }
  return became;
}

/** What an owner has to put right; everything else may pass, or is a bug of ours. */
function whyNot(error: unknown): string {
  if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
  return error.details.length > 0 ? error.details.join(' ') : error.message;
}
