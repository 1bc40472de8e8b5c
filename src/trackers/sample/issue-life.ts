import {
  millisecondsInDay,
  millisecondsInHour,
  millisecondsInMinute,
  millisecondsInWeek,
} from 'date-fns/constants';
import type { FieldContent, FieldValue, Instant } from '../../model/issue.ts';
import { isoDay } from '../../time/iso-dates.ts';
import { weekdayOf } from '../../time/wall-clock.ts';
import { createRandom, type Random } from './random.ts';
import { teamOf, type World } from './sample-world.ts';
import { company, type ProjectKey, phrases, type Step, workflows } from './seed-data.ts';

/** How long the company has changed its pace. */
const CHANGING = 590 * millisecondsInDay;
/** Absences shorter than this (days) are simply waited for. */
const WORTH_COVERING = 4;
/** After so many sprints nobody carries an issue into yet another one. */
const PATIENCE = 6;

const SPRINT = 'customfield_10020';
const STORY_POINTS = 'customfield_10016';

/** New content by field, in the order in which a change names them. */
type Contents = Readonly<Record<string, FieldContent>>;

/** What one person did at one instant: a changelog entry in the making. */
export interface Edit {
  readonly at: Instant;
  readonly by: string;
  readonly contents: Contents;
}

/** An issue as it is about to be created; `number` is 1 for the project's first. */
interface IssueSeed {
  readonly project: ProjectKey;
  readonly number: number;
  readonly at: Instant;
  readonly reporter: string;
  readonly type: FieldValue;
  /** Cannot wait for the next planning. */
  readonly urgent: boolean;
}

/** All that is needed to write an issue down: its fields at creation, and its edits in order of time. */
export interface Draft extends IssueSeed {
  readonly first: Contents;
  readonly edits: readonly Edit[];
}

/** What the strands of an issue's life look at. */
interface Life {
  readonly seed: IssueSeed;
  readonly world: World;
  readonly visits: readonly { readonly category: Step['category']; readonly from: Instant }[];
  /** When it was planned; null while it still waits for that. */
  readonly planned: Instant | null;
}

/** What an issue is about; `vague` is how it was first called, null when the right words were found at once. */
type Nature = ReturnType<typeof drawNature>;

/**
 * All that happens to issues before today. Each strand of a life has its own chance: how long one has become by today
 * must not show in another. What is drawn never depends on today.
 */
export function simulateIssues(world: World): Draft[] {
  const used = new Set<string>();
  return listSeeds(world).map((seed) => {
    const chance = (strand: string) => createRandom(world.seed, strand, seed.project, seed.number);
    const nature = drawNature(seed, used, chance('nature'), chance('level'));
    const { first, edits: own, ...life } = followWorkflow(seed, world, chance('story'));
    const edits = [
      ...own,
      ...sprintEdits(life, chance('sprints')),
      ...estimateEdits(life, chance('estimates')),
      ...triageEdits(life, nature, chance('triage')),
    ];
    return {
      ...seed,
      first: { ...first, ...nature.contents },
      edits: edits.filter(({ at }) => at < world.today).sort((a, b) => a.at - b.at),
    };
  });
}

/** Every issue that is created before today, in order, numbered per project. */
function listSeeds(world: World): IssueSeed[] {
  const arrivals: Omit<IssueSeed, 'number'>[] = [];
  for (let day = world.from; day < world.today; day += millisecondsInDay) {
    for (const project of ['WEB', 'APP', 'OPS'] as const) {
      const random = createRandom(world.seed, 'arrivals', project, day / millisecondsInDay);
      const mean = company.projects[project].perDay * season(day, world);
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
function workdayArrival(project: ProjectKey, day: Instant, { attendance }: World, random: Random) {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const asked = random.chance(0.3) ? company.people.map(({ id }) => id) : teamOf(project);
    const reporter = random.pick(asked);
    const clock = attendance.clock(reporter);
    const hours = clock.between(day, day + millisecondsInDay);
    if (hours === 0) continue;
    const at = Math.round(clock.after(day, random.next() * hours));
    const type = random.weigh(company.projects[project].types);
    const urgent = project !== 'OPS' && type.name === 'Bug' && random.chance(0.14);
    return [{ project, at, reporter, type, urgent }];
  }
  return [];
}

/** What monitoring reports: now and then, and always on quiet days, when jobs run that nobody watches. */
function incidents(quiet: boolean, day: Instant, random: Random) {
  const count = quiet ? 1 + random.count(0.1) : random.count(0.14);
  return Array.from({ length: count }, () => ({
    project: 'OPS' as const,
    at: day + random.whole(5, 19 * 60) * millisecondsInMinute + random.whole(0, 59_999),
    reporter: 'automation',
    type: company.incident,
    urgent: true,
  }));
}

/** Busier over time, quieter in August, nearly silent over the turn of the year. */
function season(day: Instant, world: World): number {
  const growth = 0.88 + (0.26 * (day - world.from)) / CHANGING;
  if (isTurnOfYear(day)) return 0.3 * growth;
  return new Date(day).getUTCMonth() === 7 ? 0.8 * growth : growth;
}

function isQuiet(day: Instant, { offices }: World): boolean {
  const today = isoDay(day);
  const holiday = Object.values(offices).some(({ holidays }) => holidays.some(({ date }) => date === today));
  return holiday || weekdayOf(day) > 4 || isTurnOfYear(day);
}

function isTurnOfYear(day: Instant): boolean {
  const date = isoDay(day).slice(5);
  return date >= '12-22' || date <= '01-03';
}

/** Draws what an issue is about; `used` holds the summaries there are already, and gets this one. */
function drawNature(
  { project, type, at, reporter, urgent }: IssueSeed,
  used: Set<string>,
  random: Random,
  level: Random,
) {
  const grids = phrases[project][type.name] ?? phrases[project].Task;
  let words: string[] = [];
  // A repetition only when words run out.
  for (let attempt = 0; attempt < 8 && (attempt === 0 || used.has(words.join(' '))); attempt += 1)
    words = random
      .pick(grids)
      .map((column) => random.pick(column))
      .filter((phrase) => phrase !== '');
  const summary = words.join(' ');
  used.add(summary);
  const vague = type.name === 'Bug' && random.chance(0.16) ? `${words[0]} broken` : null;
  const priority = urgent ? company.priorities.urgent : random.weigh(company.priorities.first);
  const count = random.weigh(company.labelCounts);
  const { labels: known, components } = company.projects[project];
  const labels = [...new Set(Array.from({ length: count }, () => random.pick(known)))];
  const component = random.pick(components);
  const isRequest = type.name === 'Service Request';
  const dated = random.chance(isRequest ? 0.35 : 0.08);
  const due = dated ? isoDay(at + random.whole(4, 30) * millisecondsInDay) : null;
  const contents = {
    summary: vague ?? summary,
    reporter: personValue(reporter),
    issuetype: type,
    priority,
    labels,
    components: [component],
    fixVersions: [],
    resolution: null,
    duedate: due,
    [SPRINT]: [],
    [STORY_POINTS]: null,
    ...(isRequest && level.chance(0.03) ? { security: company.confidential } : {}),
  };
  return { summary, vague, labels, due, contents };
}

/** Walks the workflow from creation on; today only ends the walk. */
function followWorkflow(
  seed: IssueSeed,
  world: World,
  random: Random,
): Life & Pick<Draft, 'first' | 'edits'> {
  const { project, reporter, urgent } = seed;
  const { today, attendance, analysisGone } = world;
  const workflow = workflows[project];
  const stepOf = (name: string): Step => {
    const found = workflow.steps[name];
    if (found === undefined) throw new Error(`Workflow has no step "${name}"`);
    return found;
  };
  const draw = (spread: Step['work']) => (spread === undefined ? 0 : random.logNormal(spread));
  const choose = (list: readonly string[], at: Instant) => random.pick(attendance.present(list, at));
  /** Who plays a role at an instant; people who are away are passed over where there is a choice. */
  const actorOf = (role: Step['by'], at: Instant, maker: string | null): string => {
    if (role === 'maker') return maker ?? choose(teamOf(project, 'maker'), at);
    if (role === 'tester') return choose(teamOf(project, 'tester'), at);
    if (role === 'lead') return attendance.leadOf(project, at);
    if (role === 'on call') return attendance.onCall(at);
    if (role !== 'reviewer') return role === 'reporter' ? reporter : 'automation';
    const reviewers = teamOf(project, 'maker', 'lead').filter((id) => id !== maker);
    return choose(reviewers, at);
  };

  let step = stepOf(urgent ? workflow.urgentStart : random.weigh(workflow.starts));
  const isOwned = random.chance(step.takes ?? (urgent ? 0 : 0.1));
  const own = teamOf(project, 'maker').includes(reporter) ? reporter : null;
  let maker = isOwned ? actorOf('maker', seed.at, own) : null;
  // What is put off stays with the lead until somebody builds it.
  const isPutOff = step.by === 'lead' && step.category === 'To Do';
  let assignee = isOwned && isPutOff ? actorOf('lead', seed.at, null) : maker;
  let since = seed.at;
  const first = { status: step.status, ...assign(assignee) };
  const edits: Edit[] = [];
  const visits: Life['visits'][number][] = [];
  let planned: Instant | null = null;

  for (;;) {
    visits.push({ category: step.category, from: since });
    if (step.category !== 'To Do') planned ??= since;
    if (step.next === undefined) break;
    let earliest = since;
    const pace = paceOf(project, since, world);
    // Some issues are handed out by the lead while they still wait.
    const waits = step.category === 'To Do' && step.by === 'maker' && assignee === null && !urgent;
    if (waits && random.chance(0.15)) {
      const by = attendance.leadOf(project, since);
      const work = random.logNormal({ median: 6 * millisecondsInHour, sigma: 0.9 });
      earliest = Math.round(attendance.clock(by).after(since, work));
      maker = actorOf('maker', earliest, null);
      assignee = maker;
      edits.push({ at: earliest, by, contents: assign(assignee) });
    }
    const ready = passGate(step.gate, Math.max(since + draw(step.rest) * pace, earliest), world);
    const work = draw(step.work) * pace;
    if (step.gate === 'sprint' && ready < today) planned ??= ready;
    if (ready >= today) break;

    const tester = step.by === 'tester' && assignee !== maker ? assignee : null;
    const actor = tester ?? actorOf(step.by, ready, maker);
    const left = endStay({ step, actor, assignee, ready, work }, world, random);
    edits.push(...left.edits);
    if (left.at >= today) break;
    earliest = left.edits.at(-1)?.at ?? earliest;
    if (step.by === 'maker') maker = left.actor;

    const drawn = stepOf(random.weigh(step.next));
    const replaced = left.at >= analysisGone ? (step.replacedBy ?? drawn.replacedBy) : undefined;
    const next = replaced === undefined ? drawn : stepOf(replaced);
    let contents = outcome(step, next, seed, left.at, world, random);
    let owner = next.frees ? null : left.assignee;
    if (!next.frees && random.chance(next.takes ?? 0))
      owner = actorOf(next.by === 'automation' ? 'maker' : next.by, left.at, maker);
    if (owner !== left.assignee) {
      const at = Math.max(left.at - random.whole(0, 9) * millisecondsInMinute, earliest);
      if (random.chance(0.55)) contents = { ...contents, ...assign(owner) };
      else edits.push({ at, by: left.by, contents: assign(owner) });
    }
    edits.push({ at: left.at, by: left.by, contents: { ...contents, status: next.status } });
    const builds = next.by === 'maker' || next.by === 'on call';
    maker = next.frees ? null : ((builds ? owner : null) ?? maker);
    [step, since, assignee] = [next, left.at, owner];
  }
  return { seed, world, first, edits, visits, planned };
}

/** How long work takes compared with the usual: the web team gets faster, the service desk a little slower. */
function paceOf(project: ProjectKey, at: Instant, { from }: World): number {
  const { first, change } = company.projects[project].pace;
  return first + change * Math.min(1, (at - from) / CHANGING);
}

/** The first appointment of this kind at or after an instant; without a gate the instant itself. */
function passGate(gate: Step['gate'], at: Instant, { sprints }: World): Instant {
  if (gate === undefined) return at;
  if (gate === 'sprint') return sprints.find(({ start }) => start >= at)?.start ?? Infinity;
  // Releases are on Thursdays, as the first day of the epoch was.
  const [every, hour] = gate === 'release' ? [millisecondsInWeek, 13] : [millisecondsInDay, 1.7];
  const offset = hour * millisecondsInHour;
  return Math.ceil((at - offset) / every) * every + offset;
}

/** Who ends a stay, and when. */
interface Leaving {
  readonly at: Instant;
  readonly by: string;
  /** Who worked on it at the end; somebody else than before if it was taken over. */
  readonly actor: string;
  readonly assignee: string | null;
  readonly edits: readonly Edit[];
}

/** Lives through a stay: the actor works in their own hours, and is covered or waited for while away. */
function endStay(
  stay: { step: Step; actor: string; assignee: string | null; ready: Instant; work: number },
  { attendance, analysisGone }: World,
  random: Random,
): Leaving {
  const { step, actor, assignee, ready, work } = stay;
  if (['on call', 'reporter', 'automation'].includes(step.by)) {
    const at = Math.round(ready + work);
    const by = attendance.standIn(actor, at);
    return { at, by, actor: by, assignee, edits: [] };
  }
  const clock = attendance.clock(actor);
  const at = Math.round(clock.after(ready, work));
  let leaving: Leaving = { at, by: actor, actor, assignee, edits: [] };
  const isOwn = assignee === actor;
  const absence = isOwn
    ? attendance.longAbsence(actor, { start: ready, end: at }, WORTH_COVERING)
    : undefined;
  if (absence !== undefined && !random.chance(0.5)) {
    const evening = clock.lastEnd(absence.start) - random.whole(240, 4_800) * 1_000;
    if (evening > ready) {
      const cover = attendance.standIn(actor, absence.start);
      const done = Math.round(attendance.clock(cover).after(evening, work - clock.between(ready, evening)));
      const handover = { at: evening, by: actor, contents: assign(cover) };
      leaving = { at: done, by: cover, actor: cover, assignee: cover, edits: [handover] };
    }
  }
  // Whatever is still in a status when the status is given up leaves it that morning.
  if (step.replacedBy === undefined || leaving.at <= analysisGone) return leaving;
  const isTakenOver = leaving.edits.some((edit) => edit.at < analysisGone);
  const kept = isTakenOver ? leaving : { actor, assignee, edits: [] };
  return { ...kept, at: analysisGone, by: 'automation' };
}

/** What else is set when an issue goes from one step to another: its resolution, the version that ships it. */
function outcome(from: Step, to: Step, seed: IssueSeed, at: Instant, world: World, random: Random): Contents {
  const wasDone = from.category === 'Done';
  if (wasDone === (to.category === 'Done')) return {};
  if (wasDone) return { resolution: null };
  const drawn = random.weigh(to.resolutions ?? []);
  const isReproducible = seed.type.name === 'Bug' || seed.type.name === 'Incident';
  const resolution = drawn.name === 'Cannot Reproduce' && !isReproducible ? company.wontDo : drawn;
  const { versions } = company.projects[seed.project];
  if (resolution.name !== 'Done' || versions === null || !random.chance(0.6)) return { resolution };
  const version = Math.floor((at - world.from) / (versions.weeks * millisecondsInWeek));
  const id = String(versions.firstId + version);
  return { resolution, fixVersions: [{ id, name: `${versions.name}${version}` }] };
}

/** The sprints an issue went through: the one that took it, and each next one while it was not finished. */
function sprintEdits(life: Life, random: Random): Edit[] {
  const { seed, world, planned } = life;
  if (seed.project !== 'WEB' || planned === null) return [];
  const edits: Edit[] = [];
  const taken: FieldValue[] = [];
  let from = planned;
  for (const sprint of world.sprints.filter(({ end }) => planned < end).slice(0, PATIENCE)) {
    if (sprint.start >= world.today || isDone(life, from)) break;
    taken.push(sprint.value);
    edits.push(byLead(life, from, random.whole(2, 50) * millisecondsInMinute, { [SPRINT]: [...taken] }));
    from = sprint.end;
  }
  return edits;
}

/** Stories are estimated some days after they were written, and some are estimated again once begun. */
function estimateEdits(life: Life, random: Random): Edit[] {
  const { seed, planned } = life;
  if (seed.project === 'OPS' || seed.type.name === 'Bug' || random.chance(0.2)) return [];
  const [points, again] = [random.weigh(company.points.first), random.weigh(company.points.later)];
  const soon = random.logNormal({ median: 9 * millisecondsInHour, sigma: 0.8 });
  const first = byLead(life, seed.at, soon, { [STORY_POINTS]: points });
  const late = random.logNormal({ median: 10 * millisecondsInHour, sigma: 0.6 });
  const isRevised = random.chance(0.1) && planned !== null;
  const from = Math.max(planned ?? 0, first.at);
  const second = isRevised ? [byLead(life, from, late, { [STORY_POINTS]: again })] : [];
  return [first, ...second].filter(({ at }) => !isDone(life, at));
}

/** What the lead puts straight while an issue is not done: summary, priority, labels, due date. */
function triageEdits(life: Life, { vague, summary, labels, due }: Nature, random: Random): Edit[] {
  const { at, project } = life.seed;
  const edits: Edit[] = [];
  const plan = (likely: number, hours: number, contents: () => Contents) => {
    const isWanted = random.chance(likely);
    const work = random.logNormal({ median: hours * millisecondsInHour, sigma: 0.9 });
    const edit = byLead(life, at, work, contents());
    if (isWanted && !isDone(life, edit.at)) edits.push(edit);
  };
  const later = (days: number) => due && isoDay(Date.parse(due) + days * millisecondsInDay);
  plan(vague === null ? 0 : 1, 3, () => ({ summary }));
  plan(0.12, 9, () => ({ priority: random.pick(company.priorities.later) }));
  plan(0.16, 12, () => ({
    labels: [...new Set([...labels, random.pick(company.projects[project].labels)])],
  }));
  plan(due === null ? 0 : 0.3, 14, () => ({ duedate: later(random.whole(3, 14)) }));
  return edits;
}

function byLead({ seed, world }: Life, from: Instant, work: number, contents: Contents): Edit {
  const by = world.attendance.leadOf(seed.project, from);
  return { at: Math.round(world.attendance.clock(by).after(from, work)), by, contents };
}

/** Whether the issue is in a status of category Done at an instant. */
function isDone({ visits }: Life, at: Instant): boolean {
  return visits.findLast((visit) => visit.from <= at)?.category === 'Done';
}

function assign(who: string | null): Contents {
  return { assignee: who === null ? null : personValue(who) };
}

const values = new Map(company.users.map(({ id, name }) => [id, { id, name }]));

/** The person as content of a field. */
function personValue(id: string): FieldValue {
  return values.get(id) ?? { id, name: id };
}
