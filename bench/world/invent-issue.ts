import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { FieldName, Sprint } from '../../src/model/directory.ts';
import type {
  Change,
  FieldContent,
  FieldValue,
  Instant,
  Issue,
  Status,
  User,
} from '../../src/model/issue.ts';
import { createChance } from './chance.ts';

/** Raised whenever other issues come out, so that kept folders are written again. */
export const WORLD_VERSION = 4;

/** The instant at which the newest change may have happened, and at which every suite asks. */
export const worldNow: Instant = Date.parse('2026-03-18T12:00:00Z');

const SPAN_MS = 3.3 * 365 * millisecondsInDay;

/** Sprints take two weeks. */
const SPRINT_MS = 14 * millisecondsInDay;

/** Keys of the projects. */
export const projects =
  'WEB APP OPS DATA HR PAY LAB DOC MAP SEC NET CRM ERP BI QA UX IOS AND API BOT FIN LEG MKT SUP'.split(' ');

/** The fourteen statuses, by the tracker's order. */
export const statuses: readonly Status[] = [
  status('1', 'Open', 'To Do'),
  status('2', 'Backlog', 'To Do'),
  status('3', 'Selected', 'To Do'),
  status('4', 'In Progress', 'In Progress'),
  status('5', 'In Review', 'In Progress'),
  status('6', 'Testing', 'In Progress'),
  status('7', 'Blocked', 'In Progress'),
  status('8', 'Waiting for customer', 'In Progress'),
  status('9', 'Reopened', 'To Do'),
  status('10', 'Ready for release', 'In Progress'),
  status('11', 'Done', 'Done'),
  status('12', 'Closed', 'Done'),
  status('13', 'Rejected', 'Done'),
  status('14', 'Deploying', 'In Progress'),
];

/** The paths issues take when nothing comes between, as ids of statuses. */
const workflows = [
  '2 3 4 5 6 11',
  '1 4 5 11',
  '1 4 6 10 14 12',
  '1 3 4 5 6 10 11',
  '1 4 8 12',
  '2 3 4 5 14 11',
].map((path) => path.split(' '));

/** The four hundred people, each with an address at which a Slack account can be recognized. */
export const people: readonly User[] = Array.from({ length: 400 }, (_, i) => ({
  id: `5b10${(i * 7_919).toString(16).padStart(8, '0')}a2d3`,
  name: `Person ${i + 1}`,
  email: `person${i + 1}@bench.example`,
  timeZone: 'Europe/Berlin',
}));

const priorities = named(['Highest', 'High', 'Medium', 'Low', 'Lowest'], 1);
const types = named(['Bug', 'Story', 'Task', 'Epic', 'Sub-task'], 10_001);
const components = named(['Front', 'Back', 'Search', 'Billing', 'Mail', 'Jobs'], 10_101);
const sprints = named(
  Array.from({ length: 60 }, (_, i) => `Sprint ${i + 1}`),
  301,
);
/** The same sprints as lists of a tracker have them: two weeks each, the last one under way. */
export const sprintList: readonly Sprint[] = sprints.map((sprint, i) => {
  const start = worldNow - (sprints.length - i) * SPRINT_MS + 2 * millisecondsInDay;
  const end = start + SPRINT_MS;
  const isClosed = end <= worldNow;
  const state = isClosed ? 'closed' : 'active';
  return { ...sprint, state, start, end, completed: isClosed ? end : null, board: '1' };
});
const words =
  'login basket invoice slow wrong missing report crash color mail filter export token page'.split(' ');

/** Median stay in hours by status; the rest of the distribution is log-normal. */
const usualHours: Readonly<Record<string, number>> = { 2: 700, 1: 300, 3: 120, 7: 60, 8: 100 };

/** What happens to an issue, before it has values. */
interface Deed {
  readonly at: Instant;
  readonly field: string;
  readonly to: FieldValue | null;
}

/**
 * The `n`th (from 0) issue of a site of some years, the same whenever it is asked for: so a thousand issues are the
 * first thousand of a million. About 9.6 visits of statuses, 5.5 spans of assignees and 25 changes each.
 */
export function inventIssue(n: number): Issue {
  const chance = createChance(n);
  const project = projectOf(n);
  const key = keyOf(n);
  const created = workingInstant(worldNow - Math.floor((0.002 + 0.998 * chance()) * SPAN_MS), chance);
  const path = workflows[n % workflows.length] ?? ['1', '11'];
  const first: Readonly<Record<string, FieldValue | null>> = {
    status: statusValue(path[0] ?? '1'),
    assignee: chance() < 0.6 ? pick(people, chance) : null,
    priority: pick(priorities, chance),
    customfield_10020: chance() < 0.5 ? pick(sprints, chance) : null,
    components: pick(components, chance),
  };
  const moves = movesAlong(path, created, chance);
  const last = moves.at(-1)?.at ?? created;
  const deeds = [
    ...moves,
    ...besides(moves, { n, created, last }, chance),
    ...hindrances({ n, created, last }, chance),
  ].sort((a, b) => a.at - b.at);
  const held: Record<string, FieldValue | null> = { ...first };
  const changes: Change[] = [];
  for (const { at, field, to } of deeds) {
    const before = changes.at(-1);
    const isSameEntry = before?.at === at;
    changes.push({
      entry: isSameEntry ? before.entry : String(10_000_000 + n * 64 + changes.length),
      item: isSameEntry ? before.item + 1 : 0,
      at,
      field,
      from: held[field] ?? null,
      to,
      by: isSameEntry ? before.by : pick(people, chance).id,
    });
    held[field] = to;
  }
  const status = held.status ?? statusValue('1');
  const isDone = doneIds.has(status.id);
  const updated = changes.at(-1)?.at ?? created;
  const resolved = isDone ? last : null;
  const assignee = held.assignee ? { id: held.assignee.id, name: held.assignee.name } : null;
  const summary = `${pick(words, chance)} ${pick(words, chance)} ${pick(words, chance)} when ${n} ${pick(words, chance)}`;
  const projectValue = { id: project, name: `${project} project` };
  const fields: Record<string, FieldContent> = {
    summary,
    status,
    assignee,
    // As in Jira: the project is known by its key, and shown under a number.
    project: { ...projectValue, id: String(10_000 + (n % projects.length)) },
    issuetype: pick(types, chance),
    priority: held.priority ?? null,
    reporter: personValue(pick(people, chance)),
    creator: personValue(pick(people, chance)),
    created,
    updated,
    resolutiondate: resolved,
    resolution: isDone ? { id: '10000', name: 'Done' } : null,
    labels: [{ id: `label-${n % 50}`, name: `label-${n % 50}` }],
    components: held.components ? [held.components] : [],
    fixVersions: [],
    customfield_10016: Math.floor(chance() * 8) + 1,
    customfield_10020: held.customfield_10020 ? [held.customfield_10020] : [],
    parent: n % 3 === 0 ? { id: String(100_000 + (n >> 4)), name: `${project}-${(n >> 8) + 1}` } : null,
    customfield_10021: held.customfield_10021 ? [held.customfield_10021] : null,
    issuelinks: held.issuelinks ? [held.issuelinks] : [],
    duedate: null,
    security: n % 20 === 0 ? { id: '10100', name: 'Internal' } : null,
  };
  return {
    id: String(100_000 + n),
    key,
    project: projectValue,
    summary,
    created,
    updated,
    resolved,
    status,
    assignee,
    fields,
    changes,
    history: { complete: true },
    link: `https://stand-in.example/browse/${key}`,
  };
}

const doneIds = new Set(statuses.filter(({ category }) => category === 'Done').map(({ id }) => id));

function projectOf(n: number): string {
  return projects[n % projects.length] ?? 'WEB';
}

function keyOf(n: number): string {
  return `${projectOf(n)}-${Math.floor(n / projects.length) + 1}`;
}

/** Along the path, with steps back, detours and second lives, until it is over or `worldNow` has come. */
function movesAlong(path: readonly string[], created: Instant, chance: () => number): readonly Deed[] {
  const moves: Deed[] = [];
  let [place, at, here] = [0, created, path[0] ?? '1'];
  let lives = 1;
  for (;;) {
    const hours = (usualHours[here] ?? 24) * Math.exp(1.1 * normal(chance));
    at = workingInstant(at + Math.ceil(hours * 3_600) * 1_000, chance);
    if (at >= worldNow) return moves;
    const next = after(here);
    if (next === null) return moves;
    moves.push({ at, field: 'status', to: statusValue(next) });
    here = next;
  }

  function after(id: string): string | null {
    const draw = chance();
    if (doneIds.has(id)) {
      if (lives > 2 || draw > 0.2) return null;
      lives += 1;
      place = 1;
      return '9';
    }
    if (id === '7' || id === '9' || (id === '8' && !path.includes('8'))) {
      place = Math.max(1, place);
      return path[place] ?? '4';
    }
    if (draw < 0.09) return '7';
    if (draw < 0.14) return '8';
    if (draw < 0.155) return '13';
    if (draw < 0.31 && place > 1) {
      place -= 1;
      return path[place] ?? '4';
    }
    place += 1;
    return path[place] ?? '11';
  }
}

/** Assignments come with moves, or a little later; other fields whenever they like. */
function besides(
  moves: readonly Deed[],
  { n, created, last }: { readonly n: number; readonly created: Instant; readonly last: Instant },
  chance: () => number,
): readonly Deed[] {
  const deeds: Deed[] = [];
  for (const { at, to } of moves) {
    if (chance() < 0.53) {
      const later = chance() < 0.6 ? 0 : Math.floor(chance() * 4 * 60) * millisecondsInMinute;
      const person = chance() < 0.04 ? null : personValue(pick(people, chance));
      deeds.push({ at: Math.min(at + later, worldNow), field: 'assignee', to: person });
    }
    if (to !== null && doneIds.has(to.id))
      deeds.push({ at, field: 'resolution', to: { id: '10000', name: 'Done' } });
  }
  const more = 4 + Math.floor(chance() * 15);
  for (let i = 0; i < more; i += 1) {
    const field = pick(otherFields, chance);
    const at = workingInstant(created + Math.floor(chance() * (last - created + millisecondsInDay)), chance);
    deeds.push({ at: Math.min(at, worldNow), field, to: newValue(field, n, chance) });
  }
  return deeds;
}

/** The field of the flag. */
export const flagField: FieldName = { id: 'customfield_10021', name: 'Flagged', flag: true };

/** Of a hundred issues four are flagged, once or twice, and five are blocked by another one, some until it is unlinked. */
function hindrances(
  { n, created, last }: { readonly n: number; readonly created: Instant; readonly last: Instant },
  chance: () => number,
): readonly Deed[] {
  const span = last - created + millisecondsInDay;
  const later = (part: number) => Math.min(created + Math.floor(part * span), worldNow);
  const flagged = (at: number) => [
    { at: later(at), field: flagField.id, to: { id: '10019', name: 'Impediment' } },
    { at: later(at + 0.3 * chance()), field: flagField.id, to: null },
  ];
  const deeds: Deed[] = [];
  if (chance() < 0.04) deeds.push(...flagged(0.6 * chance()));
  if (deeds.length > 0 && chance() < 0.3) deeds.push(...flagged(0.9 + 0.1 * chance()));
  if (chance() < 0.05) {
    const words = `is blocked by ${keyOf(Math.floor(chance() * n))}`;
    deeds.push({ at: later(0.6 * chance()), field: 'issuelinks', to: { id: words, name: words } });
    if (chance() < 0.4) deeds.push({ at: later(0.6 + 0.4 * chance()), field: 'issuelinks', to: null });
  }
  return deeds;
}

const otherFields =
  'Rank Rank description labels priority customfield_10020 customfield_10016 summary Link duedate components'.split(
    ' ',
  );

function newValue(field: string, n: number, chance: () => number): FieldValue | null {
  switch (field) {
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

/** Of a hundred instants 88 are moved into a working day of Berlin (its winter time suffices here). */
function workingInstant(at: Instant, chance: () => number): Instant {
  if (chance() > 0.88) return at;
  const day = Math.floor(at / millisecondsInDay);
  const weekday = (day + 3) % 7;
  const moved = weekday > 4 ? day + 7 - weekday : day;
  const working =
    moved * millisecondsInDay + 8 * millisecondsInHour + Math.floor(chance() * 9 * 3_600) * 1_000;
  return working > at ? working : working + millisecondsInDay * (weekday === 4 ? 3 : weekday > 4 ? 0 : 1);
}

/** Box and Muller's transform: a number of the standard normal distribution. */
function normal(chance: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

function status(id: string, name: string, category: Status['category']): Status {
  return { id, name, category, deleted: false };
}

function statusValue(id: string): FieldValue {
  const { name } = statuses[Number(id) - 1] ?? { name: id };
  return { id, name };
}

function personValue({ id, name }: User): FieldValue {
  return { id, name };
}

function named(names: readonly string[], first: number): readonly FieldValue[] {
  return names.map((name, i) => ({ id: String(first + i), name }));
}

function pick<One>(from: readonly One[], chance: () => number): One {
  const one = from[Math.floor(chance() * from.length)];
  if (one === undefined) throw new Error('Nothing to pick from.');
  return one;
}
