import { millisecondsInDay } from 'date-fns/constants';
import {
  cast,
  components,
  issueTypes,
  type JiraMode,
  levels,
  type ProjectOfCast,
  personJson,
  pointsField,
  priorities,
  sprintField,
  sprints,
  statuses,
  versions,
} from './stand-in-jira-cast.ts';
import { statusOf } from './stand-in-jira-changes.ts';
import type { ChangeEntry, IssueNow } from './stand-in-jira-issue.ts';

/** A changelog as it stands in an issue. */
export interface JiraChangelogJson {
  readonly startAt: number;
  readonly maxResults: number;
  readonly total: number;
  readonly histories: readonly unknown[];
}

/** An issue as Jira tells it. */
export interface JiraIssueJson {
  readonly expand?: string;
  readonly id: string;
  readonly self: string;
  readonly key: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly changelog?: JiraChangelogJson;
}

/** What the parts of Jira's JSON look like, made once so that pages are cheap. */
export function createJiraJson(mode: JiraMode, site: string, projects: readonly ProjectOfCast[]) {
  const api = `${site}/rest/api/${mode === 'cloud' ? 3 : 2}`;
  const people = cast.map((one) => personJson(one, mode, site));
  const categories = {
    new: { id: 2, key: 'new', colorName: 'blue-gray', name: 'To Do' },
    indeterminate: { id: 4, key: 'indeterminate', colorName: 'yellow', name: 'In Progress' },
    done: { id: 3, key: 'done', colorName: 'green', name: 'Done' },
  };
  const statusJson = new Map(
    statuses.map(({ id, name, category, project }) => [
      id,
      {
        self: `${api}/status/${id}`,
        description: '',
        iconUrl: `${site}/images/icons/statuses/generic.png`,
        name,
        id,
        statusCategory: { self: `${api}/statuscategory/${categories[category].id}`, ...categories[category] },
        ...(project !== null && mode === 'cloud'
          ? { scope: { type: 'PROJECT', project: { id: project } } }
          : {}),
      },
    ]),
  );
  const projectJson = new Map(
    projects.map(({ id, key, name, teamManaged }) => [
      id,
      {
        self: `${api}/project/${id}`,
        id,
        key,
        name,
        projectTypeKey: 'software',
        ...(mode === 'cloud' ? { simplified: teamManaged } : {}),
      },
    ]),
  );
  const sprintJson = sprints.map(({ id, name, state, boardId, goal, ...dates }) =>
    mode === 'cloud'
      ? { id, name, state, boardId, goal, ...dates }
      : `com.atlassian.greenhopper.service.sprint.Sprint@1b2c3d${id}[id=${id},rapidViewId=${boardId},state=${state.toUpperCase()},name=${name},startDate=${dates.startDate ?? '<null>'},endDate=${dates.endDate ?? '<null>'},completeDate=${dates.completeDate ?? '<null>'},sequence=${id},goal=${goal}]`,
  );
  const named = (what: string, list: readonly { id: string; name: string }[]) =>
    list.map((one) => ({ self: `${api}/${what}/${one.id}`, ...one }));
  const [types, ranks, parts, releases, seals] = [
    named('issuetype', issueTypes).map((one) => ({ ...one, subtask: false })),
    named('priority', priorities),
    named('component', components),
    named('version', versions).map((one) => ({ ...one, archived: false, released: false })),
    named('securitylevel', levels).map((one) => ({ ...one, description: '' })),
  ];

  function fieldsOf(now: IssueNow): Record<string, unknown> {
    const text = (at: number | null) => (at === null ? null : spelled(at, now.zone));
    return {
      summary: now.summary,
      project: projectJson.get(now.project.id),
      issuetype: types[now.type],
      priority: ranks[now.priority],
      status: statusJson.get(now.status),
      assignee: now.assignee === null ? null : people[now.assignee],
      reporter: people[now.reporter],
      creator: people[now.reporter],
      labels: now.labels,
      components: now.components.map((one) => parts[one]),
      fixVersions: now.versions.map((one) => releases[one]),
      [sprintField]: now.sprints.length === 0 ? null : now.sprints.map((one) => sprintJson[one]),
      [pointsField]: now.points,
      ...(now.level === null ? {} : { security: seals[now.level] }),
      created: text(now.created),
      updated: text(now.updated),
      resolutiondate: text(now.resolved),
      resolution:
        now.resolved === null ? null : { self: `${api}/resolution/10000`, id: '10000', name: 'Done' },
      description: mode === 'cloud' ? documentOf(now.summary) : `About: ${now.summary}`,
      ...(mode === 'cloud' ? { issuerestriction: { issuerestrictions: {}, shouldDisplay: false } } : {}),
      ...now.told,
    };
  }

  return {
    people,
    statuses: statusJson,
    projects: projectJson,
    fieldsOf,
    selfOf: ({ id }: Pick<IssueNow, 'id'>) => `${api}/issue/${id}`,
    /** An entry of a changelog; `as` is how its instant is told. */
    entryOf(entry: ChangeEntry, zone: number, as: 'text' | 'number' = 'text') {
      return {
        id: entry.id,
        author: people[entry.author],
        created: as === 'number' ? entry.at : spelled(entry.at, zone),
        items: entry.items.map(({ field, fieldId, from, fromText, to, toText }) => ({
          field,
          fieldtype: fieldId.startsWith('customfield') ? 'custom' : 'jira',
          ...(mode === 'cloud' ? { fieldId } : {}),
          from,
          fromString: fromText,
          to,
          toString: toText,
        })),
      };
    },
    categoryOf: (id: string) => statusOf(id).category,
  };
}

/** Of a day since 1970; pages spell thousands of instants and few days. */
const days = new Map<number, string>();

/** `2026-03-02T10:00:00.123+0100`. */
export function spelled(at: number, zone: number): string {
  const local = at + zone * 60_000;
  const day = Math.floor(local / millisecondsInDay);
  const date = days.get(day) ?? new Date(day * millisecondsInDay).toISOString().slice(0, 11);
  days.set(day, date);
  const ms = local - day * millisecondsInDay;
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map(twoOf);
  return `${date}${hours}:${minutes}:${seconds}.${String(Math.floor(ms) % 1000).padStart(3, '0')}${offsetText(zone)}`;
}

function offsetText(zone: number): string {
  return `${zone < 0 ? '-' : '+'}${twoOf(Math.abs(zone) / 60)}${twoOf(Math.abs(zone) % 60)}`;
}

/** What clocks show. */
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

const twoOf = (value: number) => twoDigits[Math.floor(value)] ?? '';

function documentOf(text: string): unknown {
  const paragraph = (content: string) => ({ type: 'paragraph', content: [{ type: 'text', text: content }] });
  return {
    type: 'doc',
    version: 1,
    content: [paragraph(`About: ${text}`), paragraph('Seen twice this week.')],
  };
}
