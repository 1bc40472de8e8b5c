import { millisecondsInMinute } from 'date-fns/constants';
import { seeded } from './seeded.ts';
import {
  cast,
  components,
  issueTypes,
  type JiraMode,
  labels,
  levels,
  type ProjectOfCast,
  priorities,
  projects,
  sprints,
  versions,
} from './stand-in-jira-cast.ts';
import { mixed } from './stand-in-jira-chance.ts';
import {
  assignTo,
  labelled,
  moveTo,
  planned,
  pointed,
  prioritised,
  renamed,
  toggled,
} from './stand-in-jira-changes.ts';

/** One field that an entry of a changelog tells of. Ids of people are indexes of the cast. */
export interface ChangedField {
  readonly field: string;
  readonly fieldId: string;
  readonly from: string | null;
  readonly fromText: string | null;
  readonly to: string | null;
  readonly toText: string | null;
}

/** An entry of a changelog; `author` is an index of the cast. */
export interface ChangeEntry {
  readonly id: string;
  readonly at: number;
  readonly author: number;
  readonly items: readonly ChangedField[];
}

/** What an issue is at the end of its changelog. People are indexes of the cast. */
export interface IssueNow {
  id: string;
  key: string;
  project: ProjectOfCast;
  created: number;
  updated: number;
  /** Minutes ahead of UTC in which its instants are spelled. */
  readonly zone: number;
  summary: string;
  readonly type: number;
  priority: number;
  status: string;
  readonly reporter: number;
  assignee: number | null;
  labels: string[];
  components: number[];
  versions: number[];
  sprints: number[];
  points: number | null;
  /** Index of a security level. */
  level: number | null;
  resolved: number | null;
  /** Fields as they are answered beside, or in place of, those made from the rest. */
  told?: Readonly<Record<string, unknown>>;
  /** Oldest first. */
  entries: ChangeEntry[];
}

/** What all issues of a world have in common. */
export interface Era {
  readonly seed: number;
  readonly issues: number;
  readonly longest: number;
  /** When the first issue was created and when the last change of a generated issue can have been, epoch ms. */
  readonly from: number;
  readonly until: number;
}
const zones = [0, 60, 330];

/** Minutes ahead of UTC in which an issue's instants are spelled. */
export const zoneOf = (number: number) => zones[number % zones.length] ?? 0;

/** The lengths at which Jira cuts, by the place in each 200 issues. */
const exactly: ReadonlyMap<number, number | 'longest'> = new Map<number, number | 'longest'>([
  [3, 0],
  [5, 1],
  [8, 39],
  [9, 40],
  [11, 41],
  [13, 100],
  [14, 101],
  [17, 'longest'],
]);

/** Ids follow the order of creation, but not exactly. */
export const idOfNumber = (number: number) => 20_000 + (number ^ 5);
export const numberOfId = (id: number) => (id - 20_000) ^ 5;

/** Instants, project and level of an issue: all a search needs to know, in a few operations. */
export function outline(era: Era, number: number) {
  const chance = mixed(era.seed, number);
  const created = createdAt(era, number, chance);
  const count = entriesOf(era, number, chance);
  const room = Math.max(0, era.until - created);
  const portion = ((chance >>> 8) & 0xffff) / 0x1_0000;
  const last =
    count === 0 ? created : created + Math.floor(room * (0.02 + 0.98 * portion * portion * portion));
  // Some were edited later without leaving an entry.
  const edited = number % 5 === 0 ? Math.floor((era.until - last) / 50) : number % 7;
  return {
    created,
    count,
    last,
    updated: Math.max(last, Math.min(last + edited, era.until)),
    project: projectOf(chance),
    level: levelOf(chance),
  };
}

function createdAt({ from, until, issues }: Era, number: number, chance: number): number {
  const step = (until - from) / (issues + 1);
  // Imports leave many issues in one minute.
  const imported = Math.min(150, Math.floor(issues / 4));
  const first = Math.floor(issues / 3);
  if (number >= first && number < first + imported) {
    const minute = Math.ceil((from + first * step) / millisecondsInMinute) * millisecondsInMinute;
    return Math.floor(minute + (number - first) * Math.min(350, step * 0.9));
  }
  return Math.floor(from + (number + 0.8 * ((chance & 0xff) / 256)) * step);
}

function entriesOf({ longest }: Era, number: number, chance: number): number {
  const told = exactly.get(number % 200);
  if (told !== undefined) return Math.min(longest, told === 'longest' ? longest : told);
  const usual = 8 + ((chance >>> 5) % 18);
  return Math.min(longest, chance % 11 === 0 ? usual * 3 : chance % 7 === 0 ? usual >> 2 : usual);
}

function projectOf(chance: number): ProjectOfCast {
  let left = (chance >>> 3) % 100;
  for (const project of projects) {
    left -= project.share;
    if (left < 0) return project;
  }
  return projects[0];
}

function levelOf(chance: number): number | null {
  return chance % 29 === 0 ? (chance >>> 4) % levels.length : null;
}

/** The issue of this number with all that ever happened to it, made from nothing but its number. */
export function generateIssue(era: Era, number: number, mode: JiraMode): IssueNow {
  const { created, count, last, updated, project, level } = outline(era, number);
  const next = seeded(mixed(era.seed + 1, number));
  const whole = (below: number) => Math.floor(next() * below);
  const people = cast.length - 1;
  const now: IssueNow = {
    id: String(idOfNumber(number)),
    key: `${project.key}-${number + 1}`,
    project,
    created,
    updated,
    zone: zoneOf(number),
    summary: `${pick(subjects, whole)} ${pick(troubles, whole)} (${number + 1})`,
    type: whole(issueTypes.length),
    priority: whole(priorities.length),
    status: project.workflow[0] ?? '1',
    reporter: whole(people),
    assignee: next() < 0.3 ? whole(people) : null,
    labels: next() < 0.2 ? [pick(labels, whole)] : [],
    components: next() < 0.2 ? [whole(components.length)] : [],
    versions: [],
    sprints: [],
    points: null,
    level,
    resolved: null,
    entries: [],
  };
  const span = last - created;
  for (let place = 0; place < count; place += 1) {
    const within = place === count - 1 ? 1 : (place + 0.2 + 0.8 * next()) / count;
    const at = created + Math.floor(span * within);
    const items = deed(now, at, next, whole, mode);
    const author = next() < 0.08 ? people : whole(people);
    now.entries.push({ id: entryId(number, place), at, author, items });
  }
  return now;
}

/** Unique, and within an issue in the order of time. */
export const entryId = (number: number, place: number) => String((number + 1) * 10_000 + place);

function deed(
  now: IssueNow,
  at: number,
  next: () => number,
  whole: (below: number) => number,
  mode: JiraMode,
): ChangedField[] {
  const chance = next();
  if (chance < 0.5) return moveTo(now, stepFrom(now, next), at);
  if (chance < 0.66) return assignTo(now, next() < 0.2 ? null : whole(cast.length - 1), mode);
  if (chance < 0.75) return labelled(now, pick(labels, whole));
  if (chance < 0.83) return planned(now, whole(sprints.length));
  if (chance < 0.88) return pointed(now, whole(8) + 1);
  if (chance < 0.93) return prioritised(now, whole(priorities.length));
  if (chance < 0.96) return toggled(now, 'versions', whole(versions.length));
  if (chance < 0.98) return toggled(now, 'components', whole(components.length));
  return renamed(now, `${pick(subjects, whole)} ${pick(troubles, whole)} (again)`);
}

/** Mostly onwards, now and then back, and from the end back into work. */
function stepFrom({ project: { workflow }, status }: IssueNow, next: () => number): string {
  const place = workflow.indexOf(status);
  const back = place > 0 && (place === workflow.length - 1 || next() < 0.3);
  const step = back
    ? Math.max(0, place - 1 - Math.floor(next() * 2))
    : Math.min(place + 1, workflow.length - 1);
  return workflow[step] ?? status;
}

const subjects = [
  'Ledger',
  'Importer',
  'Search page',
  'Invoice mail',
  'Nightly job',
  'Checkout',
  'Audit log',
];
const troubles = [
  'forgets its place',
  'needs a second look',
  'shows yesterday',
  'grows too slowly',
  'asks twice',
];

function pick(list: readonly string[], whole: (below: number) => number): string {
  return list[whole(list.length)] ?? '';
}
