/** Which of Jira's two products is stood in for. */
export type JiraMode = 'cloud' | 'dataCenter';

/** Somebody with an account. */
interface JiraPersonOfCast {
  readonly accountId: string;
  /** Data Center's identity. */
  readonly key: string;
  readonly name: string;
  readonly displayName: string;
  readonly app: boolean;
}

// biome-ignore format: a list of names
const names = [
  'Mara Lindqvist', 'Tobias Okafor', 'Ines Varga', 'Jonas Petrov', 'Aiko Brandt', 'Samir Novak', 'Lena Castellan',
  'Pavel Ortiz', 'Wren Halloran', 'Oskar Dumont', 'Nadia Feld', 'Ruben Achterberg', 'Yara Solano', 'Emil Thorne',
  'Greta Molnar', 'Kofi Lang', 'Ida Serrano', 'Bram Kessler', 'Tuva Marsh', 'Levi Quandt',
];

/** Everybody with an account, an app last. The first one is the account that asks. */
export const cast: readonly JiraPersonOfCast[] = [...names, 'Release Courier'].map((displayName, i) => ({
  accountId: `712020:${(0x1d3f0000 + i * 7919).toString(16)}-c4e1-4b7a-9d00-${String(i).padStart(12, '0')}`,
  key: `JIRAUSER${10_100 + i}`,
  name: displayName.toLowerCase().replace(' ', '.'),
  displayName,
  app: displayName === 'Release Courier',
}));

/** As Jira tells a person; `site` is where people browse. */
export function personJson(one: JiraPersonOfCast, mode: JiraMode, site: string) {
  const email = `${one.name}@tallow.example`;
  if (mode === 'cloud') {
    return {
      self: `${site}/rest/api/3/user?accountId=${encodeURIComponent(one.accountId)}`,
      accountId: one.accountId,
      accountType: one.app ? 'app' : 'atlassian',
      ...(one.app ? {} : { emailAddress: email }),
      displayName: one.displayName,
      active: true,
      timeZone: 'Europe/Berlin',
    };
  }
  return {
    self: `${site}/rest/api/2/user?username=${one.name}`,
    key: one.key,
    name: one.name,
    emailAddress: email,
    displayName: one.displayName,
    active: true,
    timeZone: 'Europe/Berlin',
  };
}

interface StatusOfCast {
  readonly id: string;
  readonly name: string;
  readonly category: 'new' | 'indeterminate' | 'done';
  /** Of a team-managed project: the project's id. */
  readonly project: string | null;
}

/** Where issues live. `workflow`: ids of statuses, in the order of work; the last ones are of the category done. */
export interface ProjectOfCast {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly workflow: readonly string[];
  readonly teamManaged: boolean;
  /** Of a hundred issues. */
  readonly share: number;
  /** Indexes of the cast who may browse it; null: everybody. */
  readonly browsers: readonly number[] | null;
}

const shared = (id: string, name: string, category: StatusOfCast['category']): StatusOfCast => ({
  id,
  name,
  category,
  project: null,
});

export const statuses: readonly StatusOfCast[] = [
  shared('1', 'Open', 'new'),
  shared('3', 'In Progress', 'indeterminate'),
  shared('10010', 'In Review', 'indeterminate'),
  shared('10011', 'Waiting for customer', 'indeterminate'),
  shared('10012', 'Ready for release', 'indeterminate'),
  shared('6', 'Closed', 'done'),
  shared('10013', 'Done', 'done'),
  { id: '10201', name: 'To Do', category: 'new', project: '10003' },
  { id: '10202', name: 'In Progress', category: 'indeterminate', project: '10003' },
  { id: '10203', name: 'Done', category: 'done', project: '10003' },
  { id: '10211', name: 'To Do', category: 'new', project: '10004' },
  { id: '10212', name: 'Doing', category: 'indeterminate', project: '10004' },
  { id: '10213', name: 'Done', category: 'done', project: '10004' },
];

export const projects: readonly [ProjectOfCast, ...ProjectOfCast[]] = [
  {
    id: '10000',
    key: 'LARK',
    name: 'Larkspur',
    workflow: ['1', '3', '10010', '10013'],
    teamManaged: false,
    share: 40,
    browsers: null,
  },
  {
    id: '10001',
    key: 'DESK',
    name: 'Service Desk',
    workflow: ['1', '3', '10011', '10012', '6'],
    teamManaged: false,
    share: 25,
    browsers: null,
  },
  {
    id: '10002',
    key: 'VAULT',
    name: 'Vault',
    workflow: ['1', '3', '10010', '6'],
    teamManaged: false,
    share: 10,
    browsers: [0, 1, 2, 3],
  },
  {
    id: '10003',
    key: 'FERN',
    name: 'Fernworks',
    workflow: ['10201', '10202', '10203'],
    teamManaged: true,
    share: 15,
    browsers: null,
  },
  {
    id: '10004',
    key: 'OPS2',
    name: 'Operations',
    workflow: ['10211', '10212', '10213'],
    teamManaged: true,
    share: 10,
    browsers: [0, 4, 5, 6, 7, 8, 20],
  },
];

/** More projects, as a large site has them: of one workflow, and without issues until some are added. */
export const moreProjects = (count: number): readonly ProjectOfCast[] =>
  Array.from({ length: count }, (_, i) => ({
    id: String(30_000 + i),
    key: `TEAM${i + 1}X`,
    name: `Team ${i + 1}`,
    workflow: ['1', '3', '10013'],
    teamManaged: false,
    share: 0,
    browsers: null,
  }));

/** Security levels; `members` are indexes of the cast, beside whom the reporter sees the issue. */
export const levels = [
  { id: '10500', name: 'Leads only', members: [0, 1, 4] },
  { id: '10501', name: 'Legal', members: [2, 9] },
] as const;

export const priorities = ['Highest', 'High', 'Medium', 'Low'].map((name, i) => ({
  id: String(i + 1),
  name,
}));
export const issueTypes = ['Bug', 'Story', 'Task', 'Incident'].map((name, i) => ({
  id: String(10_301 + i),
  name,
}));
export const versions = ['Sparrow 1.0', 'Sparrow 1.1', 'Heron 2.0'].map((name, i) => ({
  id: String(10_401 + i),
  name,
}));
export const components = ['Checkout', 'Importer', 'Ledger'].map((name, i) => ({
  id: String(10_451 + i),
  name,
}));
export const labels = ['urgent', 'paper-cut', 'follow-up', 'tech-debt'];

/** Boards whose sprints are told; the second one is no scrum board. */
export const boards = [
  { id: 11, name: 'Larkspur board', type: 'scrum', project: '10000' },
  { id: 12, name: 'Desk queue', type: 'kanban', project: '10001' },
  { id: 13, name: 'Operations board', type: 'scrum', project: '10004' },
] as const;

/** More scrum boards, each with a sprint of its own. */
export const moreBoards = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: 1001 + i,
    name: `Board ${i + 1}`,
    type: 'scrum',
    project: '10000',
  }));

export const sprints = Array.from({ length: 24 }, (_, i) => ({
  id: 101 + i,
  name: `Larkspur ${i + 1}`,
  state: i < 21 ? 'closed' : i < 22 ? 'active' : 'future',
  boardId: 11,
  goal: i % 3 === 0 ? 'Fewer, larger steps' : '',
  ...(i < 22
    ? {
        startDate: new Date(Date.UTC(2026, 0, 5 + 14 * i, 8)).toISOString(),
        endDate: new Date(Date.UTC(2026, 0, 16 + 14 * i, 16)).toISOString(),
      }
    : {}),
  ...(i < 21 ? { completeDate: new Date(Date.UTC(2026, 0, 16 + 14 * i, 16, 20)).toISOString() } : {}),
}));

export const groups = [
  {
    groupId: '5f1c6a70-0001-4f5e-8a11-7d2c7f0a0001',
    name: 'jira-software-users',
    members: cast.map((_, i) => i),
  },
  { groupId: '5f1c6a70-0002-4f5e-8a11-7d2c7f0a0002', name: 'leads', members: [0, 1, 4] },
  { groupId: '5f1c6a70-0003-4f5e-8a11-7d2c7f0a0003', name: 'on-call', members: [5, 6, 7, 8] },
];

/** More groups, each of one person. */
export const moreGroups = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    groupId: `5f1c6a70-1000-4f5e-8a11-${String(i).padStart(12, '0')}`,
    name: `team-${i + 1}`,
    members: [i % cast.length],
  }));

export const filters = [
  {
    id: '10601',
    name: 'Urgent work',
    jql: 'labels = urgent ORDER BY created',
    owner: 0,
    share: 'authenticated',
  },
  {
    id: '10602',
    name: 'Open desk',
    jql: 'project = DESK AND statusCategory != Done',
    owner: 4,
    share: 'group',
  },
  { id: '10603', name: 'Mine', jql: 'assignee = currentUser()', owner: 1, share: null },
];

export const sprintField = 'customfield_10020';
export const pointsField = 'customfield_10016';

export const fields = [
  ...['summary', 'project', 'issuetype', 'priority', 'status', 'assignee', 'reporter', 'creator', 'labels'],
  ...['components', 'fixVersions', 'security', 'created', 'updated', 'resolutiondate', 'resolution'],
  'description',
]
  .map((id) => ({ id, name: titleOf(id), custom: false }))
  .concat([
    { id: sprintField, name: 'Sprint', custom: true },
    { id: pointsField, name: 'Story Points', custom: true },
  ]);

function titleOf(id: string): string {
  const known: Readonly<Record<string, string>> = {
    issuetype: 'Issue Type',
    components: 'Component/s',
    fixVersions: 'Fix Version/s',
    security: 'Security Level',
    resolutiondate: 'Resolved',
  };
  return known[id] ?? `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`;
}
