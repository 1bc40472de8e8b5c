import type { Principal } from '../../model/principal.ts';
import { principalIn } from '../../model/principal.ts';
import type { LinkingParts, SlackParts } from '../parts.ts';
import { identify } from '../people/identify.ts';
import { loginOf } from '../people/login-of.ts';
import type { Member } from '../people/member.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import type { Who } from './home-content.ts';

/** With which rights somebody asks, and what the tab tells of who they are. `member` null: nobody knows. */
export interface Found {
  readonly principal: Principal;
  readonly member: Member | null;
  readonly who: Who;
}

/** Who somebody is in the tracker. Fails as `resolvePrincipal`. */
export async function findWho(account: string, parts: LinkingParts): Promise<Found> {
  const person = {
    principal: principalIn(parts.people.tenant, account),
    userName: await nameOf(account, parts),
  };
  const identified = await identify(person, parts);
  if ('refusal' in identified) {
    const principal = await resolvePrincipal(account, parts);
    return { principal, member: null, who: { kind: 'unknown', invitation: identified.refusal } };
  }
  const { member } = identified;
  const { user } = member;
  return {
    principal: member.principal,
    member,
    who: { kind: 'known', name: user.name, login: loginOf(user), admin: member.principal.rights === 'admin' },
  };
}

/** The name an invitation is made out to; one that is not told is no reason to invite nobody. */
async function nameOf(account: string, { accounts }: Pick<SlackParts, 'accounts'>): Promise<string> {
  const profile = await accounts.profileOf(account).catch(() => null);
  return profile?.name ?? account;
}
