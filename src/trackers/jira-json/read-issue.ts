import { memo } from '../../cache/namespace.ts';
import type { Directory, IssueType, Sprint, Version } from '../../model/directory.ts';
import type { Change, FieldContent, FieldValue, Issue, Status, User } from '../../model/issue.ts';
import { isCustomField } from '../../model/issues/field-titles.ts';
import {
  elementsOf,
  hasClearNames,
  joinValues,
  splitValue,
  writtenDivider,
} from '../../model/issues/value-sets.ts';
import { type JiraHistory, jiraIssue } from './jira-schema.ts';
import { parseInstant } from './parse-instant.ts';
import { readCompleteness, type Verified, withEvidenceBeside } from './read-completeness.ts';
import { readFields } from './read-fields.ts';
import { readPerson, readStatus, readVersion } from './read-references.ts';
import { setChanges, sortSets } from './set-changes.ts';
import { noInstant, unusableReason } from './unusable-reason.ts';
import { type CheckedIssue, type KnownParts, wellFormedIssue } from './well-formed-issue.ts';

/** An issue with what it mentions, such as statuses and people, or why it cannot be used. */
export type ReadIssue =
  | {
      readonly issue: Issue;
      readonly statuses: readonly Status[];
      readonly users: readonly User[];
      /** The parts that belong to the tracker's directory; null where there are none. */
      readonly mentioned: Mentioned | null;
      /** Ids of fields of the site's own that hold sprints. */
      readonly sprintFields: readonly string[];
    }
  | { readonly key: string | null; readonly reason: string };

/** Sprints, the type where the issue says whether it is one of sub-tasks, and versions that say whether they are released. */
type Mentioned = Pick<Directory, 'sprints' | 'issueTypes' | 'versions'>;

/**
 * Reads one entry of Jira's search answer. An issue is used whole or not at all. `verified`: the result of a check of
 * its changelog; null: there was none.
 */
export function readIssue(raw: unknown, verified: Verified | null = null): ReadIssue {
  const wellFormed = wellFormedIssue(raw);
  return wellFormed === null ? readCarefully(raw, verified) : readChecked(wellFormed, verified);
}

/**
 * The same of an issue in whose changelog something stands for what is known; null when it is not written as Jira does,
 * and has to be read as it came.
 */
export function readShortIssue(raw: unknown, known: KnownParts): ReadIssue | null {
  const wellFormed = wellFormedIssue(raw, known);
  return wellFormed === null ? null : readChecked(wellFormed, null);
}

/** Has the schema look at every member, which then says what is wrong; the same result by a far longer way. */
export function readCarefully(raw: unknown, verified: Verified | null = null): ReadIssue {
  const parsed = jiraIssue.safeParse(raw);
  if (!parsed.success) {
    return { key: keyOf(raw), reason: unusableReason(raw, parsed.error.issues[0]?.path ?? []) };
  }
  const { key, self, fields, changelog } = parsed.data;
  return readChecked({ key, self, known: fields, fields, changelog }, verified);
}

function readChecked(checked: CheckedIssue, verified: Verified | null): ReadIssue {
  const { key, known, fields, changelog } = checked;
  const created = parseInstant(known.created);
  if (created === null) return { key, reason: noInstant('fields.created', known.created) };
  const entries = distinctEntries(changelog?.histories ?? []);
  const readable = readChanges(entries);
  if ('reason' in readable) return { key, reason: readable.reason };
  const toldStatus = readStatus(known.status);
  const { contents, sprints } = readFields(checked);
  if (AGILE.some((id) => Object.hasOwn(contents, id))) contents.sprint = agileSprints(contents, sprints);
  const assignee = asValue(readPerson(known.assignee));
  contents.status = asValue(toldStatus);
  contents.assignee = assignee;
  contents.created = created;
  const identify = sameIdentity(readable, contents, toldStatus);
  const status = identify === null ? toldStatus : { ...toldStatus, ...identify('status', toldStatus) };
  contents.status = asValue(status);
  sortSets(contents);
  const resolved = parseInstant(known.resolutiondate);
  const listed = readCompleteness({ changelog, entries, statusNow: toldStatus, verified, created });
  const history =
    toldStatus.category === 'Done'
      ? withEvidenceBeside(listed, {
          created,
          changes: readable,
          resolved,
          categoryChanged: parseInstant(fields.statuscategorychangedate),
        })
      : listed;
  const named = identify === null ? readable : readable.map((change) => identified(change, identify));
  const changes = setChanges(named, contents, history);
  const link = browseLink(checked);
  let last = created;
  for (const { at } of changes) if (at > last) last = at;
  return {
    issue: {
      key: key.toUpperCase(),
      project: projectOf(checked),
      summary: known.summary ?? '',
      created,
      // `fields.updated` may lag behind the newest changelog entry.
      updated: Math.max(parseInstant(known.updated) ?? created, last),
      resolved,
      status: { id: status.id, name: status.name },
      assignee,
      fields: contents,
      changes,
      history,
      ...(link === null ? {} : { link }),
    },
    statuses: [...statusesIn(changes), status],
    users: peopleIn(checked),
    mentioned: mentionedIn(checked, contents, sprints),
    sprintFields: sprints.size === 0 ? [] : [...sprints.keys()].filter(isCustomField),
  };
}

function mentionedIn(
  checked: CheckedIssue,
  contents: Readonly<Record<string, FieldContent>>,
  sprints: ReadonlyMap<string, readonly Sprint[]>,
): Mentioned | null {
  const issueTypes = issueTypesIn(checked.fields.issuetype, contents.issuetype);
  const versions = versionsIn(checked);
  if (sprints.size + issueTypes.length + versions.length === 0) return null;
  return { sprints: [...sprints.values()].flat(), issueTypes, versions };
}

/** Fields of every Jira that hold versions. */
const VERSION_FIELDS = ['fixVersions', 'versions'] as const;

function versionsIn(checked: CheckedIssue): readonly Version[] {
  const found: Version[] = [];
  for (const id of VERSION_FIELDS) {
    const raw = checked.fields[id];
    if (!Array.isArray(raw)) continue;
    for (const one of raw) {
      const version = readVersion(one, projectOf(checked).id);
      if (version !== null) found.push(version);
    }
  }
  return found;
}

function identified(change: Change, identify: Identify): Change {
  const { field, from, to } = change;
  return { ...change, from: from && identify(field, from), to: to && identify(field, to) };
}

function keyOf(raw: unknown): string | null {
  const key: unknown = raw !== null && typeof raw === 'object' ? Reflect.get(raw, 'key') : null;
  return typeof key === 'string' ? key : null;
}

/** Exports trimmed to a few fields may lack the project; the key always names it. */
function projectOf({ key, known }: CheckedIssue): FieldValue {
  const projectKey = known.project?.key ?? key.slice(0, key.lastIndexOf('-')).toUpperCase();
  return { id: projectKey, name: known.project?.name ?? projectKey };
}

/** Statuses only a change mentions, each by the name of its first mention: a change has no category. */
function statusesIn(changes: readonly Change[]): Iterable<Status> {
  const statuses = new Map<string, Status>();
  const meet = (value: FieldValue | null) => {
    if (value === null || statuses.has(value.id)) return;
    statuses.set(value.id, { id: value.id, name: value.name, category: 'Undefined', deleted: false });
  };
  for (const { field, from, to } of changes) {
    if (field !== 'status') continue;
    meet(from);
    meet(to);
  }
  return statuses.values();
}

/** All people that an issue mentions, with their latest names. */
function peopleIn({ known, changelog }: CheckedIssue): User[] {
  const people = new Map<string, User>();
  const meet = (user: User | null) => {
    if (user !== null) people.set(user.id, user);
  };
  meet(readPerson(known.assignee));
  meet(readPerson(known.reporter));
  for (const { by } of changelog?.histories ?? []) meet(by);
  return [...people.values()];
}

/** The members in which the agile API sends sprints, closed ones apart from the open one. */
const AGILE = ['closedSprints', 'sprint'] as const;

/** All sprints of an issue from the agile API, each once. */
function agileSprints(
  contents: Readonly<Record<string, FieldContent>>,
  sprints: ReadonlyMap<string, readonly Sprint[]>,
): readonly FieldValue[] {
  const own = [...sprints].flatMap(([id, some]) => (isCustomField(id) ? some : []));
  const all = [...own, ...AGILE.flatMap((id) => elementsOf(contents[id]))];
  return [...new Map(all.map(({ id, name }) => [id, { id, name }])).values()];
}

function issueTypesIn(raw: unknown, content: FieldContent | undefined): IssueType[] {
  const subtask: unknown = raw !== null && typeof raw === 'object' ? Reflect.get(raw, 'subtask') : null;
  const isType = content !== null && typeof content === 'object' && 'id' in content;
  return typeof subtask === 'boolean' && isType ? [{ ...content, subtask }] : [];
}

function asValue(known: User | Status | null): FieldValue | null {
  return known === null ? null : { id: known.id, name: known.name };
}

/** The gateway of Atlassian, which its answers name instead of the site; it has no pages for people. */
const GATEWAY = 'api.atlassian.com';

/**
 * The page of the issue for a browser, derived from its address in Jira's REST interface; null where that names no
 * site.
 */
function browseLink({ self, key }: CheckedIssue): string | null {
  if (!self) return null;
  // The usual addresses of a site's issues differ in the number at their end alone.
  const site = siteOf(self.replace(/(?<=\/issue\/)\d+$/, '1'));
  return site === null ? null : `${site}/browse/${key.toUpperCase()}`;
}

const KEPT_SITES = 100;

const siteOf = memo((self: string): string | null => {
  const url = URL.parse(self);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.host === GATEWAY) return null;
  const [, context] = /^((?:\/[\w.~%-]+)*?)\/rest\/api\//.exec(url.pathname) ?? [];
  return context === undefined ? null : `${url.origin}${context}`;
}, KEPT_SITES);

/** The entries of a changelog, each once: pages that moved while they were read overlap. */
function distinctEntries(histories: readonly JiraHistory[]): readonly JiraHistory[] {
  if (isInOrder(histories)) return histories;
  const seen = new Set<string>();
  // Two entries without an id are the same only when their whole texts are.
  for (const entry of histories) seen.add(entry.id || JSON.stringify(entry));
  if (seen.size === histories.length) return histories;
  seen.clear();
  return histories.filter((entry) => seen.size < seen.add(entry.id || JSON.stringify(entry)).size);
}

/** Returns true where the ids only rise or only fall, as Jira sends them: then none is repeated. */
function isInOrder(histories: readonly JiraHistory[]): boolean {
  let before = histories[0]?.id;
  let direction = 0;
  for (let i = 1; i < histories.length; i += 1) {
    const id = histories[i]?.id;
    if (!id || !before || id === before) return false;
    const step = id.length === before.length ? (id < before ? -1 : 1) : id.length - before.length;
    if (direction * step < 0) return false;
    direction = step;
    before = id;
  }
  return true;
}

/** The items of distinct entries as changes, in no particular order, or the reason why they cannot be used. */
function readChanges(entries: readonly JiraHistory[]): Change[] | { readonly reason: string } {
  const changes: Change[] = [];
  for (const { id, at, created, by, items } of entries) {
    if (at === null) {
      return { reason: `changelog entry ${id ?? '(no id)'} has no readable instant: '${created}'` };
    }
    for (let item = 0; item < items.length; item += 1) {
      const change = items[item];
      if (change === undefined) continue;
      const { field, from, to } = change.ends;
      changes.push({ entry: id ?? '', item, at, field, from, to, by: by?.id ?? null });
    }
  }
  return changes;
}

/** A value with the id it is known by elsewhere in the issue. */
type Identify = (field: string, value: FieldValue) => FieldValue;

/**
 * Some exports give a value's id in one place and only its name in the next: within a field of one issue they are
 * the same, unless several ids have that name. Sets are identified by their elements, and named by them where a name
 * holds a comma. Null: every value is known by the id and the name it has.
 */
function sameIdentity(
  changes: readonly Change[],
  contents: Readonly<Record<string, FieldContent>>,
  status: FieldValue,
): Identify | null {
  const unclear = unclearFields(changes);
  if (isBare(status)) unclear.add('status');
  if (unclear.size === 0) return null;
  const idsOf = new Map<string, Set<string>>();
  const namesOf = new Map<string, string>();
  const note = (field: string, { id, name }: FieldValue) => {
    const key = `${field}\n${name}`;
    idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
    namesOf.set(`${field}\n${id}`, name);
  };
  const learn = (field: string, value: FieldValue | null) => {
    if (value === null || isBare(value) || !hasClearNames(value)) return;
    for (const one of splitValue(value)) note(field, one);
  };
  for (const { field, from, to } of changes) {
    if (!unclear.has(field)) continue;
    learn(field, from);
    learn(field, to);
  }
  for (const field of unclear) {
    const content = Object.hasOwn(contents, field) ? contents[field] : null;
    if (typeof content !== 'object') continue;
    for (const one of elementsOf(content)) if (!isBare(one)) note(field, one);
  }
  if (idsOf.size === 0) return null;

  const named = (field: string, name: string): FieldValue | null => {
    const [id, ...others] = idsOf.get(`${field}\n${name}`) ?? [];
    return id === undefined || others.length > 0 ? null : { id, name };
  };
  return (field, value) => {
    if (isBare(value)) {
      return (
        named(field, value.name) ??
        joined(value.name.split(writtenDivider).map((name) => named(field, name))) ??
        value
      );
    }
    if (hasClearNames(value)) return value;
    const all = value.id.split(', ').map((id) => {
      const name = namesOf.get(`${field}\n${id}`);
      return name === undefined ? null : { id, name };
    });
    return joined(all) ?? value;
  };
}

function joined(values: readonly (FieldValue | null)[]): FieldValue | null {
  const known = values.filter((one) => one !== null);
  return known.length === values.length ? joinValues(known) : null;
}

/** Fields with values whose ids or names have to be looked up elsewhere in the issue. */
function unclearFields(changes: readonly Change[]): Set<string> {
  const fields = new Set<string>();
  const isUnclear = (value: FieldValue | null) => value !== null && (isBare(value) || !hasClearNames(value));
  for (const { field, from, to } of changes) if (isUnclear(from) || isUnclear(to)) fields.add(field);
  return fields;
}

function isBare({ id, name }: FieldValue): boolean {
  return id === name;
}
