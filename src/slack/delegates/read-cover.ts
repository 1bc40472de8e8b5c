import { type Category, type CategoryId, GENERAL } from '../../model/delegation.ts';
import type { User } from '../../model/issue.ts';
import { foldedCategoryName } from '../../model/issues/ids-and-names.ts';
import { readDay } from '../../time/day-words.ts';
import { readPeriod, type TypedPeriod } from '../../time/typed-periods.ts';
import { notice } from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { Refused } from '../app/show-failure.ts';
import { nearestOf } from '../ask/grammar/names-meant.ts';
import { someOf } from '../blocks/message.ts';
import { codeText } from '../blocks/mrkdwn.ts';
import { accountOf, loginOf } from '../people/accounts.ts';
import { askWhich, personTyped, typedName } from '../people/find-person.ts';
import { type Admitted, askAdmin, seesAll, suggest } from './cover-words.ts';

/** A question about a person's cover: one category or all, and days or now. */
export interface CoverQuestion {
  /** As stored, or as typed where no list is known; undefined for all. */
  readonly category: { readonly id: CategoryId; readonly name: string } | undefined;
  /** Days, or a time of one; null: now. */
  readonly period: TypedPeriod | null;
}

const CATEGORIES_SHOWN = 10;

/** Reads `[CATEGORY] [on DAY | DATES]`; categories null: not known, so that any name is one. `line` is what comes before. */
export function readCoverQuestion(
  text: string,
  line: string,
  today: number,
  categories: readonly Category[] | null,
): CoverQuestion {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const typed = words.join(' ');
  const known = categories === null ? null : [{ id: null, name: GENERAL }, ...categories];
  const named = (name: string) =>
    known === null
      ? { id: null, name }
      : known.find((one) => foldedCategoryName(one.name) === foldedCategoryName(name));
  const whole = known === null ? undefined : named(typed);
  if (whole !== undefined || words.length === 0) return { category: whole, period: null };
  for (let count = 0; count < words.length; count += 1) {
    const period = daysTyped(words.slice(count).join(' '), today);
    const category = count === 0 ? undefined : named(words.slice(0, count).join(' '));
    if (period !== null && (count === 0 || category !== undefined)) return { category, period };
  }
  if (/(?:^|\s)(?:@\S|<@[UW])/.test(text))
    throw new Refused(suggest('Ask about one person at a time.', line));
  const [, typedDay] = /(?:^|\s)on\s+(.*)$/i.exec(typed) ?? [];
  if (typedDay !== undefined)
    throw new Refused(suggest(`I can't read ${codeText(typedDay)} as a day.`, `${line} on friday`));
  if (known === null) return { category: { id: null, name: typed }, period: null };
  const names = known.map(({ name }) => name);
  const shown = someOf(names.map(codeText), CATEGORIES_SHOWN);
  const near = nearestOf(typed, names);
  const unknown = `I can't find the category ${codeText(typed)}. Categories: ${shown}.`;
  throw new Refused(suggest(unknown, near === null ? line : `${line} ${near}`));
}

/** A day with or without a time, or several days; null for other text. */
function daysTyped(text: string, today: number): TypedPeriod | null {
  const day = readDay(text.replace(/^on /i, ''), today);
  return day === null ? readPeriod(text, today) : { first: day, last: day };
}

/** The name by which a person is typed in a line. */
export function nameToType(person: User, users: ReadonlyMap<string, User>): string {
  return typedName(person, users) ?? `@${loginOf(person)}`;
}

/** A person of a cover, with their Slack account where one is known. */
interface Party {
  readonly user: User;
  readonly account: string | null;
}

/**
 * The person who covers, if the line names one, and the owner: the member or another person; `line` is the text that
 * was read, before the rest.
 */
interface Parties {
  readonly delegate: Party | null;
  readonly owner: Party;
  readonly line: string;
  readonly rest: string;
}

/**
 * Reads `[@PERSON] [for @PERSON]` at the start of what was typed after `line`. Only members who can edit all can name
 * another owner; people who can see only their own cover get no names suggested.
 */
export async function readParties(
  text: string,
  { member, right }: Admitted,
  { line, isRest }: { readonly line: string; isRest(text: string): boolean },
  parts: DelegationParts,
): Promise<Parties> {
  const own: Party = { user: member.user, account: member.account };
  const users = await parts.people.users();
  let delegate: Party | null = null;
  let owner: Party | null = null;
  let rest = text.trim();
  let read = line;
  while (rest !== '') {
    // After "for" comes who is out, or for how long: for 3 days.
    if (isRest(rest)) break;
    const isOwner = /^for\s/i.test(rest);
    if (isOwner ? owner !== null : delegate !== null) break;
    const split = await personTyped(isOwner ? rest.slice('for '.length) : rest, member, parts);
    if (split === null) break;
    const { person, found } = split;
    const isSelf = found.kind === 'known' && found.user.id === member.user.id;
    if (isOwner && !isSelf && right !== 'edit') {
      const shown = `You can only change your own cover. ${askAdmin(member, '--edit-all')}`;
      throw new Refused(suggest(shown, '/delegates', 'My cover'));
    }
    const before = isOwner ? `${read} for` : read;
    if (found.kind !== 'known') {
      if (!seesAll(right) && found.kind === 'several')
        throw new Refused(notice('Several people have this name. Mention the person instead.'));
      const shown = found.kind === 'unknown' && !seesAll(right) ? { ...found, similar: [] } : found;
      const lineAbout = (name: string) => `${before} ${name} ${split.rest}`.trim();
      throw new Refused(askWhich(person, shown, { hasAdmins: member.hasAdmins, users, lineAbout }));
    }
    const account =
      'account' in person ? person.account : await accountOf(found.user.id, parts).catch(() => null);
    const party = isSelf ? own : { user: found.user, account };
    if (isOwner) owner = party;
    else delegate = party;
    read = `${before} ${nameToType(found.user, users)}`;
    rest = split.rest.trim();
  }
  return { delegate, owner: owner ?? own, line: read, rest };
}
