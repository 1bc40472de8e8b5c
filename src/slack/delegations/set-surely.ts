import type { DelegationApi } from '../../api/delegations/delegation-api.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { Delegation, DelegationInput } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { listAll } from './list-all.ts';

/**
 * Sets a delegation. Where the register leaves open whether it is saved, the list tells: what is wished stands there
 * and did not before. Where not even that tells it, the failure says what to do, and nobody must try again by chance.
 */
export async function setSurely(
  principal: Principal,
  wish: DelegationInput,
  delegations: Pick<DelegationApi, 'create' | 'delegations'>,
): Promise<Delegation> {
  const { delegator } = wish;
  const alike = async () =>
    (await listAll(principal, { delegator }, delegations)).filter((one) => isAsAsked(one, wish));
  const before = new Set((await alike()).map(({ id }) => id));
  try {
    return await delegations.create(principal, wish);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'outcome-unknown') throw error;
    const after = await alike().catch(() => null);
    const made = after?.find(({ id }) => !before.has(id));
    if (made !== undefined) return made;
    const list = delegator === principal.account ? '`/delegates mine`' : `\`/delegates end ${delegator}\``;
    throw new AppError(
      'outcome-unknown',
      error.message,
      [
        after === null ? 'The list cannot be read now either.' : 'The list does not show it so far.',
        `Look at ${list} in a minute: if it is there it holds, and please tell both sides yourself; if not, set it again.`,
      ],
      { cause: error },
    );
  }
}

/** The register tells people in their stored case, and may put categories in an order of its own. */
function isAsAsked(one: Delegation, wish: DelegationInput): boolean {
  const written = ({ delegator, delegates, categoryIds, start, end, notes }: DelegationInput) =>
    JSON.stringify([
      foldedName(delegator),
      delegates.map(foldedName),
      categoryIds.toSorted((a, b) => a - b),
      [start, end],
      notes.replace(/\s+/g, ' ').trim(),
    ]);
  return written(one) === written(wish);
}
