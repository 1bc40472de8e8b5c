import { changesOf, contentOf } from '../../issues/issue-fields.ts';
import type { Directory } from '../../model/directory.ts';
import type { FieldContent, FieldValue, Issue } from '../../model/issue.ts';

/**
 * Fields every issue has and no key of another issue is in; looking there would only take time. What an issue is called
 * is told wherever the issue is, as it is in the tracker.
 */
const keyless: readonly string[] = [
  ...['assignee', 'created', 'creator', 'duedate', 'issuetype', 'priority', 'project'],
  ...['reporter', 'resolution', 'resolutiondate', 'status', 'summary', 'updated'],
];

/** Whether the field with an id may hold keys of other issues. */
export function mayHoldKeys(field: string): boolean {
  return !keyless.includes(field) && !field.startsWith('calc:');
}

/** Ids and names, in lower case, of the fields in which Jira keeps other issues, now and in changelogs. */
const referring: readonly string[] = [
  ...['parent', 'parent link', 'parent issue', 'issueparentassociation'],
  ...['epic', 'epic link', 'epic child', 'customfield_10014'],
  ...['subtask', 'subtasks', 'sub-task', 'sub-tasks'],
  ...['link', 'links', 'issuelinks', 'issue links', 'linked issues'],
  ...['key', 'issuekey'],
];

/** Whether a field is one of those that hold issues and nothing else, by its id or a name it goes by. */
export function holdsIssues(field: string, { fields }: Pick<Directory, 'fields'>): boolean {
  const names = fields.filter(({ id }) => id === field).map(({ name }) => name);
  return [field, ...names].some((name) => referring.includes(name.trim().toLowerCase()));
}

const none: readonly string[] = [];

/** What looks like keys of issues in a value (upper case): parents, epics, links, and words of a text. */
export function issueKeysIn({ id, name }: FieldValue): readonly string[] {
  // Most values are names and numbers, and this is asked of each value of each change.
  if (!id.includes('-') && !name.includes('-')) return none;
  return id === name ? keysOf(id) : [...keysOf(id), ...keysOf(name)];
}

/** A text in which each key that `isHidden` says is told by `instead`. */
export function withoutKeys(text: string, isHidden: (key: string) => boolean, instead: string): string {
  let told = '';
  let from = 0;
  for (const { start, end } of keyPlaces(text)) {
    if (!isHidden(text.slice(start, end).toUpperCase())) continue;
    told += text.slice(from, start) + instead;
    from = end;
  }
  return told + text.slice(from);
}

function keysOf(text: string): readonly string[] {
  return keyPlaces(text).map(({ start, end }) => text.slice(start, end).toUpperCase());
}

const endsInSign = /[\p{L}\p{N}\p{M}_]$/u;
const beginsWithSign = /^[\p{L}\p{N}\p{M}_]/u;

/**
 * Where there are keys as whole words, whatever stands around them: what a search for words finds is found. From dash to
 * dash, because texts are long and hold few of them.
 */
function keyPlaces(text: string): readonly { readonly start: number; readonly end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let dash = text.indexOf('-'); dash !== -1; dash = text.indexOf('-', dash + 1)) {
    let end = dash + 1;
    if (!isDigit(text.charCodeAt(end)) || text[end] === '0') continue;
    while (isDigit(text.charCodeAt(end))) end += 1;
    let start = dash;
    while (start > 0 && isKeySign(text.charCodeAt(start - 1))) start -= 1;
    if (!isLetter(text.charCodeAt(start))) continue;
    // A sign may take two places.
    if (endsInSign.test(text.slice(Math.max(0, start - 2), start))) continue;
    if (!beginsWithSign.test(text.slice(end, end + 2))) places.push({ start, end });
  }
  return places;
}

function isKeySign(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === UNDERSCORE;
}

const UNDERSCORE = 0x5f;
const LOWER = 0x20;

function isLetter(code: number): boolean {
  const lower = code | LOWER;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Keys (upper case), each with the id of a value that is called exactly so; null where no value is. */
export type NamedKeys = Map<string, string | null>;

/** Notes what looks like keys of issues in one field of an issue, now and in the history. */
export function noteKeysOf(issue: Issue, field: string, keys: NamedKeys): void {
  noteKeysIn(contentOf(issue, field), keys);
  for (const { from, to } of changesOf(issue, field)) {
    noteKeysIn(from, keys);
    noteKeysIn(to, keys);
  }
}

/** The same of one content. */
export function noteKeysIn(content: FieldContent | undefined, keys: NamedKeys): void {
  for (const value of valuesIn(content)) {
    for (const key of issueKeysIn(value)) {
      const id = value.name.toUpperCase() === key && value.id !== value.name ? value.id : null;
      keys.set(key, keys.get(key) ?? id);
    }
  }
}

/** The values a field's content consists of; a text is one that is called like itself, a number none. */
export function valuesIn(content: FieldContent | undefined): readonly FieldValue[] {
  if (content === null || content === undefined || typeof content === 'number') return [];
  if (typeof content === 'string') return [{ id: content, name: content }];
  return 'length' in content ? content : [content];
}
