import type { Directory } from '../../model/directory.ts';
import type { FieldValue, Status, StatusCategory, User } from '../../model/issue.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import { reportIds } from '../../model/report-ids.ts';
import type { BetweenMetric } from '../../model/request.ts';
import { offices } from './offices.ts';

/** Values and their weights, which need not sum up to anything. */
export type Choices<T> = readonly (readonly [value: T, weight: number])[];

function numbers(weights: Readonly<Record<number, number>>): Choices<number> {
  return Object.entries(weights).map(([value, weight]) => [Number(value), weight]);
}

const value = (id: string, name: string): FieldValue => ({ id, name });

function status(id: string, name: string, category: StatusCategory, more: Partial<Status> = {}): Status {
  return { id, name, category, deleted: false, ...more };
}

/** Every status any history mentions, the deleted one included. */
export const statuses = {
  open: status('1', 'Open', 'To Do'),
  inProgress: status('3', 'In Progress', 'In Progress'),
  resolved: status('5', 'Resolved', 'Done'),
  closed: status('6', 'Closed', 'Done'),
  toDo: status('10000', 'To Do', 'To Do'),
  done: status('10002', 'Done', 'Done'),
  inReview: status('10003', 'In Review', 'In Progress'),
  qa: status('10004', 'QA', 'In Progress'),
  blocked: status('10005', 'Blocked', 'In Progress'),
  waiting: status('10006', 'Waiting for customer', 'In Progress'),
  backlog: status('10007', 'Backlog', 'To Do'),
  selected: status('10008', 'Selected', 'To Do'),
  analysis: status('10010', 'Analysis', 'In Progress', { deleted: true }),
  inAppReview: status('10021', 'In Review', 'In Progress', { scope: 'APP' }),
  readyForRelease: status('10022', 'Ready for Release', 'In Progress', { scope: 'APP' }),
};

export const resolutions = {
  done: value('10000', 'Done'),
  wontDo: value('10001', "Won't Do"),
  duplicate: value('10002', 'Duplicate'),
  cannotReproduce: value('10003', 'Cannot Reproduce'),
};

const story = value('10001', 'Story');
const task = value('10002', 'Task');
const bug = value('10004', 'Bug');
const incident = value('10005', 'Incident');
const request = value('10006', 'Service Request');
const high = value('2', 'High');
const medium = value('3', 'Medium');
const low = value('4', 'Low');
const confidential = value('10700', 'Confidential');
const usualPriorities: Choices<FieldValue> = [
  [medium, 58],
  [high, 20],
  [low, 17],
  [value('5', 'Lowest'), 5],
];

/** A project of the company and the work that reaches it, its pace, and the steps with which its issues start. */
interface Project extends FieldValue {
  readonly lead: string;
  readonly perDay: number;
  readonly pace: { readonly first: number; readonly change: number };
  readonly versions: { readonly firstId: number; readonly name: string; readonly weeks: number } | null;
  readonly types: Choices<FieldValue>;
  readonly labels: readonly FieldValue[];
  readonly components: readonly FieldValue[];
  readonly urgentStart: string;
  readonly starts: Readonly<Record<string, number>>;
  readonly team: ReturnType<typeof teamOf>;
}
export type ProjectKey = 'WEB' | 'APP' | 'OPS';

/** A team by duty; those of one duty cover for one another before others do. */
function teamOf(lead: string, makers: readonly string[], testers: readonly string[] = []) {
  return { all: [lead, ...makers, ...testers], makers, testers, reviewers: [lead, ...makers] };
}

const labels = (names: string) => names.split(' ').map((name) => value(name, name));

const components = (firstId: number, names: readonly string[]) =>
  names.map((name, i) => value(String(firstId + i), name));

const projects: Readonly<Record<ProjectKey, Project>> = {
  WEB: {
    ...value('10100', 'Web Shop'),
    lead: 'ada',
    perDay: 1.3,
    pace: { first: 1.35, change: -0.6 },
    versions: { firstId: 20_000, name: 'Web 3.', weeks: 2 },
    types: [
      [story, 45],
      [bug, 37],
      [task, 18],
    ],
    labels: labels('checkout search performance accessibility customer-feedback tech-debt legal'),
    components: components(10_101, ['Basket', 'Catalogue', 'Checkout', 'Customer account', 'Content pages']),
    urgentStart: 'urgent',
    starts: { waiting: 73, shelved: 20, started: 4, duplicate: 1.5, mistaken: 1 },
    team: teamOf('ada', ['bob', 'carl', 'dora', 'faye'], ['emil', 'gina']),
  },
  APP: {
    ...value('10200', 'Mobile App'),
    lead: 'kira',
    perDay: 0.95,
    pace: { first: 1, change: 0 },
    versions: { firstId: 30_000, name: 'App 5.', weeks: 1 },
    types: [
      [story, 42],
      [bug, 40],
      [task, 18],
    ],
    labels: labels('android ios offline notifications crash tech-debt store-review'),
    components: components(10_201, ['Sign-in', 'Browsing', 'Ordering', 'Notifications']),
    urgentStart: 'urgent',
    starts: { waiting: 71, shelved: 23, started: 4, duplicate: 1.5, mistaken: 1 },
    team: teamOf('kira', ['hugo', 'iris', 'jack', 'pete']),
  },
  OPS: {
    ...value('10300', 'Operations'),
    lead: 'nina',
    perDay: 0.8,
    pace: { first: 0.9, change: 0.25 },
    versions: null,
    types: [
      [request, 72],
      [task, 16],
      [bug, 12],
    ],
    labels: labels('access network backup billing hardware certificate follow-up'),
    components: components(10_301, ['Workplace', 'Servers', 'Warehouse systems', 'Payments']),
    urgentStart: 'alarmed',
    starts: { queued: 90, shelved: 12, taken: 4, mistaken: 1 },
    team: teamOf('nina', ['lars', 'mona', 'owen']),
  },
};
export const projectKeys: readonly ProjectKey[] = ['WEB', 'APP', 'OPS'];

/** A person of the company; `covers` are the others of the team, the first choice first, `next` covers where all are away. */
interface Person {
  readonly id: string;
  readonly name: string;
  readonly office: 'Berlin' | 'New York';
  readonly project: ProjectKey;
  readonly covers: readonly string[];
  readonly next: string;
}

const newYorkers = ['bob', 'faye', 'gina', 'kira', 'jack', 'pete', 'nina', 'owen'];

/** The ids that follow one in a list, from its end on those before it. */
function after(id: string, ids: readonly string[]): readonly string[] {
  const index = ids.indexOf(id);
  return [...ids.slice(index + 1), ...ids.slice(0, index)];
}

function personOf(id: string, project: ProjectKey): Person {
  const { makers, testers, all } = projects[project].team;
  const duty = [makers, testers].find((ids) => ids.includes(id)) ?? [id];
  const others = after(id, all);
  const covers = [...after(id, duty), ...others.filter((other) => !duty.includes(other))];
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  const office = newYorkers.includes(id) ? 'New York' : 'Berlin';
  return { id, name, office, project, covers, next: others[0] ?? id };
}

const people = projectKeys.flatMap((key) => projects[key].team.all.map((id) => personOf(id, key)));

function userOf({ id, name, office }: Person): User {
  const admin = id === 'ada' ? { admin: true } : {};
  return { id, name, email: `${id}@example.com`, ...admin, timeZone: offices[office].timeZone };
}

const groups = Object.entries(projects).map(([key, { team }]) => {
  const name = `${key.toLowerCase()}-team`;
  return { id: name, name, members: team.all };
});

const fieldNames = {
  summary: 'Summary',
  status: 'Status',
  assignee: 'Assignee',
  reporter: 'Reporter',
  issuetype: 'Issue Type',
  priority: 'Priority',
  labels: 'Labels',
  components: 'Components',
  fixVersions: 'Fix versions',
  resolution: 'Resolution',
  duedate: 'Due date',
  created: 'Created',
  updated: 'Updated',
  resolutiondate: 'Resolved',
  security: 'Security Level',
  issuelinks: 'Linked Issues',
  customfield_10016: 'Story Points',
  customfield_10020: 'Sprint',
  customfield_10021: 'Flagged',
};

/** The constant part of the directory; only the service desk's own people see confidential issues. */
const directory: Pick<Directory, 'filters' | 'groups' | 'fields' | 'issueTypes' | 'access'> = {
  filters: [
    {
      id: '10001',
      name: 'Open bugs of the web shop',
      jql: 'project = WEB AND issuetype = Bug AND statusCategory != Done ORDER BY priority DESC, created ASC',
      owner: 'ada',
      shared: true,
    },
    {
      id: '10002',
      name: 'Unfinished in the running sprint',
      jql: 'sprint in openSprints() AND statusCategory != Done ORDER BY updated DESC',
      owner: 'ada',
      shared: true,
    },
    {
      id: '10003',
      name: 'Web shop work that was ever blocked',
      jql: 'project = WEB AND status was Blocked ORDER BY created DESC',
      owner: 'ada',
      shared: false,
    },
  ],
  groups: [...groups, { id: 'jira-administrators', name: 'jira-administrators', members: ['ada'] }],
  fields: Object.entries(fieldNames).map(([id, name]) => ({ id, name })),
  issueTypes: [story, task, bug, incident, request].map((type) => ({ ...type, subtask: false })),
  access: [{ kind: 'level', id: confidential.id, viewers: ['ops-team'] }],
};

const reviewTimes: Omit<ParameterSet, 'createdAt' | 'updatedAt'> = {
  id: '6f1f1c52-3a52-4c0e-9d0b-5d9a8f0e7a01',
  name: 'Review times',
  ownerId: 'ada',
  public: true,
  report: {
    reportType: reportIds.statusDuration,
    selection: { by: 'project', project: 'WEB' },
    calendar: 'Berlin',
    statuses: [statuses.inReview.id, statuses.qa.id],
    groupBy: ['issuetype'],
    statistic: { type: 'median' },
    look: { viewFormat: 'hours' },
  },
};
const appLeadTimes: typeof reviewTimes = {
  id: '6f1f1c52-3a52-4c0e-9d0b-5d9a8f0e7a02',
  name: 'App lead times',
  ownerId: 'kira',
  public: true,
  report: {
    reportType: reportIds.durationBetweenStatuses,
    selection: { by: 'project', project: 'APP' },
    metrics: [metric('Lead time', []), metric('Cycle time', [statuses.inProgress.id])],
    statistic: { type: 'average' },
    look: { viewFormat: 'days' },
  },
};

/** From the first visit of one of these statuses, or from creation, to the last one of Done. */
function metric(name: string, from: readonly string[]): BetweenMetric {
  const to = { statuses: [statuses.done.id], visit: 'last' } as const;
  return { name, from: { statuses: from, visit: 'first' }, to, pausedIn: [] };
}

const quarter = { everyMonths: 3, fromDay: 1, until: { monthsLater: 3, day: 1 } };
const tradeFair = { everyMonths: 1, fromDay: 10, until: { monthsLater: 0, day: 13 }, category: 3 };
const otherMonths = { everyMonths: 2, fromDay: 1, until: { monthsLater: 1, day: 1 } };
const firstHalf = { everyMonths: 1, fromDay: 1, until: { monthsLater: 0, day: 16 } };
const year = { everyMonths: 12, fromDay: 1, until: { monthsLater: 12, day: 1 } };
const onPhone = 'Lars first, Mona when he is on the phone.';
const away = 'Visiting the roastery until the 15th.';
const budget = 'Called off: the budget stays with Ada.';

/** Arrangements that recur every some months, by the ids of people and categories; active where that is left out. */
interface Standing {
  readonly everyMonths: number;
  readonly fromDay: number;
  readonly until: { readonly monthsLater: number; readonly day: number };
  readonly delegator: string;
  readonly delegates: readonly string[];
  readonly category: number;
  readonly notes: string;
  readonly active?: boolean;
}

const standing: readonly Standing[] = [
  {
    ...quarter,
    delegator: 'ada',
    delegates: ['bob'],
    category: 1,
    notes: 'Up to 500 EUR; more waits for me.',
  },
  { ...quarter, delegator: 'nina', delegates: ['lars', 'mona'], category: 3, notes: onPhone },
  {
    ...otherMonths,
    delegator: 'kira',
    delegates: ['hugo'],
    category: 2,
    notes: 'We take turns, month by month.',
  },
  { ...firstHalf, delegator: 'bob', delegates: ['carl'], category: 1, notes: away },
  { ...tradeFair, delegator: 'lars', delegates: ['mona'], notes: 'At the trade fair.' },
  { ...tradeFair, delegator: 'mona', delegates: ['lars'], notes: 'At the trade fair.' },
  { ...year, delegator: 'dora', delegates: ['emil'], category: 1, notes: budget, active: false },
];

/** The invented company: all that its issues, its people and its calendar are made of. */
export const company = {
  name: 'Kettle & Fern',
  offices,
  projects,
  people,
  /** Everyone who can sign in, and the automation, which cannot. */
  users: [...people.map(userOf), { id: 'automation', name: 'Automation' }],
  statuses: Object.values(statuses),
  directory,
  categories: [
    { id: 1, name: 'Expense', description: 'Travel, equipment and refunds to customers' },
    { id: 2, name: 'Releases', description: 'Whether a version of the app goes out' },
    { id: 3, name: 'Support', description: 'What customers and shops ask the service desk' },
  ],
  parameterSets: [reviewTimes, appLeadTimes],
  standing,
  vacationNotes: [
    'Back on {day}.',
    'Back on {day}, with tea.',
    'Without a laptop; back on {day}.',
    'On a train somewhere. Back on {day}.',
    'By phone if a kettle is on fire, else from {day}.',
  ],
  incident,
  confidential,
  priorities: {
    urgent: value('1', 'Highest'),
    first: usualPriorities,
    later: [high, medium, low],
  },
  labelCounts: numbers({ 0: 50, 1: 38, 2: 12 }),
  points: {
    first: numbers({ 1: 14, 2: 24, 3: 28, 5: 22, 8: 10, 13: 2 }),
    later: numbers({ 2: 25, 5: 40, 8: 35 }),
  },
};
