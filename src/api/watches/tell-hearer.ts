import type { Watch } from '../../model/watch.ts';
import { createPacer } from '../local/pacer.ts';
import type { Nudge, NudgedVisit, NudgeOutcome, WatchPostman } from '../watches.ts';
import type { Told } from './untold-since.ts';
import type { WatchesParts } from './watches-parts.ts';

/** Longer than a call of Slack may last: who claimed a visit before that has died. */
const STALE_MS = 2 * 60_000;
/** So much of that is left for telling. */
const CALL_MS = 60_000;

/** One person, and what a watch has to tell them. */
export interface Telling extends Nudge {
  readonly account: string;
  /** What the watch told already, by key. */
  readonly alerts: Told['alerts'];
}

/** What telling takes. */
export type TellingParts = Pick<WatchesParts, 'store' | 'now'> & { readonly postman: WatchPostman };

/**
 * Tells one person of those visits that nobody else tells of, in one message, at most once. Where Slack refuses to tell
 * them, the owner is told. `later`: it has to be tried again soon; what is refused altogether is tried with the next look.
 */
export async function tellHearer(telling: Telling, parts: TellingParts): Promise<'done' | 'later'> {
  const { watch, account } = telling;
  const begin = parts.now();
  const visits = await claimed(telling, parts);
  if (visits.length === 0) return 'done';
  let hearer = account;
  const { calendar, asOf } = telling;
  const settle = (outcome: NudgeOutcome) => settleAll(visits, { watch, account: hearer, outcome }, parts);
  const say = (said: Nudge['visits']) =>
    parts.postman.nudge({ watch, visits: said, calendar, asOf }, hearer).catch(async (error: unknown) => {
      await settle('later');
      throw error;
    });
  if (parts.now() - begin > STALE_MS - CALL_MS) {
    // Others may take them for left behind before they are told.
    await settle('later');
    return 'later';
  }
  let outcome = await say(visits);
  if (outcome === 'refused' && account !== watch.owner) {
    hearer = watch.owner;
    outcome = await say(visits.map(notReached));
  }
  await settle(outcome);
  return outcome === 'later' ? 'later' : 'done';
}

async function claimed(
  { watch, account, visits, alerts }: Telling,
  parts: TellingParts,
): Promise<NudgedVisit[]> {
  const { store, now, postman } = parts;
  const mine: NudgedVisit[] = [];
  const pace = createPacer();
  for (const visit of visits) {
    await pace();
    const { issue, untoldSince } = visit;
    const { key } = issue;
    if (!(await store.claim(watch.id, key, untoldSince, now(), now() - STALE_MS))) continue;
    const before = (alerts.get(key) ?? []).find((alert) => alert.since === untoldSince);
    if (before === undefined) {
      mine.push(visit);
      continue;
    }
    // Who claimed it before has died, and may have told of it; where nobody can say, never twice.
    const wasTold = await postman.hasTold(watch.id, { key, untoldSince }, account);
    if (wasTold === false) mine.push(visit);
    else await settleAll([visit], { watch, account, outcome: 'unknown' }, parts);
  }
  return mine;
}

async function settleAll(
  visits: readonly NudgedVisit[],
  {
    watch,
    account,
    outcome,
  }: { readonly watch: Watch; readonly account: string; readonly outcome: NudgeOutcome },
  { store, now }: TellingParts,
): Promise<void> {
  const state = outcome === 'told' || outcome === 'unknown' ? 'told' : 'free';
  const pace = createPacer();
  for (const { issue, untoldSince } of visits) {
    await pace();
    await store.settle(watch.id, issue.key, untoldSince, { state, account, at: now() });
  }
}

function notReached(visit: NudgedVisit): NudgedVisit {
  const { assignee } = visit.issue;
  if (assignee === null) return visit;
  return { ...visit, why: { kind: 'notReached', person: assignee, because: 'refused' } };
}
