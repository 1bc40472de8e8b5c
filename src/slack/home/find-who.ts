import type { Asker } from '../../model/request.ts';
import { askerOf } from '../people/asker-of.ts';
import { identify } from '../people/identify.ts';
import { loginOf } from '../people/login-of.ts';
import type { Member } from '../people/member.ts';
import type { Who } from './home-content.ts';
import type { HomeParts } from './home-parts.ts';

/** With which rights somebody asks, and what the tab tells of who they are. `member` null: nobody knows. */
export interface Found {
  readonly asker: Asker;
  readonly member: Member | null;
  readonly who: Who;
}

/** Who somebody is in the tracker. Fails as `askerOf`. */
export async function findWho(account: string, parts: HomeParts): Promise<Found> {
  const person = { asker: { user: account, admin: false }, userName: await nameOf(account, parts) };
  const identified = await identify(person, parts);
  if ('refusal' in identified) {
    const asker = await askerOf(account, parts);
    return { asker, member: null, who: { kind: 'unknown', invitation: identified.refusal } };
  }
  const { member } = identified;
  const { user } = member;
  const { admin } = member.asker;
  return {
    asker: member.asker,
    member,
    who: { kind: 'known', name: user.name, login: loginOf(user), admin },
  };
}

/** The name an invitation is made out to; one that is not told is no reason to invite nobody. */
async function nameOf(account: string, { accounts }: HomeParts): Promise<string> {
  const profile = await accounts.profileOf(account).catch(() => null);
  return profile?.name ?? account;
}
