import type { FieldName } from '../model/directory.ts';
import type { Change, FieldContent, FieldValue, Issue } from '../model/issue.ts';
import { isCustomField } from '../model/issues/field-titles.ts';
import { hasClearNames, joinValues, splitValue, writtenDivider } from '../model/issues/value-sets.ts';

/** Facts, over all issues, of the values of custom fields that changelogs write as names alone. */
export interface HistoryValues {
  /** Learns the kinds of fields from the tracker's list. */
  noteKinds(fields: readonly FieldName[]): void;
  /** Learns from the contents of an issue and from its changes; `fieldOf` is the id of a change's field, or its title. */
  noteIssue(issue: Issue, fieldOf: (change: Change) => string): void;
  /** Returns whether any fact could make a difference to changes. */
  isKnown(): boolean;
  /** Returns whether facts since the last `settle` could make a difference to changes of issues seen before. */
  hasNews(): boolean;
  /** Returns a number that rises with such facts. */
  newsCount(): number;
  /** Notes that all issues seen before have been changed by the facts so far. */
  settle(): void;
  /** Returns whether issues seen before may have changes recorded under a title that led to no id then. */
  mayHaveTitle(title: string): boolean;
  /** Returns whether issues seen before may have values in the history of a field that have a name only. */
  mayHaveBare(field: string): boolean;
  /** Returns the revision of the store up to which every issue was learnt from; 0: none is known. */
  seenTo(): number;
  /** Notes that every issue up to a revision was learnt from. */
  setSeenTo(revision: number): void;
  /** Returns the facts as text for the store. */
  text(): string;
  /** Returns a number that rises when the text changes. */
  version(): number;
  /** Returns a value of a field's history in the form that contents have; the very same one where it has that form already. */
  valueOf(field: string, value: FieldValue | null): FieldValue | null;
}

/** The form in which the values of a field are written as one text. */
type List = NonNullable<FieldName['list']>;

/** The stored facts; each part has the meaning of its variable in `createHistoryValues`. */
interface StoredValues {
  readonly observed: readonly (readonly [field: string, list: List])[];
  readonly words: readonly (readonly [field: string, shown: readonly string[]])[];
  readonly ids: readonly (readonly [field: string, ids: readonly (readonly [string, string | null])[]])[];
  readonly bare: readonly string[];
  readonly news: readonly string[];
  /** Null: too many. Earlier versions stored neither these nor the revision. */
  readonly titles?: readonly string[] | null;
  readonly seenTo?: number;
}

/** A field with more names than this has no options that people choose from. */
const MAX_NAMES = 10_000;

/** The number of titles in changelogs beyond which they are not stored: issues are then read to find out. */
const MAX_TITLES = 10_000;

/** The number of commas that the name of an option may have, where names are looked for in a text of several. */
const MAX_COMMAS = 10;

/** Creates the facts of values of custom fields, beginning with an earlier `text`; null: with none. */
export function createHistoryValues(text: string | null = null): HistoryValues {
  const knownValues: StoredValues =
    text === null ? { observed: [], words: [], ids: [], bare: [], news: [] } : JSON.parse(text);
  /** Forms by field: from the list of fields, and from contents. */
  const listed = new Map<string, List>();
  const observed = new Map(knownValues.observed);
  /** The contents of fields without ids and, so far, without a blank, by field. Labels have no blank. */
  const words = new Map(knownValues.words.map(([field, shown]) => [field, new Set(shown)]));
  /** Ids by field and name; null where several have the name. */
  const idsOf = new Map(knownValues.ids.map(([field, ids]) => [field, new Map(ids)]));
  /** Fields with values in histories that have a name only. */
  const bare = new Set(knownValues.bare);
  /** Those of these fields of which facts were added since. */
  const news = new Set(knownValues.news);
  /** The titles under which changes were recorded whose ids were not known; null: too many. */
  let titles = knownValues.titles === null ? null : new Set(knownValues.titles);
  let seenTo = knownValues.seenTo ?? 0;
  let version = 0;
  let newsCount = 0;

  function note(field: string): void {
    version += 1;
    if (!bare.has(field)) return;
    news.add(field);
    newsCount += 1;
  }

  function noteTitle(title: string): void {
    if (titles === null || titles.has(title)) return;
    version += 1;
    if (titles.size < MAX_TITLES) titles.add(title);
    else titles = null;
  }

  function noteId(field: string, { id, name }: FieldValue): void {
    if (id === name) return;
    const ids = idsOf.get(field) ?? new Map<string, string | null>();
    idsOf.set(field, ids);
    const known = ids.get(name);
    if (known === id || known === null || (known === undefined && ids.size >= MAX_NAMES)) return;
    ids.set(name, known === undefined ? id : null);
    note(field);
  }

  function noteContent(field: string, content: FieldContent): void {
    if (content === null || typeof content !== 'object') return;
    if ('id' in content) {
      noteId(field, content);
      return;
    }
    for (const one of content) noteId(field, one);
    if (content.length === 0 || content.some(({ id, name }) => id !== name)) return;
    // The list of fields knows better.
    if (listed.has(field)) return;
    const list = content.some(({ name }) => /\s/.test(name)) ? 'names' : (observed.get(field) ?? 'words');
    const shown = words.get(field) ?? new Set();
    const before = shown.size;
    for (const { name } of content) if (shown.size < MAX_NAMES) shown.add(name);
    words.set(field, shown);
    if (observed.get(field) === list && shown.size === before) return;
    observed.set(field, list);
    note(field);
  }

  /** The known names that a text is a list of; null where it is no such list, or several options have one of the names. */
  function named(field: string, list: string): FieldValue | null {
    const ids = idsOf.get(field);
    if (ids === undefined) return null;
    const values: FieldValue[] = [];
    for (const name of namesIn(list, (name) => ids.has(name)) ?? []) {
      const id = ids.get(name) ?? null;
      if (id === null) return null;
      values.push({ id, name });
    }
    return values.length === 0 ? null : joinValues(values);
  }

  /**
   * The form of a field's values by the list of fields, or else by contents: names without a blank may still be no labels,
   * so that a text is words only if contents have shown each of them.
   */
  function formOf(field: string, list: string): List | undefined {
    const form = listed.get(field) ?? observed.get(field);
    if (form !== 'words' || listed.has(field)) return form;
    const shown = words.get(field);
    return wordsIn(list).every((word) => shown?.has(word)) ? 'words' : 'names';
  }

  return {
    noteKinds(fields) {
      for (const { id, list } of fields) if (list !== undefined) listed.set(id, list);
    },
    noteIssue(issue, fieldOf) {
      const { fields, changes } = issue;
      for (const field in fields) if (isCustomField(field)) noteContent(field, fields[field] ?? null);
      for (const change of changes) {
        const field = fieldOf(change);
        if (!isCustomField(field)) {
          noteTitle(field);
          continue;
        }
        for (const value of [change.from, change.to]) {
          if (value === null) continue;
          if (value.id === value.name) {
            version += Number(!bare.has(field));
            bare.add(field);
          } else if (hasClearNames(value)) for (const one of splitValue(value)) noteId(field, one);
        }
      }
    },
    isKnown: () => listed.size + observed.size + idsOf.size > 0,
    hasNews: () => news.size > 0,
    settle() {
      if (news.size > 0) version += 1;
      news.clear();
    },
    newsCount: () => newsCount,
    // Changes with ids are not noted, and neither are values of fields that every site has.
    mayHaveTitle: (title) => titles === null || isCustomField(title) || titles.has(title),
    mayHaveBare: (field) => !isCustomField(field) || bare.has(field),
    seenTo: () => seenTo,
    setSeenTo(revision) {
      if (revision !== seenTo) version += 1;
      seenTo = revision;
    },
    version: () => version,
    text: () =>
      JSON.stringify({
        observed: [...observed],
        words: [...words].map(([field, shown]) => [field, [...shown]] as const),
        ids: [...idsOf].map(([field, ids]) => [field, [...ids]] as const),
        bare: [...bare],
        news: [...news],
        titles: titles === null ? null : [...titles],
        seenTo,
      } satisfies StoredValues),
    valueOf(field, value) {
      if (value === null || value.id !== value.name) return value;
      const { name } = value;
      const found = named(field, name);
      if (found !== null) return found;
      const form = formOf(field, name);
      return form === undefined ? value : setOf(value, form);
    },
  };
}

/** A text with a list of names as a set: groups are in square brackets, words have blanks in between. */
function setOf(value: FieldValue, list: List): FieldValue | null {
  const { name } = value;
  const isBracketed = name.startsWith('[') && name.endsWith(']');
  if (!isBracketed && list === 'names') return value;
  const names = isBracketed ? name.slice(1, -1).split(writtenDivider) : wordsIn(name);
  const set = joinValues(names.filter((one) => one !== '').map((one) => ({ id: one, name: one })));
  return set?.id === value.id ? value : set;
}

function wordsIn(text: string): string[] {
  return text.split(/,?\s+/).filter((one) => one !== '');
}

/** The names that a text consists of, with commas in between; names may have commas, so the longest that fits comes first. */
function namesIn(text: string, isName: (name: string) => boolean): string[] | null {
  const ends = [
    ...text.matchAll(writtenDivider).map(({ index, 0: { length } }) => [index, index + length] as const),
  ];
  ends.push([text.length, text.length]);
  /** By index, from the last one back: the end of a name that begins there such that names alone follow. */
  const found = new Array<number | undefined>(ends.length + 1);
  const startOf = (index: number) => (index === 0 ? 0 : (ends[index - 1]?.[1] ?? 0));
  for (let index = ends.length - 1; index >= 0; index -= 1) {
    for (let end = Math.min(ends.length, index + MAX_COMMAS + 1); end > index; end -= 1) {
      const isFollowed = end === ends.length || found[end] !== undefined;
      if (!isFollowed || !isName(text.slice(startOf(index), ends[end - 1]?.[0]))) continue;
      found[index] = end;
      break;
    }
  }
  const names: string[] = [];
  for (let index = 0; index < ends.length; ) {
    const end = found[index];
    if (end === undefined) return null;
    names.push(text.slice(startOf(index), ends[end - 1]?.[0]));
    index = end;
  }
  return names;
}
