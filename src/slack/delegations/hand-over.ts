import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { DoorParts } from '../command.ts';
import type { Message } from '../message.ts';
import { delegationLine } from '../messages/delegation-line.ts';
import { lineBlocks } from '../messages/line-blocks.ts';
import { escapedNames, namesOf } from '../messages/names.ts';
import type { Member } from '../people/member.ts';
import { recognize } from '../people/recognize.ts';
import type { DelegationForm } from './delegation-form.ts';
import { tellBothSides } from './tell-both-sides.ts';

/** Sets what a form asks for and tells both sides; what is wrong is an AppError, and then nothing is set. */
export async function handOver(member: Member, form: DelegationForm, parts: DoorParts): Promise<Message> {
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
  // Whatever may fail comes before, so that a failure means that nothing is set.
  const users = await people.users();
  const names = escapedNames(namesOf(users, await delegations.categories(member.asker)));
  const delegation = await delegations.create(member.asker, {
    active: true,
    delegator: delegator.id,
    delegates: delegates.map(({ id }) => id),
    categoryIds: form.categoryIds,
    start: form.from,
    end: form.to,
    notes: form.notes,
  });
  const by = member.user.id;
  const told = await tellBothSides({ delegation, event: 'set', by, accounts, users, names }, parts);
  return lineBlocks([`Set: ${delegationLine(delegation, parts.now(), names)}`, told]);
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
