/** The tenant to which everything belongs where there is only one; nothing but what composes Dwell names it. */
export const defaultTenant = 'default';

/** What someone can do: an `admin` sees and changes everything of their tenant; a `stranger` is no user of its tracker. */
export type Rights = 'admin' | 'user' | 'stranger';

/**
 * Who asks, and so what they can see and do; part of every request. `account` is a user id of the tracker, or, for a
 * stranger and where chat accounts own things (digests, watches), an account of the chat.
 */
export interface Principal {
  readonly tenant: string;
  readonly account: string;
  readonly rights: Rights;
}

/** A principal of a tenant; whoever has no rights in particular is a user. */
export function principalIn(tenant: string, account: string, rights: Rights = 'user'): Principal {
  return { tenant, account, rights };
}
