import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';
import type { Delegation, DelegationInput } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { Principal } from '../../model/request.ts';
import { type DelegationApi, listActive } from './delegation-api.ts';

/** A hosted store lets two requests set or end the same delegation at once, and both sides would be notified twice. */
const [creating, ending] = [createLimitByKey<string>(1), createLimitByKey<number>(1)];

/**
 * Sets a delegation unless there is the same already. Where the store leaves open whether it is saved, the list shows it;
 * if not even that does, the failure has the `advice`, so that no one sets it twice by chance.
 */
export function createOnce(
  principal: Principal,
  draft: DelegationInput,
  delegations: DelegationApi,
  advice: string,
): Promise<{ readonly delegation: Delegation; readonly isNew: boolean }> {
  const { delegator } = draft;
  const list = () => listActive(principal, { delegator }, delegations);
  return creating(delegator, async () => {
    const before = (await list()).find((one) => isSame(one, draft));
    if (before !== undefined) return { delegation: before, isNew: false };
    try {
      return { delegation: await delegations.create(principal, draft), isNew: true };
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'outcome-unknown') throw error;
      const read = await list().catch(() => null);
      const after = read?.find((one) => isSame(one, draft));
      if (after !== undefined) return { delegation: after, isNew: true };
      const seen = read === null ? 'The list cannot be read now either.' : 'It is not in the list so far.';
      throw new AppError('outcome-unknown', error.message, [seen, advice], { cause: error });
    }
  });
}

/** A store returns people in their stored case, and can order categories its own way. */
function isSame(one: Delegation, draft: DelegationInput): boolean {
  const written = ({ delegator, delegates, categoryIds, start, end, notes }: DelegationInput) =>
    JSON.stringify([
      foldedName(delegator),
      delegates.map(foldedName),
      categoryIds.toSorted((a, b) => a - b),
      [start, end],
      notes.replace(/\s+/g, ' ').trim(),
    ]);
  return written(one) === written(draft);
}

/**
 * Ends a delegation; null where it was over `before`. Where the store leaves open whether the end is saved, the record
 * shows it.
 */
export function endOnce(
  principal: Principal,
  id: number,
  { delegations, now }: { readonly delegations: DelegationApi; readonly now: () => Instant },
): Promise<{ readonly before: Delegation; readonly delegation: Delegation | null }> {
  const isOver = ({ active, end }: Delegation) => !active || end <= now();
  return ending(id, async () => {
    const before = await delegations.delegation(principal, id);
    if (isOver(before)) return { before, delegation: null };
    try {
      return { before, delegation: await delegations.end(principal, id) };
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'outcome-unknown') throw error;
      const saved = await delegations.delegation(principal, id).catch(() => null);
      if (saved === null || !isOver(saved)) throw error;
      return { before, delegation: saved };
    }
  });
}
