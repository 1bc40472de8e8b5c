import type { AuditEntry, AuditEvent, AuditFilter } from '../../model/audit.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/request.ts';
import type { PeopleApi } from '../people/create-people.ts';

/** The days for which entries are kept; null: for good. */
export interface AuditDays {
  readonly changes: number | null;
  readonly questions: number;
}

/** The port of the audit log: entries are read by admins, and written before something leaves Dwell. */
export interface AuditApi {
  /** Fails as `admin-only` for anyone who cannot read the audit log. */
  permit(principal: Principal): Promise<void>;
  /** The first entries that meet a filter, the oldest first, at most `count`. */
  read(filter: AuditFilter, count: number): Promise<readonly AuditEntry[]>;
  /** Returns how far back the log reaches: the instants of its first entries (null: it has none), and how long they are kept. */
  reach(): Promise<{
    readonly changes: Instant | null;
    readonly questions: Instant | null;
    readonly days: AuditDays;
  }>;
  /** Writes what leaves Dwell. It is to leave once this has resolved, and to stay where it fails. */
  leaving(event: AuditEvent): Promise<void>;
}

/** Writes what leaves Dwell; see `AuditApi`. */
export type AuditLeaving = Pick<AuditApi, 'leaving'>;

/** Returns what gives the names of accounts and users for sentences of the audit log; ids of unknown ones stay as they are. */
export async function auditNames({
  users,
  links,
}: Pick<PeopleApi, 'users' | 'links'>): Promise<(account: string) => string> {
  const known = await users();
  const userOf = new Map((await links()).map(({ account, user }) => [account, user]));
  return (account) => known.get(userOf.get(account) ?? account)?.name ?? account;
}

/** Returns the ids of an actor as the sentences call it, or by its id: all of the accounts and users of that name, and the text itself. */
export async function actorsCalled(
  actor: string,
  { users, links }: Pick<PeopleApi, 'users' | 'links'>,
): Promise<readonly string[]> {
  const name = actor.replace(/ \(command line\)$/, '');
  const isNamed = (one: { readonly name: string } | undefined) =>
    one?.name.toLowerCase() === name.toLowerCase();
  const known = await users();
  const named = [...known].flatMap(([id, user]) => (isNamed(user) ? [id] : []));
  const linked = (await links()).filter(({ user }) => isNamed(known.get(user)));
  return [name, ...named, ...linked.map(({ account }) => account)];
}
