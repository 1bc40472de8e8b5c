import { usersNamed } from '../../api/people/create-people.ts';
import { type Category, type CategoryId, GENERAL } from '../../model/delegation.ts';
import type { User } from '../../model/issue.ts';
import { foldedCategoryName } from '../../model/issues/ids-and-names.ts';
import { isoDay } from '../../time/date-text.ts';
import { readDay, readDayOfWeek } from '../../time/day-words.ts';
import { readPastSpan } from '../../time/past-spans.ts';
import { readPeriod, type TypedPeriod } from '../../time/typed-periods.ts';
import { notice } from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { Refused } from '../app/show-failure.ts';
import { nearestOf } from '../ask/grammar/names-meant.ts';
import {
  freeSpans,
  MAX_TOKENS,
  nameIn,
  type Token,
  textOf,
  tokensOf,
  typedText,
} from '../ask/plain/sentence.ts';
import { fillers } from '../ask/plain/vocabulary.ts';
import { someOf } from '../blocks/message.ts';
import { codeText } from '../blocks/mrkdwn.ts';
import { loginOf, slackAccountOf } from '../people/accounts.ts';
import { askWhich, personTyped, typedName } from '../people/identify.ts';
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
  readonly remainder: string;
}

/**
 * Reads `[@PERSON] [for @PERSON]` at the start of what was typed after `line`. Only members who can edit all can name
 * another owner; people who can see only their own cover get no names suggested.
 */
export async function readParties(
  text: string,
  { member, right }: Admitted,
  { line, isRemainder }: { readonly line: string; isRemainder(text: string): boolean },
  parts: DelegationParts,
): Promise<Parties> {
  const own: Party = { user: member.user, account: member.account };
  const users = await parts.people.users();
  let delegate: Party | null = null;
  let owner: Party | null = null;
  let remainder = text.trim();
  let read = line;
  while (remainder !== '') {
    // After "for" comes who is out, or for how long: for 3 days.
    if (isRemainder(remainder)) break;
    const isOwner = /^for\s/i.test(remainder);
    if (isOwner ? owner !== null : delegate !== null) break;
    const split = await personTyped(isOwner ? remainder.slice('for '.length) : remainder, member, parts);
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
      const lineAbout = (name: string) => `${before} ${name} ${split.remainder}`.trim();
      throw new Refused(askWhich(person, shown, { hasAdmins: member.hasAdmins, users, lineAbout }));
    }
    const account =
      'account' in person ? person.account : await slackAccountOf(found.user.id, parts).catch(() => null);
    const party = isSelf ? own : { user: found.user, account };
    if (isOwner) owner = party;
    else delegate = party;
    read = `${before} ${nameToType(found.user, users)}`;
    remainder = split.remainder.trim();
  }
  return { delegate, owner: owner ?? own, line: read, remainder };
}

/** The facts that a line of `/delegates` is read with: the tracker's users, and the wall day of today. */
interface CoverFacts {
  readonly users: ReadonlyMap<string, User>;
  readonly today: number;
}

/** A sentence about cover as a line of `/delegates`, and its words that the line leaves out. */
interface CoverLine {
  readonly line: string;
  readonly leftover: readonly string[];
  /** The people it asks about, as they are typed, and its days; empty for now. */
  readonly people: readonly string[];
  readonly when: string;
}

/** Words of questions about cover; some of them are common elsewhere. */
const coverTerms =
  /^(?:cover|covers|covered|covering|coverage|out|ooo|away|vacation|vacations|holiday|holidays|leave|pto|absent|absence|absences|off|gone|substitute|substitutes|substituting|replaces|replacing|replacement|delegate|delegates|backup|backups|in|around|available|here|missing|gap|gaps|uncovered|without|no|nobody|takes?|over|fills?|filling|filled|steps?|stepped|stepping|stands?|standing|stood|took|between|and|while|whilst|instead|contact|ping|returns?|returning|until|till|days|period|ends?|ended|starts?|starting|begins?|began)$/;

/** Words and phrases that are about nothing but cover. */
const surely =
  /\b(?:covers?|covered|covering|ooo|(?:takes?|took|taking) over|(?:fill(?:s|ed|ing)?|step(?:s|ped|ping)?|st(?:ands?|anding|ood)) in|substitutes?|backup|out of (?:the )?office|on (?:vacation|leave|holidays?|pto)|(?:whos|who is|who are|who will be|anyone|anybody|someone|everyone|everybody) (?:still )?(?:out|away|off|absent|ooo|in|around|available|here))\b/;
const isPersonAway =
  /^(?:is|are|will|when is|whens) .*\b(?:in|out|away|off|around|available|here|back|working|ooo)\b/;

const instead =
  /\b(?:who (?:should|do|can|could|shall|would) (?:i|we) (?:ask|contact|ping|talk to|turn to|go to)|(?:while|when|if) .+ (?:is|are) (?:away|out|off|gone|absent|not (?:in|here)))\b/;

/** True if a sentence is about who covers and who is away, for people who could ask about issues as well. */
export function isAboutCover(text: string, { users }: Pick<CoverFacts, 'users'>): boolean {
  const tokens = tokensOf(text);
  if (tokens.length > MAX_TOKENS) return false;
  const plain = textOf(tokens);
  if (surely.test(plain)) return true;
  return (
    (isPersonAway.test(plain) || instead.test(plain)) && tokens.some((one) => personIn([one], users) !== null)
  );
}

const MAX_WORDS = 8;
/** A table is easier to read for more people. */
const MAX_PEOPLE = 3;

/** The line of `/delegates` that a sentence means; null where it says nothing of people or days. */
export function coverLine(text: string, { users, today }: CoverFacts): CoverLine | null {
  const tokens = tokensOf(text);
  const taken = tokens.map(() => false);
  let period: string | null = null;
  const people: string[] = [];
  const plain = textOf(tokens);
  const tense = past.test(plain) ? 'past' : /\b(?:will|going to)\b/.test(plain) ? 'future' : null;
  const each = (longest: number, read: (words: readonly Token[]) => boolean) => {
    for (const { words, start, end } of freeSpans(tokens, taken, longest))
      if (read(words)) taken.fill(true, start, end);
  };
  each(3, (words) => {
    const person = personIn(words, users);
    if (person !== null) people.push(person);
    return person !== null;
  });
  each(MAX_WORDS, (words) => {
    const days = textOf(words)
      .replace(/^(?:in|on|during|over|for) (?!\d|a |an )/, '')
      .replace(/^the /, '')
      .replace(/^(?:(?:this )?(?:morning|afternoon|evening)|tonight|day)$/, 'today')
      .replace(/ (?:morning|afternoon|evening)$/, '');
    const been = period === null ? daysThatWere(days, today, tense) : null;
    if (been !== null) {
      period = been;
      return true;
    }
    const isPeriod =
      readPeriod(days, today) !== null || (days.includes('week') && readDayOfWeek(days, today) !== null);
    if (period !== null || !isPeriod) return false;
    period = days;
    return true;
  });
  if (/^me\b|\b(?:me and|and me)\b/.test(plain)) people.push('me');
  const isMine = tokens.some(({ plain }) => /^(?:i|me|my)$/.test(plain));
  const leftover = tokens.flatMap(({ source, plain }, at) =>
    taken[at] === true || fillers.has(plain) || coverTerms.test(plain) || /^(?:if|not|for|ask)$/.test(plain)
      ? []
      : [source],
  );
  const [person] = people;
  const others = people.slice(MAX_PEOPLE);
  const shown = people.slice(0, MAX_PEOPLE);
  const when = period ?? '';
  const line = (...parts: readonly string[]) =>
    ['/delegates', ...parts].filter((one) => one !== '').join(' ');
  const left = [...leftover, ...others];
  // `If not, who do I ask` says nothing of the person who writes.
  if (person !== undefined)
    return { line: line(shown.join(' and '), when), leftover: left, people: shown, when };
  const ofAll = { people: [], when };
  if (isMine && /\b(?:cover|back-?up|substitute)/.test(plain))
    return { line: when === '' ? line('mine') : line('me', when), leftover: left, ...ofAll };
  const asksAll = tokens.some(({ plain }) => coverTerms.test(plain));
  if (!asksAll && (period === null || left.length > 0)) return null;
  // A day alone is that day, and not its week.
  const day = period === null ? null : readDay(period, today);
  const only = day === null ? when : `${isoDay(day.day)} to ${isoDay(day.day)}`;
  return { line: line('week', only), leftover: left, ...ofAll };
}

const past = /\b(?:who covered|who substituted|was|were|did|had|took over|filled in|stepped in|stood in)\b/;

/**
 * Days that are over, as they are typed with their dates: `last month`, any days in a sentence about the past, and a month
 * that is nearer than its next one; null for others.
 */
function daysThatWere(text: string, today: number, tense: 'past' | 'future' | null): string | null {
  const isPast = tense === 'past' || /^(?:last|past|previous) |^yesterday$| ago$| before last$/.test(text);
  const isMonth = tense === null && /^[a-z]{3,9}$/.test(text) && readDay(text, today) === null;
  if (!isPast && !isMonth) return null;
  const span = readPastSpan(text, today);
  if (span?.first == null || span.last === null || span.first > today) return null;
  const next = isMonth && !isPast ? readPeriod(text, today) : null;
  if (next !== null && next.first.day - today <= today - span.last) return null;
  return `${isoDay(span.first)} to ${isoDay(span.last)}`;
}

/** A person as they can be typed in a line; null where the words are no person. */
function personIn(words: readonly Token[], users: ReadonlyMap<string, User>): string | null {
  const [word] = words;
  if (words.length === 1 && word !== undefined && /^<@[UW]/.test(word.source)) return word.source;
  const isMarked = word?.source.startsWith('@') === true;
  if (words.length === 1 && !isMarked && fillers.has(word?.plain ?? '')) return null;
  const name = nameIn(words);
  const isKnown = usersNamed(name, users).length > 0;
  if (isKnown) return words.length > 1 ? `"${name}"` : name;
  return isMarked && words.length === 1 ? typedText(words) : null;
}
