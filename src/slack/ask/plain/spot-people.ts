import { asLiteral } from '../../../api/reporting/query-text.ts';
import { memo } from '../../../cache/namespace.ts';
import type { ParserContext } from '../grammar/parser-context.ts';
import { deeds } from './negations.ts';
import type { Found, Slot } from './slots.ts';
import { folded, nameIn, type Span, type Token } from './tokens.ts';
import { fillers } from './vocabulary.ts';

/** A person by name, id or mention. */
export async function spotPerson(span: Span, context: ParserContext): Promise<Slot | null> {
  const { words, before } = span;
  const [word] = words;
  const [, account] = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word?.source ?? '') ?? [];
  if (account !== undefined) return assigned(await context.userOf(account));
  const name = nameIn(words);
  const isMarked = word?.source.startsWith('@') === true;
  const isName = isMarked || isNamePlace(span) || (before !== '' && /^\p{Lu}\p{Ll}/u.test(name));
  if (words.length === 1 && fillers.has(word?.plain ?? '') && !isName) return null;
  const person = personCalled(name, await context.people());
  if (person !== null) return assigned(person);
  const jql = `assignee = ${asLiteral(name)}`;
  return isMarked && words.length === 1 && (await context.isQuery(jql)) ? assigned(name) : null;
}

/** A person, as long as nothing else is said the assignee. */
export function assigned(id: string): Person {
  return { kind: 'person', id, field: 'assignee' };
}

type Person = Extract<Slot, { readonly kind: 'person' }>;

/** `reported by bob`, `did bob report`. */
const reports = /^(?:reported|created|opened|filed|raised)$/;
const report = /^(?:report|create|open|file|raise)$/;

/** `did bob move`, `bugs bob reopened`. */
const moves = /^(?:move[ds]?|reopen(?:ed)?|push(?:ed)?|put|sent|send|transition(?:ed)?)$/;

/** The role of people by the words beside them: reporter, doer or assignee. */
function roleAt({ earlier, before, after }: Beside): Pick<Person, 'field' | 'isBy'> {
  const isSubject = !/^(?:to|by|of|for|from|with|assignee)$/.test(before);
  const isReporter =
    (before === 'by' && reports.test(earlier)) ||
    [earlier, before].includes('reporter') ||
    (isSubject && (reports.test(after) || (/^(?:did|does|do)$/.test(before) && report.test(after))));
  if (isReporter) return { field: 'reporter' };
  const isDoer = before === 'by' || (isSubject && moves.test(after));
  return isDoer ? { field: 'assignee', isBy: true } : { field: 'assignee' };
}

/** Gives people their roles; those in a row have one. `did dora report`: the verb says what happened. */
export function takeRoles(found: Found[], taken: boolean[], tokens: readonly Token[]): void {
  const plain = (at: number) => tokens[at]?.plain ?? '';
  const isJoined = (from: number, to: number) =>
    tokens.slice(from, to).every((one) => /^(?:and|or)$/.test(one.plain));
  const rows: { readonly places: number[]; readonly start: number; end: number }[] = [];
  for (const [at, { slot, start, end }] of [...found.entries()].toSorted(
    ([, a], [, b]) => a.start - b.start,
  )) {
    if (slot.kind !== 'person') continue;
    const last = rows.at(-1);
    if (last !== undefined && isJoined(last.end, start)) {
      last.places.push(at);
      last.end = end;
    } else rows.push({ places: [at], start, end });
  }
  for (const { places, start, end } of rows) {
    const role = roleAt({ earlier: plain(start - 2), before: plain(start - 1), after: plain(end) });
    for (const at of places) {
      const one = found[at];
      if (one?.slot.kind === 'person') found[at] = { ...one, slot: { ...one.slot, ...role } };
    }
    if (role.field === 'assignee' || taken[end] !== false || !report.test(plain(end))) continue;
    found.push({ slot: { kind: 'intent', intent: 'created' }, start: end, end: end + 1 });
    taken[end] = true;
  }
}

/** True if a word that mostly says nothing is in the place of a name: `did Will close`, `assigned to may`. */
function isNamePlace({ earlier, before, after }: Beside): boolean {
  const isSubject = /^(?:did|does|has|and|or)$/.test(before) && (deeds.test(after) || work.test(after));
  return isSubject || (/^(?:to|by)$/.test(before) && deeds.test(earlier));
}

type Beside = Pick<Span, 'earlier' | 'before' | 'after'>;

const work = /^(?:finish|close|complete|resolve|deliver|ship|fix|report|create|open|file|raise|work|do)$/;

/** True if a word has a meaning here that is not understood: a name that is a verb too, a person without a name. */
export function isOther(word: string, beside: Beside, hasPerson: boolean): boolean {
  if (/^(?:will|may|ty)$/.test(word)) return isNamePlace(beside) || /^(?:of|from|by)$/.test(beside.before);
  if (/^mov(?:e|ing)$/.test(word)) return hasPerson;
  return /^(?:he|him|his|she|hers?)$/.test(word) && !hasPerson;
}

function personCalled(name: string, people: People): string | null {
  const { whole, first } = idsByName(people);
  const [only, ...others] = whole.get(folded(name)) ?? first.get(folded(name)) ?? [];
  return only !== undefined && others.length === 0 ? only : null;
}

type People = Awaited<ReturnType<ParserContext['people']>>;

/** The ids of people by their ids and names, and by their first names; made once for a list. */
const idsByName = memo((people: People) => {
  const by = (namesOf: (one: People[number]) => readonly string[]) => {
    const ids = new Map<string, Set<string>>();
    for (const one of people)
      for (const name of namesOf(one).map(folded)) ids.set(name, (ids.get(name) ?? new Set()).add(one.id));
    return ids;
  };
  return { whole: by(({ id, name }) => [id, name]), first: by(({ name }) => [name.split(' ')[0] ?? '']) };
});

/** The places at which a sentence names its writer: `for me`, `my bugs`, `did I finish`; not `show me`. */
export function selfIn(tokens: readonly Token[], taken: readonly boolean[]): ReadonlySet<number> {
  const places = tokens.flatMap(({ plain }, at) => {
    if (taken[at] === true) return [];
    const [before, after] = [tokens[at - 1]?.plain ?? '', tokens[at + 1]?.plain ?? ''];
    const isMe =
      /^(?:me|myself)$/.test(plain) && !/^(?:show|tell|give|let|help|get|send|find|bring)$/.test(before);
    const isMy =
      plain === 'my' && !/^(?:teams?|projects?|saved|reports?|channel|question|sprint)$/.test(after);
    const isI =
      plain === 'i' &&
      (deeds.test(after) || work.test(after) || /^work/.test(after) || /^(?:did|have)$/.test(before));
    return isMe || isMy || isI ? [at] : [];
  });
  return new Set(places);
}
