import { type Delegation, GENERAL } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { WatchesParts } from './watches-parts.ts';

/** Somebody is there; is away, and another is there for them; or is away, and nobody is. */
export type Presence =
  | { readonly kind: 'there' }
  | { readonly kind: 'covered'; readonly by: string; readonly until: Instant | null }
  | { readonly kind: 'uncovered' };

/** Who is to be told is nobody's secret: the stand-in knows, and the owner hears only that somebody is away. */
const anybody = { user: '', admin: true };

/** More delegations of one person are not in force at a time. */
const MOST_IN_FORCE = 100;

/**
 * Who is there for somebody (user id) now, of `general`, over those who stand in for the stand-ins, to the first who is not
 * away. Who handed over a narrower category is there: a watch names none.
 */
export async function whoIsThere(
  person: string,
  { delegations, now }: Pick<WatchesParts, 'delegations' | 'now'>,
): Promise<Presence> {
  const chain = await delegations
    .chainOf({ asker: anybody, person, category: GENERAL, asOf: null })
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
