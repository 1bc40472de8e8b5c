import type { Change, FieldValue, History, Instant } from '../../model/issue.ts';
import type { JiraChangelog, JiraHistory, JiraItem } from './jira-schema.ts';
import { parseInstant } from './parse-instant.ts';
import { readPerson } from './read-person.ts';

/** Sizes at which Jira Cloud is known to cut a changelog embedded in a search answer without saying so. */
const silentCaps: readonly number[] = [40, 100];

/** Data Center names fields by title and Cloud by id; these titles differ from the id they stand for. */
const fieldOfTitle: Readonly<Record<string, string>> = {
  'Fix Version': 'fixVersions',
  Version: 'versions',
  Component: 'components',
};

/** The changes of a changelog, in no particular order, or the reason why they cannot be used. */
export function readChanges(changelog: JiraChangelog): Change[] | { readonly reason: string } {
  const changes: Change[] = [];
  for (const entry of changelog.histories) {
    const at = parseInstant(entry.created);
    if (at === null) {
      return {
        reason: `changelog entry ${entry.id ?? '(no id)'} has no readable instant: '${entry.created}'`,
      };
    }
    const by = readPerson(entry.author)?.id ?? null;
    entry.items.forEach((item, index) => {
      const field = item.fieldId ?? fieldOfTitle[item.field] ?? item.field;
      const { from, to } = readEnds(item);
      changes.push({ entry: entry.id ?? '', item: index, at, field, from, to, by });
    });
  }
  return withSameIdentity(withoutRepeats(changes));
}

function readEnds(item: JiraItem): { from: FieldValue | null; to: FieldValue | null } {
  return { from: readValue(item.from, item.fromString), to: readValue(item.to, item.toText) };
}

function readValue(id: string | null | undefined, name: string | null | undefined): FieldValue | null {
  if (!id && !name) return null;
  return { id: id || name || '', name: name || id || '' };
}

/** Pages of a changelog that moved while it was read overlap; an entry counts once. */
function withoutRepeats(changes: readonly Change[]): Change[] {
  const seen = new Set<string>();
  return changes.filter((change) => {
    if (change.entry === '') return true;
    const key = `${change.entry}:${change.item}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Some exports give a value's id in one entry and only its name in the next: within a field they are the same. */
function withSameIdentity(changes: readonly Change[]): Change[] {
  const idOf = new Map<string, string>();
  for (const { field, from, to } of changes) {
    for (const value of [from, to]) {
      if (value !== null && value.id !== value.name) idOf.set(`${field}\n${value.name}`, value.id);
    }
  }
  const known = (field: string, value: FieldValue | null) =>
    value === null || value.id !== value.name
      ? value
      : { ...value, id: idOf.get(`${field}\n${value.name}`) ?? value.id };
  return changes.map((change) => ({
    ...change,
    from: known(change.field, change.from),
    to: known(change.field, change.to),
  }));
}

/** Whether the changelog is whole, and if not, which time its missing entries leave unknown. */
export function readCompleteness(changelog: JiraChangelog | null | undefined): History {
  if (!changelog) {
    return {
      complete: false,
      unknownFrom: null,
      unknownUntil: null,
      reason: 'the import carried no changelog for this issue',
    };
  }
  const { histories, total } = changelog;
  const kept = histories.length;
  if (typeof total === 'number' && total > kept) {
    return {
      complete: false,
      ...lostTime(changelog),
      reason: `only ${kept} of ${total} changelog entries were imported`,
    };
  }
  if (silentCaps.includes(kept) && isCloud(histories)) {
    return {
      complete: false,
      ...lostTime(changelog),
      reason: `exactly ${kept} changelog entries were imported, the size at which Jira Cloud cuts a changelog silently`,
    };
  }
  return { complete: true };
}

/**
 * A page of entries that came newest first has lost the oldest ones, one that came oldest first the newest ones;
 * a page from the middle says nothing that can be relied upon.
 */
function lostTime(changelog: JiraChangelog): { unknownFrom: Instant | null; unknownUntil: Instant | null } {
  const instants = changelog.histories.flatMap((entry) => parseInstant(entry.created) ?? []);
  const first = instants[0];
  const last = instants.at(-1);
  if (first === undefined || last === undefined) return { unknownFrom: null, unknownUntil: null };
  const newestFirst = first === last ? isCloud(changelog.histories) : first > last;
  const startsLater = (changelog.startAt ?? 0) > 0;
  const reachesEnd = (changelog.startAt ?? 0) + instants.length >= (changelog.total ?? 0);
  if (startsLater && !reachesEnd) return { unknownFrom: null, unknownUntil: null };
  const oldestLost = newestFirst !== startsLater;
  return oldestLost
    ? { unknownFrom: null, unknownUntil: Math.min(...instants) }
    : { unknownFrom: Math.max(...instants), unknownUntil: null };
}

function isCloud(histories: readonly JiraHistory[]): boolean {
  return histories.some((entry) => Boolean(entry.author?.accountId));
}
