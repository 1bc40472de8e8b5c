import type { AgingIssue } from '../../model/answer.ts';
import { type Delegation, GENERAL } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { principalIn } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import type { Watch } from '../../model/watch.ts';
import type { WatchNotifier, WhyTold } from '../watches.ts';
import type { WatchesParts } from './overdue-visits.ts';

/** Whose account is told, and why. */
interface Recipient {
  readonly account: string;
  readonly why: WhyTold;
}

/** What finding them takes; `presenceOf` answers who is there for a user. */
export interface RecipientParts extends Pick<WatchesParts, 'reporting'> {
  readonly notifier: Pick<WatchNotifier, 'principalOf' | 'accountOf'>;
  presenceOf(user: string): Promise<Availability>;
  /** Whether Slack refused a while ago to tell an account. */
  isRefused(account: string): boolean;
}

/**
 * Who is told that an issue sits too long: the person in charge or, while they are away, who stands in for them, if they
 * are known and may see the issue; else the owner of the watch.
 */
export async function recipientOf(
  { owner, tells, timeZone, muted = [] }: Watch,
  { key, assignee }: AgingIssue,
  { reporting, notifier, presenceOf, isRefused }: RecipientParts,
): Promise<Recipient> {
  const toOwner = (why: WhyTold): Recipient => ({ account: owner, why });
  if (tells === 'owner') return toOwner({ kind: 'asked' });
  if (assignee === null) return toOwner({ kind: 'nobodyInCharge' });
  const { id, name } = assignee;
  if (id === null) return toOwner({ kind: 'notReached', person: { id: '', name }, because: 'noAccount' });
  const person = { id, name };
  const notReached = (because: 'noAccount' | 'hidden' | 'uncovered' | 'refused' | 'muted') =>
    toOwner({ kind: 'notReached', person, because });
  const presence = await presenceOf(id);
  if (presence.kind === 'uncovered') return notReached('uncovered');
  const user = presence.kind === 'covered' ? presence.by : id;
  const account = await notifier.accountOf(user);
  if (account === null) return notReached('noAccount');
  const principal = await notifier.principalOf(account);
  if (principal?.account !== user) return notReached('noAccount');
  const selection = { by: 'keys', keys: [key] } as const;
  const maySee = await isAnswered(
    reporting.report(ask({ principal, reportType: 'statusCount', selection, timeZone })),
  );
  if (!maySee) return notReached('hidden');
  if (account !== owner && muted.includes(account)) return notReached('muted');
  if (account !== owner && isRefused(account)) return notReached('refused');
  if (presence.kind === 'there') return { account, why: { kind: 'inCharge' } };
  return { account, why: { kind: 'standsIn', person, until: presence.until } };
}

/** What a principal may not see is answered as what there is not. */
function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && !['unavailable', 'too-many'].includes(error.code)) return false;
      throw error;
    },
  );
}

/** A person is there; is away and covered by another; or is away and not covered. */
export type Availability =
  | { readonly kind: 'there' }
  | { readonly kind: 'covered'; readonly by: string; readonly until: Instant | null }
  | { readonly kind: 'uncovered' };

/** More delegations of one person are not in force at a time. */
const MOST_IN_FORCE = 100;

/**
 * Who is there for a person (user id) now, of `general`, over those who stand in for the stand-ins, to the first who is not
 * away. Who handed over a narrower category is there: a watch names none.
 */
export async function whoIsThere(
  person: string,
  { delegations, tenant, now }: Pick<WatchesParts, 'delegations' | 'tenant' | 'now'>,
): Promise<Availability> {
  // It is nobody's secret: the delegate knows, and the owner hears only that the person is away.
  const anybody = principalIn(tenant, '', 'admin');
  const chain = await delegations
    .chainOf({ principal: anybody, person, category: GENERAL, asOf: null })
    .catch(unknownToRegister);
  if (chain === null || chain.paths.length === 0) return { kind: 'there' };
  const end = chain.paths.find(({ backTo }) => backTo === null)?.people;
  const by = end?.at(-1);
  if (end === undefined || by === undefined || by === person) return { kind: 'uncovered' };
  const { values } = await delegations.delegations(anybody, {
    includeExpired: false,
    delegator: chain.person,
    delegate: null,
    notes: '',
    start: 0,
    size: MOST_IN_FORCE,
  });
  return { kind: 'covered', by, until: backAt(values, end[1] ?? by, now()) };
}

function backAt(delegations: readonly Delegation[], delegate: string, now: Instant): Instant | null {
  const ends = delegations
    .filter(({ active, start, end, delegates, categoryIds }) => {
      const isGeneral = categoryIds.length === 0;
      return active && isGeneral && start <= now && now < end && delegates.includes(delegate);
    })
    .map(({ end }) => end);
  return ends.length === 0 ? null : Math.max(...ends);
}

function unknownToRegister(error: unknown): null {
  if (error instanceof AppError && error.code === 'not-found') return null;
  throw error;
}
