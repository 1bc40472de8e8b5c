import type { Category } from '../../model/delegation.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { DoorParts } from '../command.ts';
import { delegationLine } from '../messages/delegation-line.ts';
import { lineBlocks } from '../messages/line-blocks.ts';
import { escapedNames, namesOf } from '../messages/names.ts';
import type { ModalAnswer } from '../modal.ts';
import type { Member } from '../people/member.ts';
import { recognize } from '../people/recognize.ts';
import type { DelegationForm } from './delegation-form.ts';
import { setSurely } from './set-surely.ts';
import { tellBothSides } from './tell-both-sides.ts';

/**
 * Sets what a form asks for and tells both sides. What is wrong is an AppError, and then nothing is set, unless it is an
 * unknown outcome.
 */
export async function handOver(
  member: Member,
  { form, categories }: { readonly form: DelegationForm; readonly categories: readonly Category[] },
  parts: DoorParts,
): Promise<ModalAnswer> {
  const { delegations, people } = parts;
  const accounts = new Map<string, string>();
  const userOf = async (account: string): Promise<User> => {
    const user = account === member.account ? member.user : await knownUser(account, parts);
    accounts.set(user.id, account);
    return user;
  };
  const delegator = await userOf(form.delegator ?? member.account);
  const delegates: User[] = [];
  for (const account of form.delegates) delegates.push(await userOf(account));
  refuseOdd(delegator, delegates);
  // Whatever may fail comes before, so that a failure means that nothing is set.
  const users = await people.users();
  const names = escapedNames(namesOf(users, categories));
  const wish = {
    active: true,
    delegator: delegator.id,
    delegates: delegates.map(({ id }) => id),
    categoryIds: form.categoryIds,
    start: form.from,
    end: form.to,
    notes: form.notes,
  };
  const delegation = await setSurely(member.asker, wish, delegations);
  const by = member.user.id;
  const set = `Set: ${delegationLine(delegation, parts.now(), names)}`;
  const told = tellBothSides({ delegation, event: 'set', by, accounts, users, names }, parts);
  // Slack may take half a minute for that.
  return { ...lineBlocks([set, 'Telling both sides…']), later: told.then((line) => lineBlocks([set, line])) };
}

/** Several accounts may be one user's, which the form cannot see. */
function refuseOdd(delegator: User, delegates: readonly User[]): void {
  const ids = delegates.map(({ id }) => id);
  if (ids.includes(delegator.id)) throw badRequest(`${delegator.name} cannot stand in for themselves.`);
  const twice = delegates.find(({ id }, i) => ids.indexOf(id) < i);
  if (twice !== undefined) throw badRequest(`${twice.name} is named twice.`);
}

async function knownUser(account: string, parts: DoorParts): Promise<User> {
  const found = await recognize(account, parts);
  if (found.kind === 'known') return found.user;
  const { name } = await parts.accounts.profileOf(account);
  const because =
    found.kind === 'several' ? 'Several people there have the same e-mail address.' : found.because;
  throw new AppError('not-found', `I do not know who ${name} is in the tracker.`, [
    because,
    'They can say it themselves with /delegates link, or an admin with /delegates link @them USERNAME.',
  ]);
}
