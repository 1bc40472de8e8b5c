import type { User } from '../../model/issue.ts';
import { type Split, splitPerson } from '../delegations/split-person.ts';
import type { PeopleParts } from '../parts.ts';
import type { Accounts, Called } from './accounts.ts';
import { type FoundPerson, findPerson } from './find-person.ts';
import type { Member } from './member.ts';

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
