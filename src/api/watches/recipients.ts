import type { Logger } from 'pino';
import type { WorkObserver } from '../../concurrency/leased-worker.ts';
import type { Answer } from '../../model/answer.ts';
import { GENERAL } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type Principal, principalIn } from '../../model/request.ts';
import type { Watch, WatchInput } from '../../model/watch.ts';
import type { TenantStore } from '../../store/store.ts';
import type { Aging, AgingIssue } from '../answers/aging/aging-answer.ts';
import type { DelegationApi } from '../delegations/delegation-api.ts';
import { listActive } from '../delegations/delegation-api.ts';
import type { Availability } from '../nudges/nudges-api.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { SettingsApi } from '../settings/settings-api.ts';
import type { NotReached, RecipientReason, WatchNotifier } from './watches-api.ts';

/** The stores of watches and of their alerts. */
export type WatchStore = Pick<TenantStore, 'watches' | 'watchAlerts' | 'snoozes'>;

/** The parts of the port of watches. */
export interface WatchesParts {
  readonly store: WatchStore;
  /** All open issues that the principal sees, by how long they have been where they are. */
  readonly ages: (
    principal: Principal,
    input: Pick<WatchInput, 'selection' | 'calendar' | 'timeZone'>,
  ) => Promise<Answer<Aging>>;
  readonly reporting: Pick<ReportingApi, 'report' | 'statuses'>;
  readonly delegations: Pick<DelegationApi, 'chainOf' | 'delegations'>;
  readonly settings: Pick<SettingsApi, 'calendars'>;
  readonly tenant: string;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
  readonly observer?: WorkObserver | undefined;
}

/** Finds the account that is notified, and the reason. */
export type FindRecipient = (watch: Watch, issue: AgingIssue) => Promise<Recipient>;
type Recipient = { readonly account: string; readonly why: RecipientReason };

type RecipientParts = Pick<WatchesParts, 'reporting' | 'delegations' | 'tenant' | 'now'> & {
  readonly notifier: WatchNotifier;
  /** True if Slack refused to notify an account recently. */
  readonly isRefused: (account: string) => boolean;
};

/**
 * Finds the person to notify of an overdue issue: the assignee or, while they are away, the person who covers for them, if
 * they are known and can see the issue; otherwise the owner of the watch. Each person's availability is found out once.
 */
export function createFindRecipient(parts: RecipientParts): FindRecipient {
  const { reporting, notifier, isRefused } = parts;
  const known = new Map<string, Promise<Availability>>();

  function availabilityOf(user: string): Promise<Availability> {
    const availability = known.get(user) ?? findAvailability(user, parts);
    known.set(user, availability);
    return availability;
  }

  return async ({ owner, tells, timeZone, muted = [] }, { key, assignee }) => {
    const toOwner = (why: RecipientReason) => ({ account: owner, why });
    if (tells === 'owner') return toOwner({ kind: 'owner' });
    if (assignee === null) return toOwner({ kind: 'unassigned' });
    const { id, name } = assignee;
    const person = { id: id ?? '', name };
    const notReached = (because: NotReached['because']) => toOwner({ kind: 'notReached', person, because });
    if (id === null) return notReached('noAccount');
    const availability = await availabilityOf(id);
    if (availability.kind === 'uncovered') return notReached('uncovered');
    const user = availability.kind === 'covered' ? availability.by : id;
    const account = await notifier.accountOf(user);
    if (account === null) return notReached('noAccount');
    const principal = await notifier.principalOf(account);
    if (principal?.account !== user) return notReached('noAccount');
    const selection = { by: 'keys', keys: [key] } as const;
    const request = ask({ principal, reportType: reportIds.statusCount, selection, timeZone });
    const problem = await reporting.report(request).then(() => null, lastingProblem);
    // An issue the principal cannot see is answered like one that does not exist.
    if (problem !== null) return notReached('hidden');
    if (account !== owner && muted.includes(account)) return notReached('muted');
    if (account !== owner && isRefused(account)) return notReached('refused');
    if (availability.kind === 'there') return { account, why: { kind: 'assignee' } };
    return { account, why: { kind: 'covers', person, until: availability.until } };
  };
}

/**
 * The availability of a person (user id) now in `general`, along the delegates to the first who is not away. A person
 * who delegated a narrower category is there: a watch names none.
 */
export async function findAvailability(
  person: string,
  { delegations, tenant, now }: Pick<WatchesParts, 'delegations' | 'tenant' | 'now'>,
): Promise<Availability> {
  // The recipient is no secret: the delegate knows, and others learn only that the person is away, and who is asked instead.
  const anyone = principalIn(tenant, '', 'admin');
  const question = { principal: anyone, person, category: GENERAL, asOf: null };
  const chain = await delegations.chainOf(question).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  });
  if (chain === null || chain.paths.length === 0) return { kind: 'there' };
  const people = chain.paths.find(({ backTo }) => backTo === null)?.people ?? [];
  const by = people.at(-1);
  if (by === undefined || by === person) return { kind: 'uncovered' };
  const active = await listActive(anyone, { delegator: chain.person }, delegations);
  const ends = active
    .filter(({ categoryIds, start, end }) => categoryIds.length === 0 && start <= now() && now() < end)
    .filter(({ delegates }) => delegates.includes(people[1] ?? by))
    .map(({ end }) => end);
  return { kind: 'covered', by, until: ends.length === 0 ? null : Math.max(...ends) };
}

/** An error that does not pass by itself and is no bug; any other is thrown again. */
export function lastingProblem(error: unknown): AppError {
  if (error instanceof AppError && !isTransient(error)) return error;
  throw error;
}

/** An error that passes by itself. */
export function isTransient(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'unavailable' || error.code === 'too-many');
}
