import { rangeClause } from '../../../api/parameters/rolling-range.ts';
import type { When } from '../../../model/question.ts';
import { isoDay } from '../../../time/date-text.ts';
import { periodAt } from '../../../time/periods.ts';
import { dayAt } from '../../../time/wall-clock.ts';
import { comparedFigure, isCycleFigure, readGrouping, readStatistic } from '../grammar/parse-options.ts';
import type { ParserContext } from '../grammar/parser-context.ts';
import { readRange } from '../grammar/read-range.ts';
import { type Found, isNegated, type Sentence, type Slot, using } from './sentence.ts';
import { fieldName, valueName } from './spot-values.ts';
import type { Intent } from './vocabulary.ts';

/** A line for `/tis`, the words that it leaves out, and what it takes for granted (mrkdwn). */
export interface Composed {
  readonly line: string;
  readonly unused: readonly Found[];
  readonly assumed: readonly string[];
  /** Why the line leaves something out, where there is more to say than that it does. */
  readonly reason?: string;
}

type Of<Kind extends Slot['kind']> = Extract<Slot, { readonly kind: Kind }>;

/** The contents of a sentence, by kind. */
export interface SentenceContent {
  readonly all: readonly Found[];
  readonly context: ParserContext;
  readonly intents: ReadonlySet<Intent>;
  of<Kind extends Slot['kind']>(kind: Kind): readonly (Of<Kind> & { readonly at: Found })[];
  asks(...intents: readonly Intent[]): boolean;
  has(...kinds: readonly Slot['kind'][]): boolean;
}

/** The content of a sentence. */
export function contentOf({ found, context }: Pick<Sentence, 'found' | 'context'>): SentenceContent {
  const isOf = <Kind extends Slot['kind']>(kind: Kind, slot: Slot): slot is Of<Kind> => slot.kind === kind;
  const intents = new Set(found.flatMap(({ slot }) => (slot.kind === 'intent' ? [slot.intent] : [])));
  if (intents.has('resolved')) intents.add('finished');
  return {
    all: found,
    context,
    intents,
    of: (kind) => found.flatMap((at) => (isOf(kind, at.slot) ? [{ ...at.slot, at }] : [])),
    asks: (...some) => some.some((one) => intents.has(one)),
    has: (...kinds) => found.some(({ slot }) => kinds.includes(slot.kind)),
  };
}

/** Slots that narrow the issues. */
export const narrowKinds = ['project', 'person', 'sprint', 'value', 'clause'] as const;
/** Slots that are hours and units. */
export const hourKinds = ['calendar', 'unit'] as const;

const isIdle = using(
  ...([
    'how',
    'list',
    'count',
    'time',
    'take',
    'now',
    'everywhere',
    'finished',
    'resolved',
    'people',
  ] as const),
);

/** Slots of which a line has one: of several the others are not overlooked. */
const isSingle = using('range', 'sprintWord', 'statistic', 'calendar', 'unit', 'change');

interface Extras {
  readonly assumed?: readonly string[];
  readonly ranges?: number;
  readonly others?: readonly Found[];
}

/** A line, and what was said beside what it uses, or is one of `others`. `ranges` is how many times it can have. */
export function composed(
  line: string,
  { all }: SentenceContent,
  uses: (slot: Slot) => boolean,
  { assumed = [], ranges = 1, others = [] }: Extras = {},
): Composed {
  const isMore = ({ slot }: Found) => {
    const same = all.filter((one) => one.slot.kind === slot.kind).map((one) => one.slot);
    return isSingle(slot) && same.indexOf(slot) >= (slot.kind === 'range' ? ranges : 1);
  };
  return {
    line,
    unused: all.filter((one) => others.includes(one) || isMore(one) || !(isIdle(one.slot) || uses(one.slot))),
    assumed,
  };
}

/** The same, of which nothing but a list is wanted: of finished issues, unless it says what else happened. */
export function asList({ all, context, asks }: SentenceContent): SentenceContent {
  const wanted = (asks('created', 'updated') ? (['list'] as const) : (['list', 'finished'] as const)).map(
    (intent): Found => ({ slot: { kind: 'intent', intent }, start: 0, end: 0 }),
  );
  return contentOf({ found: [...all, ...wanted], context });
}

/** The slots that narrow the issues, without those that are said elsewhere in the line. */
export function narrowing(
  { all }: SentenceContent,
  without: readonly { readonly at: Found }[] = [],
): readonly Slot[] {
  const isNarrow = using(...narrowKinds);
  return all.flatMap(({ slot }) =>
    isNarrow(slot) && !without.some(({ at }) => at.slot === slot) ? [slot] : [],
  );
}

/** The statuses that are asked about. */
export function statusesOf({ of }: SentenceContent) {
  return of('value').filter(({ field, operator }) => field === 'status' && operator === '=');
}

/** A filter as it is typed: a project alone, one person (unless a query is wanted), or a query of all that narrows the issues. */
export function filterLine(
  { intents }: Pick<SentenceContent, 'intents'>,
  slots: readonly Slot[],
  isQuery = false,
): string {
  const [one, ...others] = slots;
  if (one === undefined) return intents.has('everywhere') ? 'jql project is not EMPTY' : '';
  if (others.length === 0 && !isNegated(one)) {
    if (one.kind === 'project') return one.name;
    if (!isQuery && one.kind === 'person' && one.field === 'assignee') return `assignee ${one.id}`;
  }
  return `jql ${clausesOf(slots).join(' AND ')}`;
}

function clausesOf(slots: readonly Slot[]): readonly string[] {
  const all = slots.flatMap((one) => (one.kind === 'value' ? [one] : []));
  // `high or highest` are these two.
  const values = all.map((one) => {
    const isListed = all.some(
      ({ field, value, operator }) => field === one.field && value !== one.value && operator !== '!=',
    );
    return isListed && one.operator !== '!=' ? { ...one, operator: '=' } : one;
  });
  const groups = Map.groupBy(values, ({ field, operator }) => `${field} ${operator}`);
  const both = (field: string, kind: Slot['kind']) =>
    [false, true].flatMap((isNot) => {
      const some = slots.filter((one) => one.kind === kind && isNegated(one) === isNot);
      const names = some.flatMap((one) => {
        if (one.kind === 'person') return one.field === field ? [one.id] : [];
        return 'name' in one ? [one.name] : [];
      });
      return oneOrMore(field, names, isNot);
    });
  return [
    ...both('project', 'project'),
    ...both('sprint', 'sprint'),
    ...[...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const named = group.map(({ value }) => value);
      const { field, operator } = first;
      if (operator === '=' || operator === '!=') return oneOrMore(field, named, operator === '!=');
      return named.map((value) => `${fieldName(field)} ${operator} ${valueName(value)}`);
    }),
    ...both('assignee', 'person'),
    ...both('reporter', 'person'),
    ...new Set(slots.flatMap((one) => (one.kind === 'clause' ? [one.jql] : []))),
  ];
}

function oneOrMore(field: string, typed: readonly string[], isNot: boolean): readonly string[] {
  const all = [...new Set(typed)].map(valueName);
  if (all.length === 0) return [];
  const [not, sign] = isNot ? ['not ', '!='] : ['', '='];
  const name = fieldName(field);
  const clause = all.length === 1 ? `${name} ${sign} ${all[0]}` : `${name} ${not}in (${all.join(', ')})`;
  // An issue without a value has none of these; JQL leaves it out unless that is said.
  return [isNot && !alwaysSet.has(field) ? `(${clause} OR ${name} is EMPTY)` : clause];
}

const alwaysSet: ReadonlySet<string> = new Set(['project', 'issuetype', 'status', 'priority', 'reporter']);

/** A time as conditions of JQL on a field. */
export function timeClauses(
  words: string,
  field: 'created' | 'updated' | 'resolved',
  context: ParserContext,
): readonly string[] {
  const when = whenOf(words, context);
  if (when === null) return [];
  if (when.by !== 'dates') return [rangeClause({ field, when })];
  const { from, to } = daysOf(when, context.hours.timeZone);
  return [
    ...(from === null ? [] : [`${field} >= "${from}"`]),
    ...(to === null ? [] : [`${field} < "${to}"`]),
  ];
}

/** The conditions under which a change of status is within the times of a sentence. */
export function changeWithin({ of, context }: SentenceContent): string {
  return of('range')
    .flatMap(({ words }) => timeClauses(words, 'created', context))
    .flatMap((clause) => clause.split(' AND '))
    .map((clause) => clause.replace('created >= ', ' AFTER ').replace('created < ', ' BEFORE '))
    .join('');
}

function whenOf(words: string, { now, hours }: ParserContext): When | null {
  return readRange(words.split(' '), { now, hours, isLoose: true })?.when ?? null;
}

/** The ISO week that holds all days of a time, such as `2026-W46`; null where it is no part of one. */
export function weekOf(words: string, context: ParserContext): string | null {
  const when = whenOf(words, context);
  if (when?.by !== 'dates' || when.from === null) return null;
  const week = periodAt(when.from, 'Week', context.hours.timeZone);
  return (when.to ?? context.now) <= week.end ? week.id : null;
}

function daysOf({ from, to }: Extract<When, { by: 'dates' }>, timeZone: string) {
  const dayOf = (at: number | null) => (at === null ? null : isoDay(dayAt(at, timeZone)));
  return { from: dayOf(from), to: dayOf(to) };
}

/** True if a name before the words of a time would be read as going on with them. */
export function mayBeName(words: string, { now, hours }: ParserContext): boolean {
  return words !== '' && readRange(words.split(' '), { now, hours }) === null;
}

/** The words for the time of a question: `created last month`. */
export function rangeLine(content: SentenceContent): string {
  const [range, sprint] = [content.of('range')[0]?.words, content.of('sprintWord')[0]?.which];
  const words = range ?? (sprint === undefined ? '' : `${sprint} sprint`);
  const verb = rangeVerb(content);
  // The usual date, that of the finish, needs no word.
  return words === '' ? '' : lineOf(verb === 'finished' ? '' : verb, words);
}

/** The event that the time of a sentence is about: the last one before it, else the first after it. */
export function rangeVerb({ of }: SentenceContent): 'finished' | 'resolved' | 'created' | 'updated' {
  const { start = 0 } = (of('range')[0] ?? of('sprintWord')[0])?.at ?? {};
  const verbs = (['finished', 'resolved', 'created', 'updated'] as const)
    .flatMap((verb) =>
      of('intent').flatMap(({ intent, at }) => (intent === verb ? [{ verb, at: at.start }] : [])),
    )
    .toSorted((a, b) => a.at - b.at);
  return (verbs.findLast(({ at }) => at <= start) ?? verbs[0])?.verb ?? 'finished';
}

/** The words for some of what a line ends with: one of each kind. */
export function tailsLine(
  { of }: SentenceContent,
  ...kinds: readonly ('statistic' | 'calendar' | 'unit')[]
): string {
  return lineOf(...kinds.map((kind) => of(kind)[0]?.words ?? ''));
}

/** True if one of some groupings is a period. */
export async function hasPeriod(groups: readonly string[], context: ParserContext): Promise<boolean> {
  for (const words of groups) {
    const grouping = await readGrouping(words.replace(/^by /, ''), context);
    if (grouping?.kind === 'report' && grouping.timePeriod !== undefined) return true;
  }
  return false;
}

/** True if a figure can be one of the cycle time. */
export function isCycleStatistic(words: string | undefined): boolean {
  const statistic = words === undefined ? null : readStatistic(words.split(' '));
  return statistic === null || (statistic !== 'list' && isCycleFigure(statistic));
}

/** True if two sides can be compared by a figure. */
export function isComparedStatistic(words: string): boolean {
  const statistic = readStatistic(words.split(' '));
  return statistic !== null && statistic !== 'list' && comparedFigure(statistic) !== null;
}

/** A line of its parts, with one blank between them. */
export function lineOf(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
