import type { IssueType, Sprint } from '../../model/directory.ts';
import type { Change, FieldContent, FieldValue, Issue, Status, User } from '../../model/issue.ts';
import { browseLink } from './browse-link.ts';
import { type JiraIssue, type JiraPerson, jiraIssue } from './jira-schema.ts';
import { parseInstant } from './parse-instant.ts';
import { readChanges } from './read-changes.ts';
import { readCompleteness, type Verified } from './read-completeness.ts';
import { readFields } from './read-fields.ts';
import { readPerson } from './read-person.ts';
import { readSprint } from './read-sprint.ts';
import { readStatus } from './read-status.ts';
import { type Identify, sameIdentity } from './same-identity.ts';
import { elementsOf, setChanges, sortSets } from './set-changes.ts';
import { noInstant, whyUnusable } from './why-unusable.ts';

/** An issue with the statuses, people and sprints it mentions, or why it cannot be used. */
export type ReadIssue =
  | {
      readonly issue: Issue;
      readonly statuses: readonly Status[];
      readonly users: readonly User[];
      readonly sprints: readonly Sprint[];
      /** The type of the issue, where it says whether it is one of sub-tasks. */
      readonly issueTypes: readonly IssueType[];
      /** Ids of fields of the site's own that hold sprints. */
      readonly sprintFields: readonly string[];
    }
  | { readonly key: string | null; readonly reason: string };

/**
 * One entry of Jira's search answer in our nouns. Nothing of an issue is used unless all of it can be. `verified`: what
 * is known of its changelog by somebody who asked for more of it; null: nobody did.
 */
export function readIssue(raw: unknown, verified: Verified | null = null): ReadIssue {
  const parsed = jiraIssue.safeParse(raw);
  if (!parsed.success) {
    return { key: keyOf(raw), reason: whyUnusable(raw, parsed.error.issues[0]?.path ?? []) };
  }
  const { key, fields, changelog } = parsed.data;
  const created = parseInstant(fields.created);
  if (created === null) return { key, reason: noInstant('fields.created', fields.created) };
  const told = changelog ? readChanges(changelog) : [];
  if ('reason' in told) return { key, reason: told.reason };
  const assignee = asValue(readPerson(fields.assignee));
  const toldStatus = readStatus(fields.status);
  const sprints = sprintsIn(fields);
  const read = readFields(fields);
  const toldFields = {
    ...read,
    ...agileSprint(read, sprints),
    status: asValue(toldStatus),
    assignee,
    created,
  };
  const identify = sameIdentity(told, toldFields);
  const status = { ...toldStatus, ...identify('status', toldStatus) };
  const contents = sortSets({ ...toldFields, status: asValue(status) });
  const history = readCompleteness(changelog, toldStatus, verified, created);
  const changes = setChanges(
    told.map((change) => identified(change, identify)),
    contents,
    history,
  );
  const link = browseLink(parsed.data);
  const last = changes.reduce((latest, change) => Math.max(latest, change.at), created);
  return {
    issue: {
      key: key.toUpperCase(),
      project: projectOf(parsed.data),
      summary: fields.summary ?? '',
      created,
      // `fields.updated` may lag behind the newest changelog entry.
      updated: Math.max(parseInstant(fields.updated) ?? created, last),
      resolved: parseInstant(fields.resolutiondate),
      status: { id: status.id, name: status.name },
      assignee,
      fields: contents,
      changes,
      history,
      ...(link === null ? {} : { link }),
    },
    statuses: [...statusesIn(changes), status],
    users: peopleIn(parsed.data).flatMap((person) => readPerson(person) ?? []),
    sprints: [...sprints.values()].flat(),
    sprintFields: [...sprints.keys()].filter((id) => OWN.test(id)),
    issueTypes: issueTypesIn(fields.issuetype, contents.issuetype),
  };
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
function projectOf({ key, fields }: JiraIssue): FieldValue {
  const projectKey = fields.project?.key ?? key.slice(0, key.lastIndexOf('-')).toUpperCase();
  return { id: projectKey, name: fields.project?.name ?? projectKey };
}

/** Statuses only a change mentions: their category is not told there. */
function statusesIn(changes: readonly Change[]): Status[] {
  return changes
    .filter((change) => change.field === 'status')
    .flatMap(({ from, to }) => [from, to])
    .flatMap((value) =>
      value === null ? [] : [{ id: value.id, name: value.name, category: 'Undefined', deleted: false }],
    );
}

function peopleIn({ fields, changelog }: JiraIssue): JiraPerson[] {
  return [fields.assignee, fields.reporter, ...(changelog?.histories ?? []).map((entry) => entry.author)];
}

/** Where the agile API answers sprints, those that are over apart from the one that is not. */
const AGILE = ['closedSprints', 'sprint'] as const;
const OWN = /^customfield_/;

/** By field, whatever it is called. */
function sprintsIn(fields: JiraIssue['fields']): ReadonlyMap<string, readonly Sprint[]> {
  return new Map(
    Object.entries(fields).flatMap(([id, content]): [string, readonly Sprint[]][] => {
      const told = Array.isArray(content) ? content : id === 'sprint' ? [content] : [];
      const sprints = told.flatMap((one: unknown) => readSprint(one) ?? []);
      return sprints.length === 0 ? [] : [[id, sprints]];
    }),
  );
}

/** All sprints of an issue that the agile API answers, each once, whatever it tells of them; of others nothing. */
function agileSprint(
  contents: Readonly<Record<string, FieldContent>>,
  sprints: ReadonlyMap<string, readonly Sprint[]>,
): { readonly sprint?: readonly FieldValue[] } {
  if (!AGILE.some((id) => Object.hasOwn(contents, id))) return {};
  const own = [...sprints].flatMap(([id, some]) => (OWN.test(id) ? some : []));
  const all = [...own, ...AGILE.flatMap((id) => elementsOf(contents[id]))];
  return { sprint: [...new Map(all.map(({ id, name }) => [id, { id, name }])).values()] };
}

function issueTypesIn(raw: unknown, told: FieldContent | undefined): IssueType[] {
  const subtask: unknown = raw !== null && typeof raw === 'object' ? Reflect.get(raw, 'subtask') : null;
  const isType = told !== null && typeof told === 'object' && 'id' in told;
  return typeof subtask === 'boolean' && isType ? [{ ...told, subtask }] : [];
}

function asValue(known: User | Status | null): FieldValue | null {
  return known === null ? null : { id: known.id, name: known.name };
}
