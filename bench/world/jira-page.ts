import { millisecondsInHour } from 'date-fns/constants';
import type { Change, FieldValue, Instant, Issue } from '../../src/model/issue.ts';
import { people, statuses } from './invent-issue.ts';

const SITE = 'https://stand-in.example';

/**
 * A page of Jira Cloud's search with `expand=changelog`: newest entries first, whole authors with the addresses of their
 * pictures, about thirty kilobytes an issue.
 */
export function jiraPage(issues: readonly Issue[], startAt: number, total: number): string {
  return JSON.stringify({
    expand: 'schema,names',
    startAt,
    maxResults: issues.length,
    total,
    issues: issues.map((issue) => ({
      expand: 'operations,versionedRepresentations,editmeta,changelog,renderedFields',
      id: issue.id,
      self: `${SITE}/rest/api/3/issue/${issue.id}`,
      key: issue.key,
      changelog: changelogOf(issue),
      fields: fieldsOf(issue),
    })),
  });
}

function changelogOf({ changes }: Issue) {
  const entries = [...Map.groupBy(changes, ({ entry }) => entry)].reverse();
  return {
    startAt: 0,
    maxResults: entries.length,
    total: entries.length,
    histories: entries.map(([id, items]) => ({
      id,
      author: personOf(items[0]?.by ?? null),
      created: timestamp(items[0]?.at ?? 0),
      items: items.map(itemOf),
    })),
  };
}

function itemOf({ field, from, to }: Change) {
  return {
    field: field.startsWith('customfield_') ? (titles[field] ?? field) : field,
    fieldtype: field.startsWith('customfield_') ? 'custom' : 'jira',
    fieldId: field,
    from: from?.id ?? null,
    fromString: from?.name ?? null,
    to: to?.id ?? null,
    toString: to?.name ?? null,
  };
}

const titles: Readonly<Record<string, string>> = {
  customfield_10016: 'Story Points',
  customfield_10020: 'Sprint',
  customfield_10021: 'Flagged',
};

function fieldsOf({ fields, project, summary, created, updated, resolved, status, assignee }: Issue) {
  const one = (content: unknown) => (isValue(content) ? named(content) : null);
  const several = (content: unknown) => (Array.isArray(content) ? content.filter(isValue).map(named) : []);
  const personId = (content: unknown) => (isValue(content) ? content.id : null);
  return {
    summary,
    created: timestamp(created),
    updated: timestamp(updated),
    resolutiondate: resolved === null ? null : timestamp(resolved),
    status: statusOf(status),
    issuetype: { ...one(fields.issuetype), subtask: personId(fields.issuetype) === '10005' },
    priority: one(fields.priority),
    resolution: one(fields.resolution),
    project: isValue(fields.project)
      ? { id: fields.project.id, key: project.id, name: fields.project.name }
      : null,
    assignee: personOf(assignee?.id ?? null),
    reporter: personOf(personId(fields.reporter)),
    creator: personOf(personId(fields.creator)),
    labels: several(fields.labels).map(({ name }) => name),
    components: several(fields.components),
    fixVersions: [],
    customfield_10016: fields.customfield_10016,
    customfield_10020: several(fields.customfield_10020).map((sprint) => ({
      ...sprint,
      id: Number(sprint.id),
      state: 'closed',
      boardId: 1,
    })),
    customfield_10021: fields.customfield_10021 === null ? null : several(fields.customfield_10021),
    issuelinks: several(fields.issuelinks).map(linkOf),
    duedate: null,
    security: one(fields.security),
  };
}

/** Its value is the words and the key, with a blank between. */
function linkOf({ id }: FieldValue) {
  const key = id.slice(id.lastIndexOf(' ') + 1);
  return {
    type: { id: '10000', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' },
    inwardIssue: { key },
  };
}

function isValue(content: unknown): content is FieldValue {
  return typeof content === 'object' && content !== null && 'id' in content && 'name' in content;
}

function named({ id, name }: FieldValue) {
  return { self: `${SITE}/rest/api/3/value/${id}`, id, name };
}

function statusOf({ id, name }: FieldValue) {
  const category = statuses[Number(id) - 1]?.category ?? 'To Do';
  const keys = { 'To Do': 'new', 'In Progress': 'indeterminate', Done: 'done', Undefined: 'undefined' };
  return {
    self: `${SITE}/rest/api/3/status/${id}`,
    id,
    name,
    statusCategory: { id: 2, key: keys[category], name: category, colorName: 'blue-gray' },
  };
}

const byId = new Map(people.map((person) => [person.id, wholePerson(person)]));

function personOf(id: string | null) {
  return id === null ? null : (byId.get(id) ?? null);
}

function wholePerson({ id, name, email }: (typeof people)[number]) {
  const picture = (size: number) =>
    `https://avatar-management--avatars.stand-in.example/${id}/a1b2c3d4-e5f6-4711-8899-aabbccddeeff/${size}`;
  return {
    self: `${SITE}/rest/api/3/user?accountId=${id}`,
    accountId: id,
    emailAddress: email,
    avatarUrls: { '48x48': picture(48), '24x24': picture(24), '16x16': picture(16), '32x32': picture(32) },
    displayName: name,
    active: true,
    timeZone: 'Europe/Berlin',
    accountType: 'atlassian',
  };
}

/** As Jira prints it on clocks of Berlin, whose summer time lasts from the last Sunday of March to that of October. */
function timestamp(at: Instant): string {
  const year = new Date(at).getUTCFullYear();
  const isSummer = at >= lastSunday(year, 2) && at < lastSunday(year, 9);
  const local = new Date(at + (isSummer ? 2 : 1) * millisecondsInHour).toISOString();
  return local.replace('Z', isSummer ? '+0200' : '+0100');
}

/** At one o'clock UTC, when clocks change. */
function lastSunday(year: number, month: number): Instant {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return last.getTime() - last.getUTCDay() * 24 * millisecondsInHour;
}
