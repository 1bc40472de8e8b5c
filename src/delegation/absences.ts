import type { Absence, CategoryId, Delegation } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { chainEnds } from './chain.ts';
import { isInForce } from './delegates-at.ts';
import { indexMoments, isSameList } from './moments.ts';

/** The people who count as known, and the delegations that the reader sees: all (null), or some. */
interface AbsenceOptions {
  readonly isKnown: (person: string) => boolean;
  readonly isVisible: ((delegation: Delegation) => boolean) | null;
}

/**
 * The people who are away at an instant, because they have delegated all of their work, and who covers for them then: at the ends of
 * their chains, in `general` and in each category that their delegations name, but for those in which the same people cover. An unknown
 * person does not cover. A reader who does not see all delegations does not learn who covers for a delegate.
 */
export function absencesAt(
  delegations: readonly Delegation[],
  at: Instant,
  { isKnown, isVisible }: AbsenceOptions,
): readonly Absence[] {
  const inForce = delegations.filter((one) => isInForce(one, at));
  const moment = indexMoments(inForce).at(at);
  const coversOf = (person: string, own: readonly Delegation[], categoryId: CategoryId) => {
    const delegatesOf = (one: string) => moment.delegatesOf(one, categoryId);
    if (isVisible === null) return [...chainEnds(person, delegatesOf)].filter(isKnown);
    const seen = new Set(own.flatMap(({ delegates }) => delegates));
    const direct = delegatesOf(person).filter((one) => seen.has(one));
    const here = direct.filter((one) => delegatesOf(one).length === 0);
    return here.length === 0 ? null : here.filter(isKnown);
  };
  const visible = isVisible === null ? inForce : inForce.filter(isVisible);
  return [...Map.groupBy(visible, ({ delegator }) => delegator)].flatMap(([person, own]) => {
    const whole = own.filter(({ categoryIds }) => categoryIds.length === 0);
    if (whole.length === 0) return [];
    const general = coversOf(person, own, null);
    const named = [...new Set(own.flatMap(({ categoryIds }) => categoryIds))].sort((a, b) => a - b);
    const others = named
      .map((categoryId) => ({ categoryId, delegates: coversOf(person, own, categoryId) }))
      .filter(({ delegates }) => !isSameList(delegates ?? [], general ?? []));
    return {
      person,
      until: Math.max(...whole.map(({ end }) => end)),
      covers: [{ categoryId: null, delegates: general }, ...others].filter(
        ({ delegates }) => delegates === null || delegates.length > 0,
      ),
    };
  });
}
