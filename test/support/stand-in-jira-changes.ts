import {
  cast,
  components,
  type JiraMode,
  levels,
  type ProjectOfCast,
  pointsField,
  priorities,
  sprintField,
  sprints,
  statuses,
  versions,
} from './stand-in-jira-cast.ts';
import type { ChangedField, IssueNow } from './stand-in-jira-issue.ts';

/** Into another status, and out of or into a resolution with it. */
export function moveTo(now: IssueNow, status: string, at: number): ChangedField[] {
  const items = [
    changed('status', 'status', [now.status, statusOf(now.status).name], [status, statusOf(status).name]),
  ];
  const done = statusOf(status).category === 'done';
  if (done !== (now.resolved !== null)) {
    const resolution: Ends = ['10000', 'Done'];
    items.push(changed('resolution', 'resolution', done ? null : resolution, done ? resolution : null));
    now.resolved = done ? at : null;
  }
  now.status = status;
  return items;
}

/** `person` is an index of the cast. */
export function assignTo(now: IssueNow, person: number | null, mode: JiraMode): ChangedField[] {
  const ends = (index: number | null): Ends | null => {
    const one = index === null ? undefined : cast[index];
    return one === undefined ? null : [mode === 'cloud' ? one.accountId : one.key, one.displayName];
  };
  const item = changed('assignee', 'assignee', ends(now.assignee), ends(person));
  now.assignee = person;
  return [item];
}

/** Into another project: key and project change, and the status where the other workflow does not have it. */
export function moveInto(now: IssueNow, project: ProjectOfCast, key: string, at: number): ChangedField[] {
  const items: ChangedField[] = [
    { field: 'Key', fieldId: 'issuekey', from: null, fromText: now.key, to: null, toText: key },
    changed('project', 'project', [now.project.id, now.project.name], [project.id, project.name]),
  ];
  if (!project.workflow.includes(now.status)) items.push(...moveTo(now, project.workflow[0] ?? '1', at));
  now.project = project;
  now.key = key;
  return items;
}

/** `level` is an index; null: none. */
export function levelled(now: IssueNow, level: number | null): ChangedField[] {
  const ends = (index: number | null): Ends | null => {
    const one = index === null ? undefined : levels[index];
    return one === undefined ? null : [one.id, one.name];
  };
  const item = changed('security', 'security', ends(now.level), ends(level));
  now.level = level;
  return [item];
}

/** Name and category of a status, by id. */
export function statusOf(id: string) {
  const found = statuses.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no status ${id}.`);
  return found;
}

type Ends = readonly [id: string, text: string];

function changed(field: string, fieldId: string, from: Ends | null, to: Ends | null): ChangedField {
  return {
    field,
    fieldId,
    from: from?.[0] ?? null,
    fromText: from?.[1] ?? null,
    to: to?.[0] ?? null,
    toText: to?.[1] ?? null,
  };
}

/** Adds the label, or takes it away. */
export function labelled(now: IssueNow, label: string): ChangedField[] {
  const after = now.labels.includes(label)
    ? now.labels.filter((one) => one !== label)
    : [...now.labels, label];
  const item = changed('labels', 'labels', ['', now.labels.join(' ')], ['', after.join(' ')]);
  now.labels = after;
  return [item];
}

/** Into the sprint, an index, or out of all of them. */
export function planned(now: IssueNow, sprint: number): ChangedField[] {
  const ends = (list: readonly number[]): Ends => [
    list.map((one) => sprints[one]?.id).join(', '),
    list.map((one) => sprints[one]?.name).join(', '),
  ];
  const after = now.sprints.includes(sprint) ? [] : [...now.sprints, sprint].slice(-3);
  const item = changed('Sprint', sprintField, ends(now.sprints), ends(after));
  now.sprints = after;
  return [item];
}

/** Story points. */
export function pointed(now: IssueNow, points: number): ChangedField[] {
  const text = now.points === null ? null : String(now.points);
  now.points = points;
  return [
    {
      field: 'Story Points',
      fieldId: pointsField,
      from: null,
      fromText: text,
      to: null,
      toText: String(points),
    },
  ];
}

/** `priority` is an index. */
export function prioritised(now: IssueNow, priority: number): ChangedField[] {
  const ends = (index: number): Ends => [priorities[index]?.id ?? '', priorities[index]?.name ?? ''];
  const item = changed('priority', 'priority', ends(now.priority), ends(priority));
  now.priority = priority;
  return [item];
}

/** Adds the version or component, an index, or takes it away. */
export function toggled(now: IssueNow, what: 'versions' | 'components', index: number): ChangedField[] {
  const one = (what === 'versions' ? versions : components)[index];
  const ends: Ends = [one?.id ?? '', one?.name ?? ''];
  const there = now[what].includes(index);
  now[what] = there ? now[what].filter((other) => other !== index) : [...now[what], index];
  const [field, fieldId] = what === 'versions' ? ['Fix Version', 'fixVersions'] : ['Component', 'components'];
  return [changed(field, fieldId, there ? ends : null, there ? null : ends)];
}

/** Another summary. */
export function renamed(now: IssueNow, summary: string): ChangedField[] {
  const before = now.summary;
  now.summary = summary;
  return [{ field: 'summary', fieldId: 'summary', from: null, fromText: before, to: null, toText: summary }];
}
