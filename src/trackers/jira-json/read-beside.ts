import type { Directory, FieldName, Group } from '../../model/directory.ts';
import type { User } from '../../model/issue.ts';
import { isFlagName } from '../../model/issues/field-titles.ts';
import type { Membership } from '../tracker.ts';
import { jiraField, jiraFilter, jiraGroup, jiraUser } from './jira-schema.ts';
import { readPerson, readSprint } from './read-references.ts';

/** Shares with everyone who may sign in, by the names of Cloud and Data Center; any other reaches some people only. */
const publicShares: readonly string[] = ['global', 'loggedin', 'authenticated'];

/** The facts of an entry that belong to the issues and are none. */
interface Beside {
  readonly part: Partial<Directory>;
  readonly users: readonly User[];
  /** Some people of a group each; the rest of them may be in other entries. */
  readonly groups: readonly Group[];
  readonly memberships: readonly Membership[];
}

const nothing: Beside = { part: {}, users: [], groups: [], memberships: [] };

/**
 * An entry of Jira's lists of people, groups, saved filters, fields or sprints; null when it is none of them. Each
 * has a member that no entry of another list has.
 */
export function readBeside(raw: unknown): Beside | null {
  // An issue is recognized in any form, so that its problem can be reported.
  if (raw === null || typeof raw !== 'object' || 'fields' in raw) return null;
  return readUser(raw) ?? readGroup(raw) ?? readFilter(raw) ?? readField(raw) ?? readBareSprint(raw);
}

function readUser(raw: object): Beside | null {
  const parsed = jiraUser.safeParse(raw);
  const user = parsed.success ? readPerson(parsed.data) : null;
  if (!parsed.success || user === null) return null;
  const { groups } = parsed.data;
  if (!groups) return { ...nothing, users: [user] };
  const membership = {
    user: user.id,
    groups: groups.items.map(({ groupId, name }) => ({ id: groupId || name, name })),
    // Unless groups are requested, Jira sends their number and an empty list.
    whole: (groups.size ?? 0) <= groups.items.length,
  };
  return { ...nothing, users: [user], memberships: [membership] };
}

function readGroup(raw: object): Beside | null {
  const parsed = jiraGroup.safeParse(raw);
  if (!parsed.success) return null;
  const { groupId, name, users } = parsed.data;
  const people = users.items.flatMap((person) => readPerson(person) ?? []);
  const id = groupId || name;
  if (!id) return null;
  return {
    ...nothing,
    users: people,
    groups: [{ id, name: name || id, members: people.map((one) => one.id) }],
  };
}

function readFilter(raw: object): Beside | null {
  const parsed = jiraFilter.safeParse(raw);
  if (!parsed.success) return null;
  const { id, name, jql, owner, sharePermissions } = parsed.data;
  const filter = {
    id,
    name,
    jql,
    owner: readPerson(owner)?.id ?? null,
    // The query itself may be confidential, so it is shared only where Jira says so.
    shared: sharePermissions?.some((share) => publicShares.includes(share?.type ?? '')) ?? false,
  };
  return { ...nothing, part: { filters: [filter] } };
}

/** Kinds of custom fields whose values a changelog writes as nothing but their names. */
const lists: ReadonlyMap<string, FieldName['list']> = new Map([
  ['labels', 'words'],
  ['multigrouppicker', 'names'],
]);

/** The kind of custom field that the flag is. */
const FLAG_TYPE = 'multicheckboxes';

function readField(raw: object): Beside | null {
  const parsed = jiraField.safeParse(raw);
  if (!parsed.success) return null;
  const { id, name, untranslatedName, schema } = parsed.data;
  const type = schema?.custom?.replace(/^.*:/, '') ?? null;
  const list = lists.get(type ?? '');
  const isCalledFlag = isFlagName(untranslatedName ?? name) || isFlagName(name);
  const field: FieldName = {
    id,
    name,
    ...(list === undefined ? {} : { list }),
    ...(isCalledFlag ? { flag: type === null || type === FLAG_TYPE } : {}),
  };
  return { ...nothing, part: { fields: [field] } };
}

function readBareSprint(raw: object): Beside | null {
  const sprint = readSprint(raw);
  return sprint === null ? null : { ...nothing, part: { sprints: [sprint] } };
}

/** The member `names` of a search answer (`expand=names`): titles by field id. */
export function readNames(raw: unknown): FieldName[] {
  if (raw === null || typeof raw !== 'object') return [];
  return Object.entries(raw).flatMap(([id, name]: [string, unknown]) =>
    typeof name === 'string' && name !== '' ? [{ id, name }] : [],
  );
}
