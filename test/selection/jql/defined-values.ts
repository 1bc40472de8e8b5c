import type { FieldContent, FieldValue, Issue } from '../../../src/model/issue.ts';
import { compareIds, sortableId } from '../../../src/model/issues/ids-and-names.ts';
import { splitValue } from '../../../src/model/issues/value-sets.ts';
import type { SingleOperand, ValueOperand } from '../../../src/selection/jql/query-tree.ts';
import { dayOf, readDate } from './defined-dates.ts';
import {
  changesIn,
  contentThen,
  type DefinedWorld,
  finishedThen,
  resolvedThen,
  UNSURE,
  updatedThen,
} from './whole-issue.ts';

/** One value that a field holds. */
export type Item = FieldValue | string | number;

export type Test = (item: Item) => boolean;

type Kind = 'category' | 'date' | 'duration' | 'key' | 'label' | 'named' | 'number' | 'person' | 'text';

/** A field by its name in lower case: its id, what it holds, and whether that is a set. */
const fields: Readonly<Record<string, readonly [id: string, kind: Kind, isSet?: true]>> = {
  '"story points"': ['customfield_10016', 'number'],
  'story points': ['customfield_10016', 'number'],
  'cf[10016]': ['customfield_10016', 'number'],
  assignee: ['assignee', 'person'],
  created: ['created', 'date'],
  creator: ['creator', 'person'],
  description: ['description', 'text'],
  due: ['duedate', 'date'],
  environment: ['environment', 'text'],
  finished: ['finished', 'date'],
  fixversion: ['fixVersions', 'named', true],
  issuetype: ['issuetype', 'named'],
  key: ['key', 'key'],
  labels: ['labels', 'label', true],
  priority: ['priority', 'named'],
  project: ['project', 'named'],
  resolved: ['resolved', 'date'],
  sprint: ['customfield_10020', 'named', true],
  status: ['status', 'named'],
  statuscategory: ['statusCategory', 'category'],
  statuscategorychangeddate: ['statuscategorychangedate', 'date'],
  summary: ['summary', 'text'],
  timespent: ['timespent', 'duration'],
  updated: ['updated', 'date'],
  votes: ['votes', 'number'],
  workratio: ['workratio', 'number'],
};

/** What is known of the field that a query names. */
export function kindOf(name: string): { readonly id: string; readonly kind: Kind; readonly isSet: boolean } {
  const [id, kind, isSet = false] = fields[name.toLowerCase()] ?? [];
  if (id === undefined || kind === undefined) throw new Error(`The field ${name} is not defined.`);
  return { id, kind, isSet };
}

/** The values that a field of an issue held. */
export function itemsThen(
  issue: Issue,
  name: string,
  { now, statuses }: DefinedWorld,
): readonly Item[] | typeof UNSURE {
  const { id, isSet } = kindOf(name);
  const instant = (at: number | null | typeof UNSURE) => (at === UNSURE ? at : at === null ? [] : [at]);
  switch (id) {
    case 'key':
      return [issue.key.toUpperCase()];
    case 'project':
      return [issue.key.slice(0, issue.key.lastIndexOf('-'))];
    case 'created':
      return [issue.created];
    case 'updated':
      return instant(updatedThen(issue, now));
    case 'resolved':
      return instant(resolvedThen(issue, now));
    case 'creator':
      return itemsOf(issue.fields.creator, isSet);
    case 'statuscategorychangedate':
      return now < issue.updated ? UNSURE : itemsOf(issue.fields[id], isSet);
    case 'statusCategory': {
      const items = itemsThen(issue, 'status', { now, statuses } as DefinedWorld);
      if (items === UNSURE) return UNSURE;
      const [status] = items;
      return [statuses.get(typeof status === 'object' ? status.id : '')?.category ?? 'Undefined'];
    }
  }
  const content = contentThen(issue, id, now);
  if (content === UNSURE) return UNSURE;
  if (content === undefined) return itemsOf(besideFields(issue, id), isSet);
  // Jira writes -1 where nothing was estimated.
  if (id === 'workratio' && typeof content === 'number' && content < 0) return [];
  return itemsOf(content, isSet);
}

function besideFields(issue: Issue, id: string): FieldContent {
  return id === 'summary' || id === 'status' || id === 'assignee' ? issue[id] : null;
}

function itemsOf(content: FieldContent | undefined, isSet: boolean): readonly Item[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content !== 'object') return [content];
  if (!('id' in content)) return content;
  return isSet ? splitValue(content) : [content];
}

function nameOf(item: Item): string {
  return typeof item === 'object' ? item.name : String(item);
}

function idOf(item: Item): string {
  return typeof item === 'object' ? item.id : String(item);
}

function numberOf(item: Item): number {
  const text = idOf(item).trim();
  return /^[-+]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

const secondsIn: Readonly<Record<string, number>> = { w: 144_000, d: 28_800, h: 3_600, m: 60 };

/** Jira's working days have eight hours, its weeks five days; a bare number is of minutes. */
function secondsOf(text: string): number {
  return text.split(' ').reduce((sum, part) => {
    const unit = secondsIn[part.slice(-1)];
    return sum + (unit === undefined ? Number(part) * 60 : Number(part.slice(0, -1)) * unit);
  }, 0);
}

/** A test of what a field holds: whether it equals a value, or comes before or after it. */
export function testOf(name: string, sign: string, value: SingleOperand, world: DefinedWorld): Test {
  const { kind, id } = kindOf(name);
  if (kind === 'date') return dateTest(sign, value, world);
  if (value.kind !== 'value') throw new Error('Only dates take functions.');
  const { text } = value;
  switch (kind) {
    case 'number':
      return (item) => compares(numberOf(item) - Number(text), sign);
    case 'duration':
      return (item) => compares(numberOf(item) - secondsOf(text), sign);
    case 'label':
      return (item) => isSame(idOf(item), text);
    case 'category':
      return (item) => isSame(String(item), text);
    case 'key': {
      const [project, number] = partsOf(text);
      return (item) => {
        const [own, ownNumber] = partsOf(String(item));
        return sign === '='
          ? item === text
          : own === project && compares(compareIds(ownNumber, number), sign);
      };
    }
    default: {
      if (id === 'project') return (item) => item === text;
      const ids = idsOf(value, id, kind, world);
      // Trackers number priorities from the most important one on.
      if (sign !== '=') return (item) => ids.some((one) => compares(compareIds(one, idOf(item)), sign));
      return (item) => ids.includes(idOf(item));
    }
  }
}

function partsOf(key: string): readonly [string, string] {
  const dash = key.lastIndexOf('-');
  return [key.slice(0, dash), key.slice(dash + 1)];
}

function compares(order: number, sign: string): boolean {
  if (sign === '<') return order < 0;
  if (sign === '<=') return order <= 0;
  if (sign === '>') return order > 0;
  return sign === '>=' ? order >= 0 : order === 0;
}

/** An instant equals another of its minute; a date without a time of day is compared by the local day. */
function dateTest(sign: string, value: SingleOperand, world: DefinedWorld): Test {
  const { at } = readDate(value, world);
  const day = Date.parse(dayOf(at, world.timeZone));
  const minute = (instant: number) => Math.floor(instant / 60_000);
  return (item) => {
    if (typeof item !== 'number' && /^\d{4}-\d\d-\d\d$/.test(idOf(item)))
      return compares(Date.parse(idOf(item)) - day, sign);
    const own = typeof item === 'number' ? item : Date.parse(idOf(item));
    return sign === '=' ? minute(own) === minute(at) : compares(own - at, sign);
  };
}

const people: readonly string[] = ['assignee', 'reporter', 'creator'];

/** What the values of a field are called today, and what only changes call them. */
function namesOf(field: string, kind: Kind, { issues, statuses, users }: DefinedWorld) {
  const isPerson = kind === 'person';
  const all = isPerson ? [...new Set([field, ...people])] : [field];
  const today = issues.flatMap((issue) => all.flatMap((one) => itemsOf(issue.fields[one], false)));
  const changes = issues.flatMap((issue) => all.flatMap((one) => changesIn(issue, one)));
  const isSet = Object.values(fields).some(([id, , set]) => id === field && set === true);
  const former = changes.flatMap(({ from, to }) => [...itemsOf(from, isSet), ...itemsOf(to, isSet)]);
  const listed = field === 'status' ? [...statuses.values()] : [];
  const authors = issues.flatMap((issue) => issue.changes.flatMap(({ by }) => by ?? []));
  const known = [...users.values()].flatMap(({ id, name, email }) => [
    { id, name },
    { id, name: email ?? name },
  ]);
  return {
    today: [...listed, ...(isPerson ? known : []), ...today],
    former: [...former, ...(isPerson ? authors : [])],
  };
}

/** The ids that a word stands for: names come before ids, but for bare numbers, and names of today before former ones. */
function idsOf(word: ValueOperand, field: string, kind: Kind, world: DefinedWorld): readonly string[] {
  const { today, former } = namesOf(field, kind, world);
  const called = (some: readonly Item[]) => some.filter((one) => isSame(nameOf(one), word.text)).map(idOf);
  const identified = [...today, ...former].map(idOf).filter((id) => isSame(id, word.text));
  const named = [called(today), called(former)].find(({ length }) => length > 0) ?? [];
  return (isBare(word) ? [identified, named] : [named, identified]).find(({ length }) => length > 0) ?? [];
}

function isBare({ text, quoted }: ValueOperand): boolean {
  return !quoted && /^\d+$/.test(text);
}

/** Whether a value of a history is one of some: by what it is called today, by its id, or by what a change calls it. */
export function wantedThen(
  name: string,
  values: readonly SingleOperand[],
  world: DefinedWorld,
): (item: Item | null) => boolean {
  const { id, kind } = kindOf(name);
  return (item) =>
    values.some((value) => {
      if (item === null || value.kind === 'empty') return item === null && value.kind === 'empty';
      if (value.kind !== 'value' || (kind !== 'named' && kind !== 'person'))
        return testOf(name, '=', value, world)(item);
      const { today, former } = namesOf(id, kind, world);
      const identified = [...today, ...former].filter((one) => isSame(idOf(one), value.text)).map(idOf);
      const called = today.filter((one) => isSame(nameOf(one), value.text)).map(idOf);
      if (isBare(value) && identified.length > 0) return identified.includes(idOf(item));
      const ids = called.length > 0 ? called : identified;
      return ids.includes(idOf(item)) || isSame(nameOf(item), value.text);
    });
}

const word = /[\p{L}\p{N}\p{M}_]+/gu;

/** Looks for all words, for the beginnings of those with an asterisk, and for phrases in quotation marks. */
export function wordsIn(search: string): Test {
  const pieces = search.match(/"[^"]*"|[^\s"]+/g) ?? [];
  return (item) => {
    const words = nameOf(item).match(word) ?? [];
    return pieces.every((piece) => {
      const wanted = (piece.match(word) ?? []).map((one) => new RegExp(`^${one}$`, 'iu'));
      if (piece.endsWith('*'))
        return words.some((one) => new RegExp(`^${piece.slice(0, -1)}`, 'iu').test(one));
      return words.some((_, i) => wanted.every((one, k) => one.test(words[i + k] ?? '')));
    });
  };
}

type SortKey = string | number | null;

/** Fields that begin with the greatest where no direction is named. */
const descending: readonly string[] = ['created', 'updated', 'resolved', 'due', 'finished', 'priority'];

/** The keys of all issues in the order that `ORDER BY` asks for. */
export function definedOrder(orderBy: string, world: DefinedWorld): readonly string[] {
  const terms = orderBy
    .replace(/^order by /i, '')
    .split(',')
    .map((term) => term.trim().split(' '))
    .map(([name = '', direction]) => ({
      name,
      descends: direction === undefined ? descending.includes(name) : direction.toLowerCase() === 'desc',
    }));
  const steps = [...terms, { name: 'key', descends: false }].flatMap(({ name, descends }) =>
    keysOf(name).map((keyOf) => ({ keyOf: (issue: Issue) => keyOf(issue, world), descends })),
  );
  const lines = world.issues.map((issue) => ({
    key: issue.key,
    keys: steps.map(({ keyOf }) => keyOf(issue)),
  }));
  lines.sort((a, b) => {
    for (const [i, { descends }] of steps.entries()) {
      const compared = compareKeys(a.keys[i] ?? null, b.keys[i] ?? null);
      if (compared !== 0) return descends ? -compared : compared;
    }
    return 0;
  });
  return lines.map(({ key }) => key);
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function keysOf(name: string): readonly ((issue: Issue, world: DefinedWorld) => SortKey)[] {
  if (name === 'key') return [({ key }) => partsOf(key)[0], ({ key }) => sortableId(partsOf(key)[1])];
  const { kind, isSet, id } = kindOf(name);
  const keyOf = (item: Item): string | number => {
    if (kind === 'number' || kind === 'duration') return numberOf(item);
    if (id === 'priority') return -numberOf(item);
    if (kind === 'date') return typeof item === 'number' ? item : Date.parse(idOf(item));
    return nameOf(item).toLowerCase();
  };
  return [
    (issue, world) => {
      if (name === 'finished') {
        const at = finishedThen(issue, world.now, (one) => world.statuses.get(one)?.category ?? 'Undefined');
        return typeof at === 'number' ? at : null;
      }
      const items = itemsThen(issue, name, world);
      if (items === UNSURE || items.length === 0) return null;
      const keys = items.map(keyOf);
      const key = isSet ? keys.join(', ') : (keys[0] ?? null);
      return typeof key === 'number' && Number.isNaN(key) ? null : key;
    },
  ];
}
