import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import { isDue } from '../../concurrency/clock-check.ts';
import { createLeasedWorker, type LeasedWorker, type WorkObserver } from '../../concurrency/leased-worker.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { GivenAnswer, Nudge } from '../../model/nudge.ts';
import type { TenantStore } from '../../store/store.ts';
import { TO_RETURN } from '../../store/work-kinds.ts';
import type { DelegationApi } from '../delegations/delegation-api.ts';
import { assertSnoozeEnd, putSnooze } from '../watches/create-watches.ts';
import { findAvailability } from '../watches/recipients.ts';
import {
  type IssueReason,
  MAX_REASON,
  type NudgeInput,
  type NudgeNotifier,
  type NudgeObstacle,
  type NudgesApi,
  nudgeId,
} from './nudges-api.ts';

/** The time for which nudges and their answers are stored. */
const REMEMBERED_MS = 90 * millisecondsInDay;
const FORGET_EVERY_MS = millisecondsInHour;
/** Longer than the calls of Slack for a delivery may last; it is never renewed. */
const LEASE_MS = 2 * millisecondsInMinute;
const CONCURRENCY = 4;
/** The pause before a delivery is tried again, and the time after which it is given up. */
const RETRY_MS = 30_000;
const GIVE_UP_MS = millisecondsInDay;

/** The parts of the port of nudges. */
interface NudgesParts {
  readonly store: Pick<TenantStore, 'nudges' | 'snoozes'>;
  readonly delegations: Pick<DelegationApi, 'chainOf' | 'delegations'>;
  readonly tenant: string;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
  readonly observer?: WorkObserver | undefined;
}

/** Nudges over the store, and the work of delivering answers, which the clock and each answer call. */
export function createNudges(parts: NudgesParts): NudgesApi & LeasedWorker<NudgeNotifier> {
  const { store, now } = parts;
  const { nudges, snoozes } = store;

  async function obstacleTo(
    input: Pick<NudgeInput, 'key' | 'visit' | 'person' | 'account' | 'day'>,
  ): Promise<NudgeObstacle | null> {
    const nudge = await nudges.get(nudgeId(input));
    if (nudge !== null) return { kind: 'nudged', nudge };
    const { key, visit, account } = input;
    const own = ((await snoozes.get(account)) ?? []).filter(
      (snooze) => snooze.key === key && snooze.since === visit.since && snooze.until > now(),
    );
    return own.length === 0 ? null : { kind: 'snoozed', until: Math.max(...own.map(({ until }) => until)) };
  }

  async function begin(input: NudgeInput): Promise<NudgeObstacle | null> {
    const obstacle = await obstacleTo(input);
    if (obstacle !== null) return obstacle;
    const { day: _, ...given } = input;
    const id = nudgeId(input);
    const begun: Nudge = { ...given, id, at: now(), answer: null, isReturned: false, note: {} };
    const { put = [] } = await nudges.change({ ids: [id] }, (found) => ({
      put: found.length === 0 ? [begun] : [],
    }));
    // Another one came first; it may have been withdrawn since.
    return put.length > 0 ? null : begin(input);
  }

  async function received(id: string, account: string): Promise<Nudge> {
    const nudge = await nudges.get(id);
    if (nudge === null || nudge.account !== account) throw unknownNudge(id);
    return nudge;
  }

  return {
    ...createReturnWorker(parts),
    obstacleTo,
    received,
    availabilityOf: (user) => findAvailability(user, parts),
    begin,
    async withdraw(input) {
      await nudges.change({ ids: [nudgeId(input)] }, (found) => ({ remove: found }));
    },
    async answer(id, account, given) {
      const answer = { ...checked(given, now()), at: now() };
      const { key, visit, answer: before } = await received(id, account);
      // First, so that a kill in between leaves a snooze, and never an answer without it.
      if (before === null && answer.kind === 'snoozed' && visit.since !== null)
        await putSnooze(store, { account, key, since: visit.since, until: answer.until });
      const { put = [] } = await nudges.change({ ids: [id] }, (found) => ({
        put: found.filter((nudge) => nudge.answer === null).map((nudge) => ({ ...nudge, answer })),
      }));
      const [nudge] = put;
      return nudge === undefined
        ? { nudge: await received(id, account), isNew: false }
        : { nudge, isNew: true };
    },
    async reasonsFor(keys, asOf) {
      const latest = new Map<string, IssueReason>();
      if (keys.length === 0) return latest;
      for (const { key, person, visit, answer } of await nudges.list({ owners: keys })) {
        if (answer === null || answer.at > asOf) continue;
        if (answer.at >= (latest.get(key)?.at ?? 0)) latest.set(key, { ...answer, key, person, visit });
      }
      return latest;
    },
    async startOver() {
      await nudges.change({ open: [TO_RETURN] }, (found) => ({ put: found.map(returned) }));
    },
  };
}

const returned = (nudge: Nudge): Nudge => ({ ...nudge, isReturned: true });

function unknownNudge(id: string): AppError {
  const sentence = "You weren't asked this, or it was more than 90 days ago.";
  return new AppError('unknown-nudge', sentence, [], { data: { id } });
}

/** The answer as it is stored; `bad-request` for one that cannot be. */
function checked(answer: GivenAnswer, now: Instant): GivenAnswer {
  switch (answer.kind) {
    case 'onIt':
      return answer;
    case 'blocked': {
      const reason = answer.reason.replaceAll(/\s+/g, ' ').trim();
      if (reason.length > 0 && reason.length <= MAX_REASON) return { ...answer, reason };
      const problem = reason === '' ? 'The reason is missing' : `The reason has ${reason.length} characters`;
      throw badRequestAs('invalid-value', `${problem}. Try: 1 to ${MAX_REASON} characters.`);
    }
    case 'snoozed':
      assertSnoozeEnd(answer.until, now);
      return answer;
  }
}

/** Delivers answers, each once, and forgets nudges of long ago. */
function createReturnWorker({
  store: { nudges },
  now,
  newId,
  log,
  observer,
}: NudgesParts): LeasedWorker<NudgeNotifier> {
  const holder = newId();
  let forgotAt: Instant | null = null;
  const worker = createLeasedWorker<Nudge, NudgeNotifier>({
    holder,
    now,
    leaseMs: LEASE_MS,
    renewMs: null,
    concurrency: CONCURRENCY,
    log,
    name: 'an answer to a nudge',
    kind: 'nudge',
    observer,
    idsOf: ({ id }) => ({ nudge: id }),
    async poll(takeUp) {
      await takeUp();
      if (worker.stopping.aborted || !isDue(now(), forgotAt, FORGET_EVERY_MS)) return;
      forgotAt = now();
      await nudges.change({ plannedBefore: now() - REMEMBERED_MS }, (found) => ({ remove: found }));
    },
    claim: (lease) => nudges.claim({ now: now(), open: [TO_RETURN] }, lease(), (stored) => stored),
    renew: async () => true,
    async release({ id }, notBefore) {
      await nudges.release(id, { holder, notBefore }, (stored) => stored);
    },
    async work({ item, hold, door }) {
      const { id, answer } = item;
      if (answer === null) return null;
      const busy = 'The answer is being delivered by another process.';
      const put = (change: (stored: Nudge) => Nudge) =>
        hold.write((lease) => nudges.keep(id, lease, change, { isPatient: true }), busy);
      try {
        await door.returnAnswer({ ...item, answer }, (note) => put((stored) => ({ ...stored, note })));
      } catch (error) {
        const isPassing = error instanceof AppError && error.code === 'unavailable';
        if (isPassing && now() - answer.at < GIVE_UP_MS) {
          log.warn({ err: error, nudge: id }, 'an answer to a nudge could not be delivered yet');
          return now() + RETRY_MS;
        }
        log.error({ err: error, nudge: id }, 'an answer to a nudge could not be delivered');
      }
      await put(returned);
      return null;
    },
  });
  return worker;
}
