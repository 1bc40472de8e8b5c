import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Category } from '../../model/delegation.ts';
import { AppError, badRequest, badRequestAs } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { delegationLine } from '../messages/delegation-line.ts';
import { namesOf } from '../messages/names.ts';
import { withZone } from '../messages/with-zone.ts';
import { wordsAnywhere, wordsIn } from '../messages/words.ts';
import type { ModalAnswer } from '../modal.ts';
import type { DelegationParts, PeopleParts } from '../parts.ts';
import type { Member } from '../people/member.ts';
import { recognize } from '../people/recognize.ts';
import type { DelegationForm } from './delegation-form.ts';
import { setSurely } from './set-surely.ts';
import { tellBothSides } from './tell-both-sides.ts';
import { warnOf } from './warn-of.ts';

/**
 * Sets what a form asks for, tells both sides, and warns of what else is known of that time. What is wrong is an
 * AppError, and then nothing is set, unless it is an unknown outcome.
 */
export async function handOver(
  member: Member,
  { form, categories }: { readonly form: DelegationForm; readonly categories: readonly Category[] },
  parts: DelegationParts,
): Promise<ModalAnswer> {
  const { delegations, people } = parts;
  const accounts = new Map<string, string>();
  const userOf = async (account: string): Promise<User> => {
    const user = account === member.account ? member.user : await knownUser(account, member, parts);
    accounts.set(user.id, account);
    return user;
  };
  const delegator = await userOf(form.delegator ?? member.account);
  const delegates: User[] = [];
  for (const account of form.delegates) delegates.push(await userOf(account));
  refuseOdd(delegator, delegates);
  // Whatever may fail comes before, so that a failure means that nothing is set.
  const users = await people.users();
  const names = namesOf(users, categories);
  const wish = {
    active: true,
    delegator: delegator.id,
    delegates: delegates.map(({ id }) => id),
    categoryIds: form.categoryIds,
    start: form.from,
    end: form.to,
    notes: form.notes,
  };
  const delegation = await setSurely(member.principal, wish, delegations);
  const by = member.user.id;
  const { principal, timeZone } = member;
  const words = wordsIn(timeZone, parts.now(), names);
  const set = `Set: ${delegationLine(delegation, parts.now(), words)}`;
  const answer = (...lines: readonly string[]) => withZone(lineBlocks([set, ...lines]), timeZone);
  const news = { delegation, event: 'set', by, accounts, users, words: wordsAnywhere(names) } as const;
  const told = Promise.all([warnOf(delegation, { principal, words }, parts), tellBothSides(news, parts)]);
  // Slack may take half a minute for that.
  return {
    ...answer('Telling both sides…'),
    later: told.then(([warnings, line]) => answer(...warnings, line)),
  };
}

/** Several accounts may be one user's, which the form cannot see. */
function refuseOdd(delegator: User, delegates: readonly User[]): void {
  const ids = delegates.map(({ id }) => id);
  if (ids.includes(delegator.id)) throw badRequest(`${delegator.name} cannot stand in for themselves.`);
  const twice = delegates.find(({ id }, i) => ids.indexOf(id) < i);
  if (twice !== undefined) throw badRequestAs('conflicting-values', `${twice.name} is named twice.`);
}

async function knownUser(account: string, { hasAdmins }: Member, parts: PeopleParts): Promise<User> {
  const found = await recognize(account, parts);
  if (found.kind === 'known') return found.user;
  const { name } = await parts.accounts.profileOf(account);
  const because =
    found.kind === 'several' ? 'Several people there have the same e-mail address.' : found.because;
  throw new AppError('unknown-person', `I do not know who ${name} is in the tracker.`, [
    because,
    hasAdmins
      ? 'They can say it themselves with /delegates link, or an admin with /delegates link @them USERNAME.'
      : `They can say it themselves with /delegates link, or it is said with npm run --silent dwell -- people --link ${account} --to USERNAME.`,
  ]);
}
