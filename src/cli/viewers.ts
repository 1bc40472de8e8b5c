import { holdersOf, knownLogins, unmistakableName } from '../api/people/logins.ts';
import type { Group } from '../model/directory.ts';
import { badRequest, badRequestAs } from '../model/error.ts';
import type { User } from '../model/issue.ts';
import { foldedName } from '../model/issues/ids-and-names.ts';
import { printable } from './cli-command.ts';

/** The users and groups that a list of viewers can name, as far as the tracker gives them. */
export interface Known {
  readonly groups: readonly Group[];
  /** By id. */
  readonly users: ReadonlyMap<string, User>;
}

/**
 * The people and groups of an option, as rules name them. A person that the tracker does not know is accepted, for
 * tokens and Slack have users of their own.
 */
export function viewerIds(option: string, text: string, known: Known): string[] {
  return [...new Set(listWords(option, text).map((word) => viewerId(option, word, known)))];
}

/** The one person or group that a word of an option means. */
export function viewerId(option: string, word: string, known: Known): string {
  return knownViewerId(option, word, known) ?? word;
}

/** The same; null for a person that the tracker does not know. */
export function knownViewerId(option: string, word: string, known: Known): string | null {
  const [viewer, ...others] = viewersCalled(word, known);
  if (viewer === undefined) return null;
  const ids = [viewer, ...others].map((one) => idOf(one, known));
  if (others.length > 0) {
    const isOneId = others.every(({ id }) => id === viewer.id);
    const why = isOneId
      ? `is a user and a group. Try: ${ids.join(' or ')}`
      : `is not clear. Try: one of the ids ${ids.join(', ')}`;
    throw badRequest(`${option} '${word}' ${why}.`);
  }
  // A person who says which of both is meant may have a reason that is not known yet.
  return /^(user|group):/.test(word) ? `${viewer.kind}:${viewer.id}` : idOf(viewer, known);
}

/** The id, and whose it is where a user and a group have the same. */
function idOf({ kind, id }: Viewer, { groups, users }: Known): string {
  return users.has(id) && groups.some((group) => group.id === id) ? `${kind}:${id}` : id;
}

/** The names in a list of people and groups, with commas between them; a list without names is refused. */
export function listWords(option: string, text: string): readonly [string, ...string[]] {
  const [first, ...others] = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (first !== undefined) return [first, ...others];
  throw badRequestAs(
    'missing-value',
    `${option} '${text}' has no names. Try: ids of users and groups, such as ada,web-team.`,
  );
}

/** A person or a group, of which one may have the id of the other. */
export interface Viewer {
  readonly kind: 'user' | 'group';
  readonly id: string;
}

/**
 * The users and groups that a word can mean: a user by id or login and a group by id; if there is none of that exact
 * spelling, all whose id, login, address, full name or group name matches without regard to case. `user:` or `group:`
 * before it selects the kind.
 */
export function viewersCalled(word: string, known: Known): readonly Viewer[] {
  const [, kind = null, bare = word] = /^(user|group):(.+)$/s.exec(word) ?? [];
  const found = [
    ...(kind === 'group' ? [] : usersCalled(bare, known)),
    ...(kind === 'user' ? [] : groupsCalled(bare, known)),
  ];
  const exact = found.filter(({ isExact }) => isExact);
  return (exact.length > 0 ? exact : found).map(({ viewer }) => viewer);
}

interface Found {
  readonly viewer: Viewer;
  readonly isExact: boolean;
}

function usersCalled(word: string, { users }: Known): readonly Found[] {
  const named = users.get(knownLogins(users).idNamed(word));
  const alike = [...users.values()].filter(
    (user) => user === named || [user.email, user.name].some((one) => isCalled(one, word)),
  );
  return alike.map(({ id, login }) => ({
    viewer: { kind: 'user', id },
    isExact: id === named?.id && (id === word || login === word),
  }));
}

function groupsCalled(word: string, { groups }: Known): readonly Found[] {
  return groups
    .filter(({ id, name }) => id === word || isCalled(name, word))
    .map(({ id }) => ({ viewer: { kind: 'group', id }, isExact: id === word }));
}

function isCalled(name: string | null | undefined, word: string): boolean {
  return typeof name === 'string' && foldedName(name) === foldedName(word);
}

/**
 * The users and groups that an entry of a stored list means, as permissions are checked by it: exactly this id, of a
 * user, a group or both, else exactly this login. `user:` or `group:` before it selects the kind; none where the
 * tracker does not know them.
 */
export function viewersOfEntry(entry: string, { groups, users }: Known): readonly Viewer[] {
  const [, kind = null, bare = entry] = /^(user|group):(.+)$/s.exec(entry) ?? [];
  const isGroup = kind !== 'user' && groups.some(({ id }) => id === bare);
  const id = isGroup ? bare : knownLogins(users).idOfHolder(bare);
  const isUser = kind !== 'group' && users.has(id);
  return [
    ...(isUser ? [{ kind: 'user', id } as const] : []),
    ...(isGroup ? [{ kind: 'group', id: bare } as const] : []),
  ];
}

/** A person or a group of a list of viewers as far as the tracker knows them; `kind` is null where it does not. */
export function viewerData(viewer: string, { groups, users }: Known) {
  const [, kind, bare = viewer] = /^(user|group):(.+)$/.exec(viewer) ?? [];
  const group = kind === 'user' ? undefined : groups.find(({ id }) => id === bare);
  if (group !== undefined)
    return { id: viewer, kind: 'group', name: group.name, members: group.members.length } as const;
  const user = kind === 'group' ? undefined : users.get(bare);
  return { id: viewer, kind: user === undefined ? null : 'user', name: user?.name ?? null } as const;
}

/** The same for people, who see a slip of the keyboard here; `unknown` says what it means that nothing is known. */
export function viewerName(viewer: string, known: Known, unknown: string): string {
  const data = viewerData(viewer, known);
  if (data.kind === 'group') return `${data.name} (group of ${data.members})`;
  return `${viewer} (${data.name ?? unknown})`;
}

/** The Slack account that a word means. Whatever else is typed, such as a name, would be kept and never met. */
export function slackAccount(option: string, text: string): string {
  const account = text.trim().toUpperCase();
  if (/^[UW][A-Z0-9]{2,}$/.test(account)) return account;
  throw badRequest(
    `${option} '${text}' is not a Slack account. Try: the member ID in the profile in Slack, such as U012AB3CD.`,
  );
}

/** The user named by login or id, else by address or full name; null: no one the tracker knows, such as a program. */
export function holderOf(name: string, users: ReadonlyMap<string, User>): User | null {
  const named = holdersOf(name, users);
  const meant = named.length > 0 ? named : alsoCalled(name, users);
  const [holder, ...others] = meant;
  if (holder === undefined) return null;
  if (others.length === 0) return holder;
  const persons = meant.map(({ id, login, name }) =>
    login === undefined || login === id ? `${name} (id ${id})` : `${name} (login ${login}, id ${id})`,
  );
  const words = meant.flatMap((one) => unmistakableName(one, users) ?? []);
  const allowed = words.length > 0 ? words.join(', ') : 'a login or an id that only one of them has';
  throw badRequest(
    printable(`--user '${name}' is not clear: it may be ${persons.join(' or ')}. Try: ${allowed}.`),
  );
}

function alsoCalled(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  return viewersCalled(name, { groups: [], users }).flatMap(({ id }) => users.get(id) ?? []);
}
