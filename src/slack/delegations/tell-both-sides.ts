import type { Delegation } from '../../model/delegation.ts';
import type { User } from '../../model/issue.ts';
import type { DoorParts } from '../command.ts';
import { type DelegationEvent, delegationNews } from '../messages/delegation-news.ts';
import type { Names } from '../messages/names.ts';
import { accountOf } from '../people/account-of.ts';
import { tellDirectly } from '../tell-directly.ts';

/** What both sides are to hear; `accounts` are those known from the form, by user id. */
export interface DelegationNotice {
  readonly delegation: Delegation;
  readonly event: DelegationEvent;
  /** User id of who did it. */
  readonly by: string;
  readonly accounts: ReadonlyMap<string, string>;
  readonly users: ReadonlyMap<string, User>;
  /** Escaped. */
  readonly names: Names;
}

/** Tells the delegator and every delegate, each once and directly; returns a sentence about who could not be reached. */
export async function tellBothSides(
  { delegation, event, by, accounts, users, names }: DelegationNotice,
  parts: DoorParts,
): Promise<string> {
  const [unknown, unreached]: [string[], string[]] = [[], []];
  for (const id of new Set([delegation.delegator, ...delegation.delegates])) {
    const user = users.get(id);
    const account =
      accounts.get(id) ?? (user === undefined ? null : await accountOf(user, parts).catch(() => null));
    const news = delegationNews({ delegation, event, by }, id, names);
    if (account === null) unknown.push(names.person(id));
    else if (!(await tellDirectly(account, news, parts.web))) unreached.push(names.person(id));
  }
  const failed = [
    ...(unknown.length > 0 ? [`I know no Slack account of ${unknown.join(', ')}.`] : []),
    ...(unreached.length > 0 ? [`Slack did not take my message to ${unreached.join(', ')}.`] : []),
  ];
  return failed.length === 0 ? 'Both sides are told.' : `${failed.join(' ')} Please tell them yourself.`;
}
