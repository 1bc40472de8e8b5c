import { codeText } from '../../block-kit/mrkdwn.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import { AppError } from '../../model/error.ts';
import { isoDay } from '../../time/date-text.ts';
import { calendarName } from '../../time/hours-text.ts';
import { isDayName, readPastSpan } from '../../time/past-spans.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { zoneWords } from '../../time/zones.ts';
import { onlyMeant } from '../parse/names-meant.ts';
import type { ParserContext } from '../parse/parser-context.ts';
import { calendarIdOf, readCalendar } from '../parse/read-calendar.ts';
import { readRange } from '../parse/read-range.ts';
import { readGrouping, readStatistic } from '../parse/take-tails.ts';
import { asLiteral, readIssueKeys } from '../parse/typed-words.ts';
import type { Found, Sentence, Slot } from './slots.ts';
import { MAX_CONDITION, spotCondition } from './spot-conditions.ts';
import { spotField, spotPriority, spotValue, valuesHere } from './spot-values.ts';
import { folded, type Token } from './tokens.ts';
import { fillers, MAX_PHRASE, negators, phrases, type Wish } from './vocabulary.ts';

/** What some words in a row say; null where they say nothing together. `at` is the first of them. */
type Spotter = (words: readonly Token[], at: number) => Promise<Slot | null> | Slot | null;

/** What a sentence says: each thing with its words, the most telling things first, so that no word says two. */
export async function spotAll(tokens: readonly Token[], context: ParserContext): Promise<Sentence> {
  const found: Found[] = [];
  const assumed: string[] = [];
  const taken = tokens.map(() => false);
  const fields = await valuesHere(context);
  const today = dayAt(context.now, context.hours.timeZone);

  async function spot(longest: number, spotter: Spotter): Promise<void> {
    for (let length = Math.min(longest, tokens.length); length > 0; length -= 1) {
      for (let start = 0; start + length <= tokens.length; start += 1) {
        const end = start + length;
        if (taken.slice(start, end).includes(true)) continue;
        const slot = await unlessWrong(() => spotter(tokens.slice(start, end), start));
        if (slot === null) continue;
        found.push({ slot, start, end });
        taken.fill(true, start, end);
      }
    }
  }
  const plain = (at: number) => tokens[at]?.plain ?? '';
  const [statuses = { field: 'status', names: [] }] = fields;

  await spot(1, (words) => spotKey(words, context));
  await spot(8, (words) => spotSprint(words, context));
  await spot(5, (words, at) => spotSaved(words, plain(at - 1), plain(at - 2), context));
  await spot(MAX_CONDITION, (words) => spotCondition(textOf(words), { today, statuses }));
  await spot(8, (words) => spotCalendar(words, context, assumed));
  await spot(8, (words) => spotRange(words, today, context));
  await spot(4, (words) => spotStatistic(words));
  await spot(5, (words) => spotGroup(words, context));
  await spot(2, (words) => spotPriority(words, fields));
  await spot(4, (words) => spotProject(words, context));
  await spot(4, (words) => spotField(words, context, fields));
  await spot(4, (words, at) =>
    spotValue(words, { before: plain(at - 1), after: plain(at + words.length), fields }),
  );
  await spot(MAX_PHRASE, (words) => spotPhrase(words, 'mine'));
  for (const at of selfIn(tokens, taken)) {
    const self = await context.self();
    found.push({ slot: { kind: 'person', id: self.id, field: 'assignee' }, start: at, end: at + 1 });
    taken[at] = true;
  }
  await spot(3, (words, at) => spotPerson(words, plain(at - 1), plain(at - 2), context));
  await spot(MAX_PHRASE, (words) => spotPhrase(words));
  takeNegators(found, taken, tokens);
  for (const [at, one] of tokens.entries()) if (fillers.has(one.plain) && !one.isQuoted) taken[at] = true;
  return { context, found: found.toSorted((a, b) => a.start - b.start), taken, assumed };
}

/** A name that is refused where it is read is none here. */
async function unlessWrong(spot: () => Promise<Slot | null> | Slot | null): Promise<Slot | null> {
  try {
    return await spot();
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return null;
    throw error;
  }
}

function textOf(words: readonly Token[]): string {
  return words.map(({ plain }) => plain).join(' ');
}

function sourceOf(words: readonly Token[]): string {
  return words.map(({ source }) => source).join(' ');
}

/** In prose capitals make a key, and a link; other words do where their project is there, for `utf-8` is none. */
async function spotKey([word]: readonly Token[], { isProject }: ParserContext): Promise<Slot | null> {
  const { keys, others } = readIssueKeys([word?.source ?? '']);
  const [key] = keys;
  if (key === undefined || others.length > 0) return null;
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
  const names = [...new Set(await context.sprintNames())];
  const wanted = folded(sourceOf(words));
  const name = names.find((one) => folded(one) === wanted);
  if (name !== undefined) return { kind: 'sprint', name };
  if (words[0]?.plain !== 'sprint' || words.length > 3) return null;
  const part = onlyMeant(sourceOf(words), names);
  return part === null ? null : { kind: 'sprint', name: part };
}

/** A saved report by its name; what is in quotes after these words is one, or is said to be none. */
async function spotSaved(
  words: readonly Token[],
  before: string,
  earlier: string,
  context: ParserContext,
): Promise<Slot | null> {
  const isQuoted = words.some((one) => one.isQuoted);
  const isNamed = before === 'saved' || (before === 'report' && earlier === 'saved');
  if (!isQuoted && !isNamed) return null;
  if (isQuoted && isNamed && words.length === 1) return { kind: 'saved', name: sourceOf(words) };
  const wanted = folded(sourceOf(words));
  const set = (await context.parameterSets()).find(({ name }) => folded(name) === wanted);
  return set === undefined ? null : { kind: 'saved', name: set.name };
}

/** `in Berlin hours`, `in working hours`, `9 to 5 Berlin time`; what only sounds like a calendar is said. */
function spotCalendar(words: readonly Token[], context: ParserContext, assumed: string[]): Slot | null {
  const { calendars, hours } = context;
  const text = textOf(words);
  const unit = /^(?:in|as) (hours|days)$/.exec(text)?.[1];
  if (unit !== undefined) return { kind: 'unit', words: `in ${unit}` };
  const named = (id: string): Slot => {
    const calendar = calendars.find((one) => calendarIdOf(one) === id);
    return {
      kind: 'calendar',
      words: `in ${calendar === undefined ? id : quotedName(calendarName(calendar))}`,
    };
  };
  const [, name = ''] = /^(?:in|on|with|using|during|by) (?:the )?(.+)$/.exec(text) ?? [];
  const exact = name === '' || /^\d+$/.test(name) ? null : readCalendar(name, calendars);
  if (exact !== null) return named(exact);
  if (/^(?:around the clock|24\/7|24x7|in 24\/7|calendar hours|elapsed(?: time)?)$/.test(text))
    return named('normalHours');
  const work = calendars.filter(({ id }) => id !== null);
  const [, place = ''] =
    /^(?:(?:in|on|at|during) )?(?:(?:\d{1,2}(?::\d\d)? ?(?:am|pm)? ?(?:to|-|–) ?\d{1,2}(?::\d\d)? ?(?:am|pm)?) )?(.*?) ?(?:time|office|working hours|business hours|office hours|hours)$/.exec(
      text,
    ) ?? [];
  const isWork =
    /^(?:in |during |on )?(?:our |my |the )?(?:working|work|business|office) (?:hours|days|time)(?: only)?$/.test(
      text,
    );
  const of = isWork ? zoneWords(hours.timeZone).replace(/ time$/, '') : place;
  if (of === '') return null;
  const chosen =
    work.find((one) => folded(one.name) === folded(of)) ??
    work.find((one) => folded(zoneWords(one.timeZone).replace(/ time$/, '')) === folded(of)) ??
    (isWork && work.length === 1 ? work[0] : undefined);
  if (chosen === undefined) return null;
  assumed.push(`Time is counted in the working hours of the calendar ${codeText(chosen.name)}.`);
  return named(calendarIdOf(chosen));
}

function quotedName(name: string): string {
  return /^[\w/-]+(?: [\w/-]+)*$/.test(name) ? name : `"${name}"`;
}

const recently = /^(?:recent(?:ly)?|lately|these days|nowadays|of late)$/;

/** Words for a time that a sentence uses for other things too, unless a word before them says so. */
const alone =
  /^(?:(?:the|this|in|for|of|on) )?(?:now|today|week|month|quarter|year|so far|may|march|spring|fall)$/;
const named =
  /^(?:in|since|during|last|of|until|before|for|early|late|mid|this) (?:may|march|spring|fall|week|month|quarter|year)$/;

function spotRange(words: readonly Token[], today: number, context: ParserContext): Slot | null {
  const text = textOf(words);
  if (recently.test(text)) return { kind: 'range', words: 'last 30 days' };
  const isMonth = words.length === 1 && /^(?:May|March)$/.test(words[0]?.source ?? '');
  if (words.some((one) => one.isQuoted) || (alone.test(text) && !named.test(text) && !isMonth)) return null;
  if (/^(?:on|the|at|by) \D+$/.test(text) && isDayName(text.replace(/^\w+ /, ''))) {
    return { kind: 'range', words: text.replace(/^\w+ /, '') };
  }
  if (isDayName(text) || /^(?:created|resolved|updated|finished|closed|done|completed|opened)\b/.test(text))
    return null;
  const plain = sourceOf(words)
    .replace(/^(?:in|during|for|over|within|on|of|from) (?:the )?(?!.* (?:to|until|till|through|-|–) )/i, '')
    .replace(/^the /i, '');
  const range = readRange(plain.split(' '), { now: context.now, hours: context.hours, isLoose: true });
  if (range === null || /^\d{1,3}$/.test(plain)) return null;
  if (!/\b(?:summer|spring|autumn|fall|winter)\b/i.test(plain)) return { kind: 'range', words: plain };
  const span = readPastSpan(plain, today);
  if (span?.first == null) return null;
  const last = span.last === null ? '' : ` and ${isoDay(span.last)}`;
  return {
    kind: 'range',
    words: last === '' ? `since ${isoDay(span.first)}` : `between ${isoDay(span.first)}${last}`,
  };
}

const statistics: ReadonlyMap<string, string> = new Map([
  ['avg', 'average'],
  ['ave', 'average'],
  ['on average', 'average'],
  ['averages', 'average'],
  ['averaged', 'average'],
  ['typical', 'median'],
  ['typically', 'median'],
  ['medians', 'median'],
  ['in total', 'sum'],
  ['std dev', 'standard deviation'],
  ['stddev', 'standard deviation'],
  ['p 85', 'p85'],
]);

function spotStatistic(words: readonly Token[]): Slot | null {
  const text = textOf(words);
  const plain =
    statistics.get(text) ??
    text.replace(/^(\d{1,2})(?:th)? ?(?:pct|percentile|perc)$/, 'p$1').replace(/^the /, '');
  if (plain === 'list') return null;
  return readStatistic(plain.split(' ')) === null ? null : { kind: 'statistic', words: plain };
}

/** `by assignee`, `per type and month`. */
async function spotGroup(words: readonly Token[], context: ParserContext): Promise<Slot | null> {
  const [first, ...others] = words;
  if (!/^(?:by|per|each)$/.test(first?.plain ?? '') || others.length === 0) return null;
  const name = sourceOf(others).replace(/^(?:each|every) /i, '');
  const plain = groupNames.get(name.toLowerCase()) ?? name;
  return (await readGrouping(plain, context)) === null ? null : { kind: 'group', words: `by ${plain}` };
}

const groupNames: ReadonlyMap<string, string> = new Map([
  ['person', 'assignee'],
  ['people', 'assignee'],
  ['developer', 'assignee'],
  ['dev', 'assignee'],
  ['owner', 'assignee'],
  ['prio', 'priority'],
  ['issue type', 'type'],
  ['types', 'type'],
  ['assignees', 'assignee'],
  ['weeks', 'week'],
  ['months', 'month'],
  ['projects', 'project'],
]);

async function spotProject(words: readonly Token[], context: ParserContext): Promise<Slot | null> {
  const [only, ...others] = words;
  const text = sourceOf(words);
  // Words of everyday language are keys in capitals only.
  const isWord =
    others.length === 0 &&
    only !== undefined &&
    (fillers.has(only.plain) || phrases.some(({ pattern }) => pattern.test(only.plain)));
  if (isWord && !/^[A-Z][A-Z0-9_]+$/.test(only.source) && !only.isQuoted) return null;
  if (!(await context.isProject(text))) return null;
  return { kind: 'project', name: text };
}

async function spotPerson(
  words: readonly Token[],
  before: string,
  earlier: string,
  context: ParserContext,
): Promise<Slot | null> {
  const [word] = words;
  const field =
    before === 'by' && /^(?:reported|created|opened|filed|raised)$/.test(earlier) ? 'reporter' : 'assignee';
  const [, account] = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word?.source ?? '') ?? [];
  if (account !== undefined) return { kind: 'person', id: await context.userOf(account), field };
  const name = sourceOf(words)
    .replace(/^@/, '')
    .replace(/['’]s?$/, '');
  const isMarked = word?.source.startsWith('@') === true;
  if (!isMarked && words.length === 1 && fillers.has(word?.plain ?? '')) return null;
  const person = personCalled(name, await context.people());
  if (person !== null) return { kind: 'person', id: person.id, field };
  const jql = `assignee = ${asLiteral(name)}`;
  return isMarked && words.length === 1 && (await context.isQuery(jql))
    ? { kind: 'person', id: name, field }
    : null;
}

/** The only person of an id, a name or a first name. */
function personCalled(
  name: string,
  people: Awaited<ReturnType<ParserContext['people']>>,
): { readonly id: string } | null {
  const wanted = folded(name);
  const exact = people.filter((one) => folded(one.id) === wanted || folded(one.name) === wanted);
  const found =
    exact.length > 0 ? exact : people.filter((one) => folded(one.name.split(' ')[0] ?? '') === wanted);
  const [only, ...others] = found;
  return only !== undefined && others.length === 0 ? only : null;
}

/** Where a sentence names the person who writes: `for me`, `my bugs`, `did I finish`; not in `show me`. */
function selfIn(tokens: readonly Token[], taken: readonly boolean[]): readonly number[] {
  return tokens.flatMap(({ plain }, at) => {
    if (taken[at] === true) return [];
    const [before, after] = [tokens[at - 1]?.plain ?? '', tokens[at + 1]?.plain ?? ''];
    const isMe =
      /^(?:me|myself)$/.test(plain) && !/^(?:show|tell|give|let|help|get|send|find|bring)$/.test(before);
    const isMy =
      plain === 'my' && !/^(?:teams?|projects?|saved|reports?|channel|question|sprint)$/.test(after);
    const isI =
      plain === 'i' && /^(?:finish|close|complete|resolve|deliver|ship|work|working|done|do)/.test(after);
    return isMe || isMy || isI ? [at] : [];
  });
}

function spotPhrase(words: readonly Token[], only?: Wish): Slot | null {
  if (words.some((one) => one.isQuoted)) return null;
  const text = textOf(words);
  const phrase = phrases.find(({ wish, pattern }) => (only ?? wish) === wish && pattern.test(text));
  return phrase === undefined ? null : { kind: 'wish', wish: phrase.wish };
}

/** A value after `without` is one that is not wanted. */
function takeNegators(found: Found[], taken: boolean[], tokens: readonly Token[]): void {
  for (const [at, { slot, start, end }] of found.entries()) {
    if (slot.kind !== 'value' || slot.operator !== '=') continue;
    let before = start - 1;
    while (
      before >= 0 &&
      /^(?:the|any|in|of|type|all|for|status|counting)$/.test(tokens[before]?.plain ?? '')
    )
      before -= 1;
    const word = tokens[before]?.plain ?? '';
    const isOther = word === 'than' && tokens[before - 1]?.plain === 'other';
    if (before < 0 || taken[before] === true || !(negators.has(word) || isOther)) continue;
    taken.fill(true, isOther ? before - 1 : before, start);
    found[at] = { slot: { ...slot, operator: '!=' }, start, end };
  }
}
