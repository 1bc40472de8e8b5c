import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Change, FieldValue, Instant, Issue } from '../../src/model/issue.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';

const PROJECTS = ['WEB', 'APP', 'OPS', 'DATA', 'HR', 'PAY', 'LAB', 'DOC', 'MAP', 'SEC'];
const statuses = named(['To Do', 'In Progress', 'In Review', 'Testing', 'Blocked', 'Done'], 1);
const priorities = named(['Highest', 'High', 'Medium', 'Low', 'Lowest'], 1);
const types = named(['Bug', 'Story', 'Task', 'Epic', 'Sub-task'], 10_001);
const components = named(['Front', 'Back', 'Search', 'Billing', 'Mail', 'Jobs'], 10_101);
const sprints = named(
  Array.from({ length: 60 }, (_, i) => `Sprint ${i + 1}`),
  301,
);
const people = Array.from({ length: 2_000 }, (_, i) => ({
  id: `5b10${(i * 7_919).toString(16).padStart(8, '0')}a2d3`,
  name: `Person ${i + 1}`,
}));

const CHANGES_EACH = 25;

/** Of 25 changes nine are of the status, as in a busy project. */
const changedFields = [
  ...['status', 'assignee', 'status', 'customfield_10020', 'status', 'priority', 'status', 'Rank', 'status'],
  ...['assignee', 'description', 'status', 'labels', 'Rank', 'status', 'customfield_10016', 'summary'],
  ...['status', 'assignee', 'Rank', 'Link', 'components', 'status', 'duedate', 'resolution'],
];

const BATCH = 1_000;

/** Fills the store of imported issues in a folder with so many of them, one project of which is closed to most. */
export async function fillStore(folder: string, count: number, now: Instant): Promise<void> {
  const store = openSqliteStore(folder);
  const issues = store.issues('file');
  for (let at = 0; at < count; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - at) }, (_, i) => inventIssue(at + i, now));
    await issues.putIssues(batch, (_kept, incoming) => incoming);
  }
  await issues.putDirectory({ access: [{ kind: 'project', id: 'HR', viewers: ['group:hr'] }] });
  store.close();
}

/** The `n`th (from 0) of many issues as a site of some years holds them, the same whenever it is asked for. */
function inventIssue(n: number, now: Instant): Issue {
  const chance = createChance(n);
  const project = PROJECTS[n % PROJECTS.length] ?? 'WEB';
  const key = `${project}-${Math.floor(n / PROJECTS.length) + 1}`;
  const created =
    now -
    Math.floor((3 * 365 * 24 - n / 400) * millisecondsInHour) +
    Math.floor(chance() * millisecondsInMinute);
  const summary = `${pick(words, chance)} ${pick(words, chance)} ${pick(words, chance)} when ${n} ${pick(words, chance)}`;
  const changes: Change[] = [];
  const held = new Map<string, FieldValue | null>([['status', statuses[0] ?? null]]);
  let at = created;
  for (let i = 0; i < CHANGES_EACH; i += 1) {
    const field = changedFields[i] ?? 'status';
    const isSameEntry = i % 5 === 4;
    if (!isSameEntry) at += Math.floor(chance() * 60 * millisecondsInHour);
    const to = newValueOf(field, n, chance);
    changes.push({
      entry: String(10_000_000 + n * 20 + i - (isSameEntry ? 1 : 0)),
      item: isSameEntry ? 1 : 0,
      at,
      field,
      from: held.get(field) ?? null,
      to,
      by: isSameEntry ? (changes.at(-1)?.by ?? null) : pick(people, chance).id,
    });
    held.set(field, to);
  }
  const status = held.get('status') ?? { id: '1', name: 'To Do' };
  const assignee = held.get('assignee') ?? null;
  const resolved = status.name === 'Done' ? at : null;
  return {
    id: String(100_000 + n),
    key,
    project: { id: String(10_000 + (n % PROJECTS.length)), name: `${project} project` },
    summary,
    created,
    updated: at,
    resolved,
    status,
    assignee,
    fields: {
      summary,
      status,
      assignee,
      project: { id: String(10_000 + (n % PROJECTS.length)), name: `${project} project` },
      issuetype: pick(types, chance),
      priority: pick(priorities, chance),
      reporter: pick(people, chance),
      creator: pick(people, chance),
      created,
      updated: at,
      resolutiondate: resolved,
      resolution: resolved === null ? null : { id: '10000', name: 'Done' },
      labels: [{ id: `label-${n % 50}`, name: `label-${n % 50}` }],
      components: [pick(components, chance)],
      fixVersions: [],
      customfield_10016: Math.floor(chance() * 8) + 1,
      customfield_10020: [pick(sprints, chance)],
      parent: n % 3 === 0 ? { id: String(100_000 + (n >> 4)), name: `${project}-${(n >> 8) + 1}` } : null,
      duedate: null,
      security: n % 20 === 0 ? { id: '10100', name: 'Internal' } : null,
    },
    changes,
    history: { complete: true },
    link: `https://stand-in.example/browse/${key}`,
  };
}

function newValueOf(field: string, n: number, chance: () => number): FieldValue | null {
  switch (field) {
    case 'status':
      return pick(statuses, chance);
    case 'assignee':
      return pick(people, chance);
    case 'customfield_10020':
      return pick(sprints, chance);
    case 'priority':
      return pick(priorities, chance);
    case 'components':
      return pick(components, chance);
    case 'description':
      return { id: '', name: `${pick(words, chance)} ${pick(words, chance)} of ${n} ${pick(words, chance)}` };
    case 'Rank':
      return { id: '', name: chance() < 0.5 ? 'Ranked higher' : 'Ranked lower' };
    case 'Link':
      return { id: `WEB-${1 + (n >> 5)}`, name: `This issue blocks WEB-${1 + (n >> 5)}` };
    default:
      return { id: String(n % 40), name: `${field} ${n % 40}` };
  }
}

const words = ['login', 'basket', 'invoice', 'slow', 'wrong', 'missing', 'report', 'crash', 'colour', 'mail'];

function named(names: readonly string[], first: number): readonly FieldValue[] {
  return names.map((name, i) => ({ id: String(first + i), name }));
}

function pick<One>(from: readonly One[], chance: () => number): One {
  const one = from[Math.floor(chance() * from.length)];
  if (one === undefined) throw new Error('Nothing to pick from.');
  return one;
}

/** Numbers from 0 to below 1, the same for the same seed. */
function createChance(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
