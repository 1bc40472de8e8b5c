import { holdersOf } from '../../api/people/logins.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { User } from '../../model/issue.ts';
import type { PeopleParts } from '../app/parts.ts';
import type { Accounts, Called } from '../app/ports.ts';
import type { Member } from './accounts.ts';
import { type Recognition, recognize } from './recognize.ts';

/** Somebody as they were typed: a mention's account, or a name. */
export type TypedPerson = { readonly account: string } | { readonly name: string };

/** The same, found or not; `unknown` may come with names that are similar. */
export type FoundPerson =
  | Exclude<Recognition, { readonly kind: 'unknown' }>
  | { readonly kind: 'unknown'; readonly because: string; readonly similar: readonly User[] };

/** Which user of the tracker a member means; `me` is the member. */
export async function findPerson(
  typed: TypedPerson,
  { user: self }: Pick<Member, 'user'>,
  parts: PeopleParts,
): Promise<FoundPerson> {
  if ('account' in typed) {
    const found = await recognize(typed.account, parts);
    return found.kind === 'unknown' ? { ...found, similar: [] } : found;
  }
  if (typed.name.toLowerCase() === 'me') return { kind: 'known', user: self };
  const users = await parts.people.users();
  const [user, ...others] = usersNamed(typed.name, users);
  if (user === undefined) {
    const hostedUser = await parts.people.hostedUser(typed.name);
    if (hostedUser !== null) return { kind: 'known', user: hostedUser };
    const because = 'The tracker knows nobody of this user name, id or full name.';
    return { kind: 'unknown', because, similar: usersLike(typed.name, users) };
  }
  return others.length === 0 ? { kind: 'known', user } : { kind: 'several', users: [user, ...others] };
}

const SIMILAR_SHOWN = 5;

/** Whom a typed name can mean: everybody of this user name or id, else everybody of this full name. */
export function usersNamed(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const holders = holdersOf(name, users);
  if (holders.length > 0) return holders;
  const wanted = foldedName(name);
  return [...users.values()].filter((user) => foldedName(user.name) === wanted);
}

/** Some whose id, user name or full name holds a text, or begins as it does. */
export function usersLike(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const wanted = foldedName(name);
  if (wanted === '') return [];
  const start = wanted.slice(0, 3);
  const holding: User[] = [];
  const beginning: User[] = [];
  for (const user of users.values()) {
    const names = [user.id, user.login ?? user.id, user.name].map(foldedName);
    if (names.some((one) => one.includes(wanted))) holding.push(user);
    else if (names.some((one) => one.startsWith(start))) beginning.push(user);
  }
  return [...holding, ...beginning].slice(0, SIMILAR_SHOWN);
}

/** Names may have blanks; nobody's has more words. */
const MOST_WORDS = 6;

/** Whom a line begins with that says `@name`, as Slack hands a mention on where it does not turn it into an account. */
interface TypedAccount {
  readonly name: string;
  /** Everybody of that name; none where nobody has it. */
  readonly called: readonly Called[];
  /** What the line goes on with, behind the longest name first; none where nobody has the name. */
  readonly rests: readonly string[];
}

/**
 * Whose name of Slack stands behind the `@` a line begins with; null where no `@` is there. Names may have blanks, and
 * anybody may call themselves as somebody else's line goes on: where a shorter and a longer name are of different people,
 * all of them are told.
 */
export async function accountTyped(text: string, accounts: Accounts): Promise<TypedAccount | null> {
  const [, typed] = /^@(\S.*)$/s.exec(text.trim()) ?? [];
  if (typed === undefined) return null;
  const words = typed.split(/\s+/);
  const called = new Map<string, Called>();
  const found: { readonly name: string; readonly rest: string }[] = [];
  for (let count = Math.min(MOST_WORDS, words.length); count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const some = await accounts.called(name);
    for (const one of some) called.set(one.account, one);
    if (some.length > 0) found.push({ name, rest: words.slice(count).join(' ') });
  }
  const [longest = { name: words[0] ?? '', rest: words.slice(1).join(' ') }] = found;
  return { name: longest.name, called: [...called.values()], rests: found.map(({ rest }) => rest) };
}

/** Whom a line begins with: a mention, a name of the tracker, or behind an `@` a name of Slack; null for an empty line. */
export async function personTyped(
  text: string,
  member: Pick<Member, 'user'>,
  parts: PeopleParts,
): Promise<(Split & { readonly found: FoundPerson }) | null> {
  const users: ReadonlyMap<string, User> = await parts.people.users();
  const split = splitPerson(text, users);
  if (split === null) return null;
  const found = await findPerson(split.person, member, parts);
  if (found.kind !== 'unknown' || 'account' in split.person) return { ...split, found };
  // Where Slack cannot be asked, the name is as unknown as it was.
  const typed = await accountTyped(text, parts.accounts).catch(() => null);
  const [only, ...others] = typed?.called ?? [];
  if (typed === null || only === undefined || others.length > 0) return { ...split, found };
  const person = { account: only.account };
  return { person, rest: typed.rests[0] ?? '', found: await findPerson(person, member, parts) };
}

/** Whom a line begins with, as they were typed, and what stands behind. */
export interface Split {
  readonly person: TypedPerson;
  readonly rest: string;
}

/** A mention, a name in quotes, the longest name the tracker knows, or else the first word; null for an empty line. */
export function splitPerson(typed: string, users: ReadonlyMap<string, User>): Split | null {
  const text = linkLabels(typed);
  const [, account, behindMention = ''] = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>\s*(.*)$/s.exec(text) ?? [];
  if (account !== undefined) return { person: { account }, rest: behindMention };
  const plain = text.replace(/^@/, '');
  const [, quoted, behindQuotes = ''] = /^["“„]([^"“”]+)["“”]\s*(.*)$/s.exec(plain) ?? [];
  if (quoted !== undefined)
    return { person: { name: quoted.trim().replace(/\s+/g, ' ') }, rest: behindQuotes };
  const words = plain.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  const prefix = (count: number) => words.slice(0, count).join(' ');
  let count = Math.min(MOST_WORDS, words.length);
  while (count > 1 && usersNamed(prefix(count), users).length === 0) count -= 1;
  return { person: { name: prefix(count) }, rest: words.slice(count).join(' ') };
}

/** What was typed: Slack makes links of e-mail addresses, and of names with a dot in them. */
export function linkLabels(text: string): string {
  return text.replace(
    /<((?:mailto|https?|tel):[^>|]*)(?:\|([^>]*))?>/g,
    (_, address: string, label?: string) => label ?? address,
  );
}
