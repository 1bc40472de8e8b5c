import type { When } from '../../model/question.ts';
import { clauseOf } from '../../parameters/rolling-range.ts';
import { isoDay } from '../../time/date-text.ts';
import { periodAt } from '../../time/periods.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { ParserContext } from '../parse/parser-context.ts';
import { readRange } from '../parse/read-range.ts';
import { comparedFigure, isCycleFigure, readGrouping, readStatistic } from '../parse/take-tails.ts';
import { type Found, isNegated, type Sentence, type Slot } from './slots.ts';
import { fieldName, valueName } from './spot-values.ts';
import type { Intent } from './vocabulary.ts';

/** A line as it would stand after `/tis`, which of what was said it leaves out, and what it takes for granted (mrkdwn). */
export interface Composed {
  readonly line: string;
  readonly unused: readonly Found[];
  readonly assumed: readonly string[];
  /** Why the line leaves something out, where there is more to say than that it does. */
  readonly reason?: string;
}

type Of<Kind extends Slot['kind']> = Extract<Slot, { readonly kind: Kind }>;

/** What was said, by kind, and which of it was used. */
export interface Said {
  readonly all: readonly Found[];
  readonly context: ParserContext;
  readonly intents: ReadonlySet<Intent>;
  of<Kind extends Slot['kind']>(kind: Kind): readonly (Of<Kind> & { readonly at: Found })[];
}

/** What a sentence said. */
export function saidIn({ found, context }: Pick<Sentence, 'found' | 'context'>): Said {
  const isOf = <Kind extends Slot['kind']>(kind: Kind, slot: Slot): slot is Of<Kind> => slot.kind === kind;
  return {
    all: found,
    context,
    intents: new Set(found.flatMap(({ slot }) => (slot.kind === 'intent' ? [slot.intent] : []))),
    of: (kind) => found.flatMap((at) => (isOf(kind, at.slot) ? [{ ...at.slot, at }] : [])),
  };
}

/** A filter as it is typed: a project alone, one person (unless a query is wanted), or a query of all that narrows the issues. */
export function filterLine(slots: readonly Slot[], isQuery = false): string {
  const [person, ...others] = slots.flatMap((one) => (one.kind === 'person' ? [one] : []));
  const narrowing = slots.filter(({ kind }) => narrows.has(kind));
  const [project] = names(slots, 'project');
  if (narrowing.length === 0) return '';
  const isOne = narrowing.length === 1 && !narrowing.some(isNegated);
  if (isOne && project !== undefined) return project;
  if (!isQuery && isOne && person?.field === 'assignee' && others.length === 0)
    return `assignee ${person.id}`;
  return `jql ${clausesOf(slots).join(' AND ')}`;
}

const narrows: ReadonlySet<Slot['kind']> = new Set(['project', 'person', 'sprint', 'value', 'clause', 'key']);

function names(slots: readonly Slot[], kind: 'project' | 'sprint', isNot = false): readonly string[] {
  return slots.flatMap((one) => (one.kind === kind && isNegated(one) === isNot ? [one.name] : []));
}

/** The same as conditions of JQL. */
export function clausesOf(slots: readonly Slot[]): readonly string[] {
  const people = (field: 'assignee' | 'reporter', isNot = false) =>
    slots.flatMap((one) =>
      one.kind === 'person' && one.field === field && isNegated(one) === isNot ? [one.id] : [],
    );
  const values = slots.flatMap((one) => (one.kind === 'value' ? [one] : []));
  const groups = Map.groupBy(values, ({ field, operator }) => `${field} ${operator}`);
  return [
    ...oneOrMore('project', names(slots, 'project')),
    ...oneOrMore('project', names(slots, 'project', true), true),
    ...oneOrMore('sprint', names(slots, 'sprint')),
    ...oneOrMore('sprint', names(slots, 'sprint', true), true),
    ...slots.flatMap((one) => (one.kind === 'key' ? [`key = ${one.key}`] : [])),
    ...[...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const all = group.map(({ value }) => value);
      const { field, operator } = first;
      if (operator === '=' || operator === '!=') return oneOrMore(field, all, operator === '!=');
      return all.map((value) => `${fieldName(field)} ${operator} ${valueName(value)}`);
    }),
    ...oneOrMore('assignee', people('assignee')),
    ...oneOrMore('assignee', people('assignee', true), true),
    ...oneOrMore('reporter', people('reporter')),
    ...oneOrMore('reporter', people('reporter', true), true),
    ...new Set(slots.flatMap((one) => (one.kind === 'clause' ? [one.jql] : []))),
  ];
}

function oneOrMore(field: string, typed: readonly string[], isNot = false): readonly string[] {
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
  { now, hours }: ParserContext,
): readonly string[] {
  const when = whenOf(words, { now, hours });
  if (when === null) return [];
  if (when.by !== 'dates') return [clauseOf({ field, when })];
  const { from, to } = daysOf(when, hours.timeZone);
  return [
    ...(from === null ? [] : [`${field} >= "${from}"`]),
    ...(to === null ? [] : [`${field} < "${to}"`]),
  ];
}

/** The conditions under which a change of status is within a time. */
export function changeWithin(words: string, context: ParserContext): string {
  const when = whenOf(words, context);
  if (when === null) return '';
  if (when.by !== 'dates')
    return ` AFTER ${clauseOf({ field: 'created', when }).slice('created >= '.length).replace(' AND created < ', ' BEFORE ')}`;
  const { from, to } = daysOf(when, context.hours.timeZone);
  return `${from === null ? '' : ` AFTER "${from}"`}${to === null ? '' : ` BEFORE "${to}"`}`;
}

function whenOf(words: string, { now, hours }: Pick<ParserContext, 'now' | 'hours'>): When | null {
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

/** Whether a name before a time would be read as going on with it. */
export function mayBeName(words: string, { now, hours }: ParserContext): boolean {
  return words !== '' && readRange(words.split(' '), { now, hours }) === null;
}

/** What a word for the time of a question is: `created last month`. */
export function rangeLine({ of, intents }: Said): string {
  const [range, sprint] = [of('range')[0]?.words, of('sprintWord')[0]?.which];
  const words = range ?? (sprint === undefined ? '' : `${sprint} sprint`);
  if (words === '') return '';
  // Of what was finished nothing has to be said.
  const isCreated = intents.has('created') && !intents.has('finished');
  return `${isCreated ? 'created ' : intents.has('updated') && !intents.has('finished') ? 'updated ' : ''}${words}`;
}

/** The words for figures, hours and units, in the order they are typed. */
export function tailsLine({ of }: Said): string {
  const words = (['statistic', 'calendar', 'unit'] as const).flatMap((kind) =>
    of(kind).map((one) => one.words),
  );
  return [...new Set(words)].join(' ');
}

/** Whether a grouping is a period. */
export async function isPeriod(words: string, context: ParserContext): Promise<boolean> {
  const grouping = await readGrouping(words.replace(/^by /, ''), context);
  return grouping?.kind === 'report' && grouping.timePeriod !== undefined;
}

/** Whether a figure can be one of the cycle time. */
export function isCycleStatistic(words: string | undefined): boolean {
  const statistic = words === undefined ? null : readStatistic(words.split(' '));
  return statistic === null || (statistic !== 'list' && isCycleFigure(statistic));
}

/** Whether two sides can be compared by a figure. */
export function isComparedStatistic(words: string | undefined): boolean {
  const statistic = words === undefined ? null : readStatistic(words.split(' '));
  return statistic === null || (statistic !== 'list' && comparedFigure(statistic) !== null);
}

/** A line of its parts, with one blank between them. */
export function lineOf(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
