import type { Pseudonym } from '../../model/erasure.ts';
import type { Change, FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import { joinValues, splitValue } from '../../model/issues/value-sets.ts';

/** The pseudonyms in place of persons, wherever these occur. Null: what was given stays as it is. */
export interface PersonReplacement {
  /** In place of the id of an account. */
  pseudonymOf(account: string): Pseudonym | null;
  /** The pseudonym with an id that is in the place of an account already. */
  withId(id: string): Pseudonym | null;
  /** In place of a text that is nothing but a name or an address; the name of a pseudonym is in its own place. */
  textFor(text: string): string | null;
  /** A query or a title in which whole words name persons; the same text where none does. */
  inWords(text: string, as: keyof Pseudonym): string;
}

/**
 * The fields in which an id of digits alone is an account: elsewhere it may be that of a status or a version, unless it comes with
 * a name of the person.
 */
const personFields: readonly string[] = ['assignee', 'reporter', 'creator'];

/** Replaces persons in an issue: the very same issue where there are none. Prose, such as the summary, is not searched. */
export function replaceInIssue(issue: Issue, who: PersonReplacement): Issue {
  const assignee = issue.assignee === null ? null : replaceValue(issue.assignee, 'assignee', who);
  let isOther = assignee !== issue.assignee;
  const fields: Record<string, FieldContent> = {};
  for (const [field, content] of Object.entries(issue.fields)) {
    const next = replaceContent(content, field, who);
    isOther ||= next !== content;
    fields[field] = next;
  }
  const changes = issue.changes.map((change) => {
    const next = replaceInChange(change, who);
    isOther ||= next !== change;
    return next;
  });
  return isOther ? { ...issue, assignee, fields, changes } : issue;
}

/** The text in place of one that is nothing but an id, a name, a login or an address; null for any other. */
export function replaceText(text: string, who: PersonReplacement): string | null {
  return who.textFor(text) ?? (isNumber(text) ? null : (who.pseudonymOf(text)?.id ?? null));
}

/** An id of digits alone may be that of anything. */
function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

function replaceContent(content: FieldContent, field: string, who: PersonReplacement): FieldContent {
  if (typeof content === 'string')
    return field === 'summary' ? content : (replaceText(content, who) ?? content);
  if (content === null || typeof content === 'number') return content;
  if ('id' in content) return replaceValue(content, field, who);
  const next = content.map((value) => replaceValue(value, field, who));
  return next.some((value, i) => value !== content[i]) ? next : content;
}

function replaceInChange(change: Change, who: PersonReplacement): Change {
  const by = change.by === null ? null : (who.pseudonymOf(change.by)?.id ?? change.by);
  const [from, to] = [change.from, change.to].map((value) =>
    value === null ? null : replaceValue(value, change.field, who),
  );
  if (by === change.by && from === change.from && to === change.to) return change;
  return { ...change, by, from: from ?? null, to: to ?? null };
}

/** Replaces persons in a value of a field; the name is empty where it may be of any. */
export function replaceValue(value: FieldValue, field: string, who: PersonReplacement): FieldValue {
  // Most are one, and splitting takes longer than the rest.
  const parts = value.id.includes(',') ? splitValue(value) : [value];
  if (parts.length === 1) return replaceOne(value, field, who);
  const next = parts.map((part) => replaceOne(part, field, who));
  return next.some((part, i) => part !== parts[i]) ? (joinValues(next) ?? value) : value;
}

function replaceOne(value: FieldValue, field: string, who: PersonReplacement): FieldValue {
  const isPerson =
    !isNumber(value.id) || personFields.includes(field.toLowerCase()) || who.textFor(value.name) !== null;
  if (!isPerson) return value;
  // The id of a value that was packed as an id and a name may be replaced already.
  const pseudonym = who.pseudonymOf(value.id) ?? who.withId(value.id);
  if (pseudonym !== null)
    return value.id === pseudonym.id && value.name === pseudonym.name ? value : pseudonym;
  // A value without an id of its own has its name there.
  const id = who.textFor(value.id);
  const name = who.textFor(value.name) ?? value.name;
  return id === null || (id === value.id && name === value.name) ? value : { id, name };
}

/** The members of any document that are words people have written for issues. */
const inWords: ReadonlyMap<string, keyof Pseudonym> = new Map([
  ['jql', 'id'],
  ['title', 'name'],
]);

/**
 * Replaces persons in a JSON value under the names of members that have accounts, and in queries and titles: the very same
 * value where there are none.
 */
export function replaceInDocument<Value>(
  value: Value,
  accounts: readonly string[],
  who: PersonReplacement,
): Value {
  const inAccounts = (one: unknown): unknown => {
    if (typeof one === 'string') return replaceAccount(one, who);
    if (Array.isArray(one)) return mapped(one, inAccounts);
    if (typeof one !== 'object' || one === null) return one;
    const { id } = one as { readonly id?: unknown };
    const pseudonym = typeof id === 'string' ? who.pseudonymOf(id) : null;
    return pseudonym ?? mappedMembers(one, (_, member) => inAccounts(member));
  };
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return mapped(one, walk);
    if (typeof one !== 'object' || one === null) return one;
    return mappedMembers(one, (name, member) => {
      const as = inWords.get(name);
      if (as !== undefined && typeof member === 'string') return who.inWords(member, as);
      return accounts.includes(name) ? inAccounts(member) : walk(member);
    });
  };
  return walk(value) as Value;
}

function mapped(list: readonly unknown[], map: (one: unknown) => unknown): readonly unknown[] {
  const next = list.map(map);
  return next.some((one, i) => one !== list[i]) ? next : list;
}

function mappedMembers(one: object, map: (name: string, member: unknown) => unknown): object {
  let isOther = false;
  const members = Object.entries(one).map(([name, member]) => {
    const next = map(name, member);
    isOther ||= next !== member;
    return [name, next] as const;
  });
  return isOther ? Object.fromEntries(members) : one;
}

/** Lists of those who are permitted may say that a user is meant. */
function replaceAccount(text: string, who: PersonReplacement): string {
  const account = text.startsWith('user:') ? text.slice('user:'.length) : text;
  const pseudonym = who.pseudonymOf(account);
  return pseudonym === null ? text : text.slice(0, text.length - account.length) + pseudonym.id;
}

/** Replaces persons in the facts of values in histories: pairs of a name and an id, and names alone. */
export function replaceInFacts(text: string, who: PersonReplacement): string {
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return replaceText(one, who) ?? one;
    if (typeof one !== 'object' || one === null) return one;
    if (!Array.isArray(one))
      return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, walk(member)]));
    const [, id] = one;
    const pseudonym = one.length === 2 && typeof id === 'string' ? who.pseudonymOf(id) : null;
    return pseudonym === null ? one.map(walk) : [pseudonym.name, pseudonym.id];
  };
  return JSON.stringify(walk(JSON.parse(text)));
}
