import { millisecondsInDay } from 'date-fns/constants';
import type { AccessRule } from '../../model/directory.ts';
import type { FieldValue, Instant } from '../../model/issue.ts';
import {
  type Setting,
  SPRINT,
  STORY_POINTS,
  setLabels,
  setPlain,
  setValue,
  setValues,
} from './issue-fields.ts';
import { createRandom, type Random } from './random.ts';
import type { World } from './sample-world.ts';
import * as data from './seed-data.ts';
import { isoDate, isoWeekday } from './working-hours.ts';

/** An issue as it is about to be created. */
export interface IssueSeed {
  readonly project: data.ProjectKey;
  /** 1 for the project's first issue. */
  readonly number: number;
  readonly at: Instant;
  readonly reporter: string;
  readonly type: data.IssueType;
  /** Cannot wait for the next planning. */
  readonly urgent: boolean;
}

type Arrival = Omit<IssueSeed, 'number'>;

/** Every issue that is created before today, in order, numbered per project. */
export function listSeeds(world: World): IssueSeed[] {
  const arrivals: Arrival[] = [];
  for (let day = world.from; day < world.today; day += millisecondsInDay) {
    for (const project of ['WEB', 'APP', 'OPS'] as const) {
      const random = createRandom(world.seed, 'arrivals', project, day / millisecondsInDay);
      const mean = data.projects[project].perDay * season(day, world);
      for (let count = random.count(mean); count > 0; count -= 1)
        arrivals.push(...workdayArrival(project, day, world, random));
      if (project === 'OPS') arrivals.push(...incidents(isQuiet(day, world), day, random));
    }
  }
  const numbers = { WEB: 0, APP: 0, OPS: 0 };
  return arrivals
    .filter(({ at }) => at < world.today)
    .sort((a, b) => a.at - b.at)
    .map((arrival) => ({ ...arrival, number: ++numbers[arrival.project] }));
}

/** Something a person reports in their working hours; nothing when nobody who was asked works that day. */
function workdayArrival(project: data.ProjectKey, day: Instant, world: World, random: Random): Arrival[] {
  const [first, ...rest] = data.teamOf(project, 'lead', 'maker', 'tester');
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const anybody = first === undefined || random.chance(0.3);
    const { id: reporter } = random.pick(anybody ? data.people : [first, ...rest]);
    const clock = world.attendance.clock(reporter);
    const hours = clock.between(day, day + millisecondsInDay);
    if (hours === 0) continue;
    const at = Math.round(clock.after(day, random.next() * hours));
    const type = random.weigh(data.projects[project].types);
    return [
      { project, at, reporter, type, urgent: project !== 'OPS' && type === 'Bug' && random.chance(0.14) },
    ];
  }
  return [];
}

/** What monitoring reports: now and then, and always on quiet days, when jobs run that nobody watches. */
function incidents(quiet: boolean, day: Instant, random: Random): Arrival[] {
  const count = quiet ? 1 + random.count(0.1) : random.count(0.14);
  return Array.from({ length: count }, () => ({
    project: 'OPS',
    at: day + random.whole(5, 19 * 60) * 60_000 + random.whole(0, 59_999),
    reporter: data.automation.id,
    type: 'Incident',
    urgent: true,
  }));
}

/** Busier over time, quieter in August, nearly silent over the turn of the year. */
function season(day: Instant, world: World): number {
  const growth = 0.88 + (0.26 * (day - world.from)) / (590 * millisecondsInDay);
  if (isTurnOfYear(day)) return 0.3 * growth;
  return new Date(day).getUTCMonth() === 7 ? 0.8 * growth : growth;
}

function isQuiet(day: Instant, { offices }: World): boolean {
  const today = isoDate(day);
  const holiday = Object.values(offices).some(({ holidays }) => holidays.some(({ date }) => date === today));
  return holiday || isoWeekday(day) > 5 || isTurnOfYear(day);
}

function isTurnOfYear(day: Instant): boolean {
  const date = isoDate(day).slice(5);
  return date >= '12-22' || date <= '01-03';
}

/** What an issue is about, apart from its way through the workflow. */
export interface Nature {
  readonly summary: string;
  /** How it was first called; null when the reporter found the right words at once. */
  readonly vague: string | null;
  readonly labels: readonly string[];
  /** `YYYY-MM-DD`. */
  readonly due: string | null;
  /** The fields with which the issue is created, status and assignee left out. */
  readonly settings: readonly Setting[];
}

const highest: FieldValue = { id: '1', name: 'Highest' };

/** Draws what an issue is about; `used` holds the summaries there are already, and gets this one. */
export function drawNature(seed: IssueSeed, used: Set<string>, { seed: worldSeed }: World): Nature {
  const { project, type, number } = seed;
  const random = createRandom(worldSeed, 'nature', project, number);
  const grids = data.phrases[project][type] ?? data.phrases[project].Task;
  let words: string[] = [];
  // A repetition only when words run out.
  for (let attempt = 0; attempt < 8 && (attempt === 0 || used.has(words.join(' '))); attempt += 1)
    words = random
      .pick(grids)
      .map((column) => random.pick(column))
      .filter((phrase) => phrase !== '');
  const summary = words.join(' ');
  used.add(summary);
  const vague = type === 'Bug' && random.chance(0.16) ? `${words[0]} broken` : null;
  const priority = seed.urgent ? highest : random.weigh(byImportance);
  const count = random.weigh([
    [0, 50],
    [1, 38],
    [2, 12],
  ]);
  const labels = [
    ...new Set(Array.from({ length: count }, () => random.pick(data.projects[project].labels))),
  ];
  const component = random.pick(data.projects[project].components);
  const dated = random.chance(type === 'Service Request' ? 0.35 : 0.08);
  const date = isoDate(seed.at + random.whole(4, 30) * millisecondsInDay);
  const due = dated ? date : null;
  const settings = [
    setPlain('summary', vague ?? summary),
    setValue('reporter', data.personValue(seed.reporter)),
    setValue('issuetype', { id: data.issueTypes[type], name: type }),
    setValue('priority', priority),
    setLabels(labels),
    setValues('components', [component]),
    setValues('fixVersions', []),
    setValue('resolution', null),
    setPlain('duedate', due),
    setValues(SPRINT, []),
    setPlain(STORY_POINTS, null),
    ...confidentialSettings(seed, createRandom(worldSeed, 'level', project, number)),
  ];
  return { summary, vague, labels, due, settings };
}

const [usual, ...others] = data.priorities.map(({ id, name, weight }) => [{ id, name }, weight] as const);
const byImportance = [usual ?? ([highest, 1] as const), ...others] as const;

const confidential: FieldValue = { id: '10700', name: 'Confidential' };

/** Only the service desk's own people see what is confidential. */
export const confidentialRule: AccessRule = {
  kind: 'level',
  id: confidential.id,
  viewers: [data.groupOf('OPS').id],
};

/** The security level with which a few service requests are created; no field at all on others. */
function confidentialSettings({ type }: IssueSeed, random: Random): Setting[] {
  return type === 'Service Request' && random.chance(0.03) ? [setValue('security', confidential)] : [];
}
