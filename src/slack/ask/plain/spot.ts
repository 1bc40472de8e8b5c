import { asLiteral } from '../../../api/reporting/query-text.ts';
import { memo } from '../../../cache/namespace.ts';
import { AppError } from '../../../model/error.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import { dayAt } from '../../../time/wall-clock.ts';
import { onlyMeant } from '../grammar/names-meant.ts';
import { readGrouping } from '../grammar/parse-options.ts';
import type { ParserContext } from '../grammar/parser-context.ts';
import { readIssueKeys } from '../grammar/typed-words.ts';
import { deeds, isNegator, joinsBoth, takeNegators } from './negations.ts';
import {
  type Found,
  folded,
  foldedNames,
  freeSpans,
  nameIn,
  type Sentence,
  type Slot,
  type Span,
  type Token,
  textOf,
  typedText,
  using,
} from './sentence.ts';
import {
  areTwo,
  MAX_CONDITION,
  spotCalendar,
  spotCondition,
  spotCount,
  spotEmpty,
  spotRange,
  spotStatistic,
} from './spot-conditions.ts';
import { spotField, spotValue, statusMeant, type Values, valuesHere } from './spot-values.ts';
import { fillers, type Intent, MAX_PHRASE, phrases } from './vocabulary.ts';

/** The slot that some words in a row make together; null where they make none. */
type Spotter = (span: Span) => Promise<Slot | null> | Slot | null;

/** The things that a sentence says, each with its words; the most telling are read first, so that no word says two. */
export async function spotAll(tokens: readonly Token[], context: ParserContext): Promise<Sentence> {
  const found: Found[] = [];
  const assumed: string[] = [];
  const taken = tokens.map(() => false);
  const fields = await valuesHere(context);
  const statuses = fields.get('status') ?? [];
  const today = dayAt(context.now, context.hours.timeZone);

  async function spot(longest: number, spotter: Spotter): Promise<void> {
    for (const span of freeSpans(tokens, taken, longest)) {
      const slot = await unlessWrong(() => spotter(span));
      if (slot === null) continue;
      found.push({ slot, start: span.start, end: span.end });
      taken.fill(true, span.start, span.end);
    }
  }

  await spot(1, (span) => spotKey(span, context));
  await spot(8, ({ words }) => spotSprint(words, context));
  await spot(5, (span) => spotSaved(span, context));
  await spot(MAX_CONDITION, ({ words, after }) => spotCondition(textOf(words), { today, statuses, after }));
  await spot(8, ({ words }) => spotCalendar(words, context, assumed));
  const isCompared = tokens.some((one) => /^compar/.test(one.plain));
  await spot(8, (span) => (isCompared && areTwo(span) ? null : spotRange(span, today, context)));
  await spot(4, ({ words }) => spotStatistic(words));
  await spot(2, spotCount);
  await spot(5, ({ words }) => spotGroup(words, context));
  await spot(4, ({ words }) => spotProject(words, context));
  await spot(4, (span) => spotField(span, context, fields));
  await spot(MAX_PHRASE, ({ words }) => spotEmpty(textOf(words)));
  await spot(4, (span) => spotValue(span, fields));
  await spot(MAX_PHRASE, ({ words }) => spotPhrase(words, 'mine'));
  const selves = selfIn(tokens, taken);
  // Only here an account that is no one's is refused.
  const self = selves.size === 0 ? '' : (await context.self()).id;
  await spot(3, (span) =>
    span.words.length === 1 && selves.has(span.start) ? assigned(self) : spotPerson(span, context),
  );
  takeRoles(found, taken, tokens);
  takeNegators(found, taken, tokens);
  await spot(MAX_PHRASE, ({ words }) => spotPhrase(words));
  takeSprintWord(found, taken, tokens);
  await spot(1, (span) => spotWaiting(span, found, fields));
  takeToday(found, tokens);
  const hasPerson = found.some(({ slot }) => slot.kind === 'person');
  // `this december` before December: only the name was read, as that of last year.
  const isAhead = ({ plain }: Token, end: number) =>
    plain === 'this' &&
    found.some(
      ({ slot, start }) => slot.kind === 'range' && start === end && !/^(?:last|since)\b/.test(slot.words),
    );
  for (const { words, start, end, ...beside } of freeSpans(tokens, taken, 1))
    for (const word of words)
      taken[start] =
        fillers.has(word.plain) &&
        !word.isQuoted &&
        !isOther(word.plain, beside, hasPerson) &&
        !isAhead(word, end) &&
        !(word.plain === 'or' && joinsBoth(start, found));
  return { context, found: found.toSorted((a, b) => a.start - b.start), taken, assumed };
}

/** A name that is refused where it is read is none here; a span in the wrong order is wrong in any sentence. */
async function unlessWrong(spot: () => Promise<Slot | null> | Slot | null): Promise<Slot | null> {
  try {
    return await spot();
  } catch (error) {
    const isName = error instanceof AppError && error.data.kind !== 'order of days';
    if (isName && error.code === 'bad-request') return null;
    throw error;
  }
}

/** In prose capitals make a key, and a link; other words do where their project is there, for `utf-8` is none. */
async function spotKey({ words: [word], before }: Span, { isProject }: ParserContext): Promise<Slot | null> {
  const { keys, others } = readIssueKeys([word?.source ?? '']);
  const [key] = keys;
  // `all but WEB-503`, `blocked by WEB-503`: other issues are asked about.
  if (key === undefined || others.length > 0 || before === 'by' || isNegator(before)) return null;
  const isPlain = word?.source.includes('/') === true || word?.source === key;
  return isPlain || (await isProject(projectKeyOf({ key }))) ? { kind: 'key', key } : null;
}

async function spotSprint(words: readonly Token[], context: ParserContext): Promise<Slot | null> {
  const text = textOf(words);
  const [, which] =
    /^(?:the )?(last|previous|latest|past|this|current|running)(?: closed)? (?:sprint|iteration)s?$/.exec(
      text,
    ) ?? [];
  if (which !== undefined)
    return { kind: 'sprintWord', which: /^(?:this|current|running|latest)$/.test(which) ? 'this' : 'last' };
  if (words.length < 2 && words[0]?.isQuoted !== true) return null;
  const names = await context.sprintNames();
  const name = foldedNames(names).get(folded(typedText(words)));
  if (name !== undefined) return { kind: 'sprint', name };
  if (words[0]?.plain !== 'sprint' || words.length > 3) return null;
  const part = onlyMeant(typedText(words), names);
  return part === null ? null : { kind: 'sprint', name: part };
}

/** A saved report by its name; what is in quotes after these words is one, or is said to be none. */
async function spotSaved({ words, before, earlier }: Span, context: ParserContext): Promise<Slot | null> {
  const isQuoted = words.some((one) => one.isQuoted);
  const isNamed = before === 'saved' || (before === 'report' && earlier === 'saved');
  if (!isQuoted && !isNamed) return null;
  if (isQuoted && isNamed && words.length === 1) return { kind: 'saved', name: typedText(words) };
  const wanted = folded(typedText(words));
  const set = (await context.parameterSets()).find(({ name }) => folded(name) === wanted);
  return set === undefined ? null : { kind: 'saved', name: set.name };
}

/** `by assignee`, `per type and month`. */
async function spotGroup(words: readonly Token[], context: ParserContext): Promise<Slot | null> {
  const [first, ...others] = words;
  if (!/^(?:by|per)$/.test(first?.plain ?? '') || others.length === 0) return null;
  const name = typedText(others).replace(/^(?:each|every) /i, '');
  for (const one of [name, name.replace(/s$/, '')]) {
    const plain = groupNames.get(one.toLowerCase()) ?? one;
    if ((await readGrouping(plain, context)) !== null) return { kind: 'group', words: `by ${plain}` };
  }
  return null;
}

const groupNames: ReadonlyMap<string, string> = new Map([
  ...['person', 'people', 'developer', 'dev', 'owner'].map((name) => [name, 'assignee'] as const),
  ['prio', 'priority'],
  ['issue type', 'type'],
]);

async function spotProject(words: readonly Token[], context: ParserContext): Promise<Slot | null> {
  const text = typedText(words);
  // Words of everyday language are keys in capitals only.
  const isEveryday = ({ plain, source, isQuoted }: Token) =>
    !isQuoted &&
    !/^[A-Z][A-Z0-9_]+$/.test(source) &&
    (fillers.has(plain) || phrases.some(({ pattern }) => pattern.test(plain)));
  if (words.every(isEveryday) || !(await context.isProject(text))) return null;
  return { kind: 'project', name: text };
}

function spotPhrase(words: readonly Token[], only?: Intent): Slot | null {
  if (words.some((one) => one.isQuoted)) return null;
  const text = textOf(words);
  const phrase = phrases.find(({ intent, pattern }) => (only ?? intent) === intent && pattern.test(text));
  return phrase === undefined ? null : { kind: 'intent', intent: phrase.intent };
}

/** `what did we close today`, but not `in QA today`: a time of what happened, and now of what is. */
function takeToday(found: Found[], tokens: readonly Token[]): void {
  const at = found.findIndex(({ start, slot }) => tokens[start]?.plain === 'today' && slot.kind === 'intent');
  const today = found[at];
  const isNow = found.some(
    ({ slot }) => using(...ofNow)(slot) || (slot.kind === 'value' && slot.field === 'status'),
  );
  const isPast = found.some(({ slot }) => using(...ofPast)(slot));
  if (today !== undefined && (isPast || !isNow))
    found[at] = { ...today, slot: { kind: 'range', words: 'today' } };
}

const ofNow = ['aging', 'mine', 'open', 'started', 'waiting', 'unassigned', 'clause'] as const;
const ofPast = ['finished', 'resolved', 'created', 'updated'] as const;

/** `the current APP sprint`: the word that says which one is before the project. */
function takeSprintWord(found: Found[], taken: boolean[], tokens: readonly Token[]): void {
  const at = found.findIndex(({ slot }) => slot.kind === 'intent' && slot.intent === 'sprintReport');
  const sprint = found[at];
  if (sprint === undefined || found.some(({ slot }) => slot.kind === 'sprintWord')) return;
  const project = found.find(({ slot, end }) => slot.kind === 'project' && end === sprint.start);
  const index = (project?.start ?? sprint.start) - 1;
  const [, last, running] =
    /^(?:(last|previous)|(current|running|ongoing|active|this))$/.exec(tokens[index]?.plain ?? '') ?? [];
  if (taken[index] === true || (last ?? running) === undefined) return;
  taken[index] = true;
  const which = last === undefined ? 'this' : 'last';
  found[at] = { ...sprint, slot: { kind: 'sprintWord', which } };
}

/**
 * `blocked or waiting`, `what is waiting in OPS`: the only status that is called so. Beside a status that is named the word
 * says nothing: `waiting in review`. What waits for someone is theirs and open.
 */
function spotWaiting(
  { words, start, end, before, after }: Span,
  found: readonly Found[],
  fields: Values,
): Slot | null {
  const isForSomeone =
    after === 'for' && found.some((one) => one.slot.kind === 'person' && one.start === end + 1);
  if (isForSomeone && words.every(({ plain }) => /^wait(?:s|ing)?$/.test(plain)))
    return { kind: 'intent', intent: 'open' };
  if (words.some(({ plain, isQuoted }) => plain !== 'waiting' || isQuoted)) return null;
  const named = found.filter(
    ({ slot }) => slot.kind === 'value' && slot.field === 'status' && slot.operator === '=',
  );
  const isJoined = (one: Found) =>
    (/^(?:or|and)$/.test(before) && one.end === start - 1) ||
    (/^(?:or|and)$/.test(after) && one.start === end + 1);
  if (named.length > 0 && !named.some(isJoined)) return null;
  const value = statusMeant('waiting', fields.get('status') ?? []);
  return value === null ? null : { kind: 'value', field: 'status', value, operator: '=' };
}

/** A person by name, id or mention. */
async function spotPerson(span: Span, context: ParserContext): Promise<Slot | null> {
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
function assigned(id: string): Person {
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
function takeRoles(found: Found[], taken: boolean[], tokens: readonly Token[]): void {
  const plain = (at: number) => tokens[at]?.plain ?? '';
  const isJoined = (from: number, to: number) =>
    tokens.slice(from, to).every((one) => /^(?:and|or)$/.test(one.plain));
  const rows: { readonly indexes: number[]; readonly start: number; end: number }[] = [];
  for (const [at, { slot, start, end }] of [...found.entries()].toSorted(
    ([, a], [, b]) => a.start - b.start,
  )) {
    if (slot.kind !== 'person') continue;
    const last = rows.at(-1);
    if (last !== undefined && isJoined(last.end, start)) {
      last.indexes.push(at);
      last.end = end;
    } else rows.push({ indexes: [at], start, end });
  }
  for (const { indexes, start, end } of rows) {
    const role = roleAt({ earlier: plain(start - 2), before: plain(start - 1), after: plain(end) });
    for (const at of indexes) {
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
function isOther(word: string, beside: Beside, hasPerson: boolean): boolean {
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
function selfIn(tokens: readonly Token[], taken: readonly boolean[]): ReadonlySet<number> {
  const indexes = tokens.flatMap(({ plain }, at) => {
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
  return new Set(indexes);
}
