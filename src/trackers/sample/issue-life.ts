import {
  millisecondsInDay,
  millisecondsInHour,
  millisecondsInMinute,
  millisecondsInWeek,
} from 'date-fns/constants';
import type { FieldContent, FieldValue, Instant, StatusCategory } from '../../model/issue.ts';
import { isoDay } from '../../time/date-text.ts';
import { weekdayOf } from '../../time/wall-clock.ts';
import { company, type ProjectKey, projectKeys, resolutions } from './company.ts';
import { phrases } from './phrases.ts';
import { createRandom, type Random } from './random.ts';
import type { World } from './sample-world.ts';
import { type Step, workflows } from './workflows.ts';

/** The time for which the company has changed its pace. */
const CHANGING = 590 * millisecondsInDay;
const SPRINT = 'customfield_10020';
const STORY_POINTS = 'customfield_10016';

/** New content by field, in the order in which a change names them. */
type Contents = Readonly<Record<string, FieldContent>>;

/** The changes of one person at one instant: a changelog entry in the making. */
export interface Edit {
  readonly at: Instant;
  readonly by: string;
  readonly contents: Contents;
}

/** An issue as it is about to be created; `number` is 1 for the project's first, what is urgent skips planning. */
interface IssueSeed {
  readonly project: ProjectKey;
  readonly number: number;
  readonly at: Instant;
  readonly reporter: string;
  readonly type: FieldValue;
  readonly urgent: boolean;
}

/** All that is needed to write an issue down: its `first` fields, and its edits in order of time. */
export type Draft = ReturnType<typeof simulateIssues>[number];

/**
 * All that happens to issues before today. Each strand of a life has its own chance: how long one has become by today
 * must not show in another. What is drawn never depends on today.
 */
export function simulateIssues(world: World) {
  const used = new Set<string>();
  return listSeeds(world).map((seed) => {
    const chance = (strand: string) => createRandom(world.seed, strand, seed.project, seed.number);
    const nature = drawNature(seed, used, chance);
    const story = followWorkflow(seed, world, chance('story'));
    const edits = [...story.edits, ...leadEdits(seed, world, { ...story, ...nature }, chance)];
    return {
      ...seed,
      first: { ...story.first, ...nature.contents } satisfies Contents,
      edits: edits.filter(({ at }) => at < world.today).sort((a, b) => a.at - b.at),
    };
  });
}

/** Every issue that is created before today, in order, numbered per project. */
function listSeeds({ seed, from, today, offices, attendance }: World): IssueSeed[] {
  const arrivals: Omit<IssueSeed, 'number'>[] = [];
  const holidays = new Set(Object.values(offices).flatMap((one) => one.holidays.map(({ date }) => date)));
  for (let day = from; day < today; day += millisecondsInDay) {
    const date = isoDay(day).slice('2026-'.length);
    const isTurnOfYear = date >= '12-22' || date <= '01-03';
    const isQuiet = isTurnOfYear || weekdayOf(day) > 4 || holidays.has(isoDay(day));
    const growth = 0.88 + (0.26 * (day - from)) / CHANGING;
    const season = (isTurnOfYear ? 0.3 : date.startsWith('08') ? 0.8 : 1) * growth;
    for (const project of projectKeys) {
      const random = createRandom(seed, 'arrivals', project, day / millisecondsInDay);
      for (let count = random.count(company.projects[project].perDay * season); count > 0; count -= 1)
        arrivals.push(...workdayArrival(project, day, attendance, random));
      if (project !== 'OPS') continue;
      // Reports of monitoring: now and then, and always on quiet days, when jobs run unattended.
      for (let count = isQuiet ? 1 + random.count(0.1) : random.count(0.14); count > 0; count -= 1) {
        const at = day + random.whole(5, 19 * 60) * millisecondsInMinute + random.whole(0, 59_999);
        arrivals.push({ project, at, reporter: 'automation', type: company.incident, urgent: true });
      }
    }
  }
  const numbers = { WEB: 0, APP: 0, OPS: 0 };
  const created = arrivals.filter(({ at }) => at < today).sort((a, b) => a.at - b.at);
  return created.map((arrival) => ({ ...arrival, number: ++numbers[arrival.project] }));
}

/** An issue that a person reports in their working hours; none where no candidate works that day. */
function workdayArrival(project: ProjectKey, day: Instant, attendance: World['attendance'], random: Random) {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const reporter = random.pick(
      random.chance(0.3) ? company.people.map(({ id }) => id) : company.projects[project].team.all,
    );
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

/** Draws what an issue is about; `used` holds the summaries there are already, and gets this one. */
function drawNature(seed: IssueSeed, used: Set<string>, chance: (strand: string) => Random) {
  const { project, type } = seed;
  const random = chance('nature');
  const grids = phrases[project][type.name] ?? phrases[project].Task ?? [];
  let words: string[] = [];
  // A repetition only when words run out.
  for (let attempt = 0; attempt < 8 && (attempt === 0 || used.has(words.join(' '))); attempt += 1) {
    const drawn = random.pick(grids).map((column) => random.pick(column));
    words = drawn.filter((phrase) => phrase !== '');
  }
  const summary = words.join(' ');
  used.add(summary);
  // The summary until it is reworded.
  const vague = type.name === 'Bug' && random.chance(0.16) ? `${words[0]} broken` : null;
  const priority = seed.urgent ? company.priorities.urgent : random.weigh(company.priorities.first);
  const count = random.weigh(company.labelCounts);
  const { labels: known, components: parts } = company.projects[project];
  const labels = [...new Set(Array.from({ length: count }, () => random.pick(known)))];
  const components = [random.pick(parts)];
  const isRequest = type.name === 'Service Request';
  const isDated = random.chance(isRequest ? 0.35 : 0.08);
  const due = isDated ? isoDay(seed.at + random.whole(4, 30) * millisecondsInDay) : null;
  const isConfidential = isRequest && chance('level').chance(0.03);
  const contents = {
    summary: vague ?? summary,
    reporter: personValue(seed.reporter),
    issuetype: type,
    priority,
    labels,
    components,
    fixVersions: [],
    resolution: null,
    duedate: due,
    [SPRINT]: [],
    [STORY_POINTS]: null,
    ...(isConfidential ? { security: company.confidential } : {}),
  };
  return { summary, vague, labels, due, contents };
}

/** Walks the workflow from creation on; today only ends the walk. */
function followWorkflow(seed: IssueSeed, world: World, random: Random) {
  const { project, reporter, urgent } = seed;
  const { today, attendance, analysisGone } = world;
  const { pace: usual, versions, starts, urgentStart, team } = company.projects[project];
  const stepOf = (name: string): Step => {
    const found = workflows[project][name];
    if (found === undefined) throw new Error(`Workflow has no step "${name}"`);
    return found;
  };
  const draw = (spread: Step['work']) => (spread ? random.logNormal(spread.median, spread.sigma) : 0);
  /** The person in a role at an instant; absent people are passed over where there is a choice. */
  const actorOf = (role: Step['by'], at: Instant, maker: string | null): string => {
    const choose = (list: readonly string[]) => random.pick(attendance.present(list, at));
    if (role === 'maker') return maker ?? choose(team.makers);
    if (role === 'reviewer') return choose(team.reviewers.filter((id) => id !== maker));
    if (role === 'tester') return choose(team.testers);
    if (role === 'lead') return attendance.leadOf(project, at);
    if (role === 'on call') return attendance.onCall(at);
    return role === 'reporter' ? reporter : 'automation';
  };

  let step = stepOf(urgent ? urgentStart : random.weigh(Object.entries(starts)));
  const isOwned = random.chance(step.takes ?? (urgent ? 0 : 0.1));
  const own = team.makers.includes(reporter) ? reporter : null;
  let maker = isOwned ? actorOf('maker', seed.at, own) : null;
  // A postponed issue stays with the lead until it is built.
  const isPutOff = step.by === 'lead' && step.in.category === 'To Do';
  let assignee = isOwned && isPutOff ? actorOf('lead', seed.at, null) : maker;
  let since = seed.at;
  const first: Contents = { status: statusValue(step), ...assign(assignee) };
  const edits: Edit[] = [];
  const visits: { category: StatusCategory; from: Instant }[] = [];
  let planned: Instant | null = null;

  for (;;) {
    visits.push({ category: step.in.category, from: since });
    if (step.in.category !== 'To Do') planned ??= since;
    if (step.next === undefined) break;
    let earliest = since;
    // The web team gets faster, the service desk a little slower.
    const pace = usual.first + usual.change * Math.min(1, (since - world.from) / CHANGING);
    // Some issues are handed out by the lead while they still wait.
    const waits = step.in.category === 'To Do' && step.by === 'maker' && assignee === null && !urgent;
    if (waits && random.chance(0.15)) {
      const by = attendance.leadOf(project, since);
      const work = random.logNormal(6 * millisecondsInHour, 0.9);
      earliest = Math.round(attendance.clock(by).after(since, work));
      maker = actorOf('maker', earliest, null);
      assignee = maker;
      edits.push({ at: earliest, by, contents: assign(assignee) });
    }
    const ready = passGate(step.gate, Math.max(since + draw(step.wait) * pace, earliest), world);
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

    const drawn = stepOf(random.weigh(Object.entries(step.next)));
    const replaced = left.at >= analysisGone ? (step.replacedBy ?? drawn.replacedBy) : undefined;
    const next = replaced === undefined ? drawn : stepOf(replaced);
    let contents: Contents = {};
    if (step.in.category === 'Done' && next.in.category !== 'Done') contents = { resolution: null };
    if (step.in.category !== 'Done' && next.in.category === 'Done') {
      const drawn = random.weigh(next.resolutions ?? []);
      const isReproducible = ['Bug', 'Incident'].includes(seed.type.name);
      const resolution = drawn.name === 'Cannot Reproduce' && !isReproducible ? resolutions.wontDo : drawn;
      const isShipped = resolution.name === 'Done' && versions !== null && random.chance(0.6);
      contents = {
        resolution,
        ...(isShipped ? { fixVersions: [versionOf(versions, left.at - world.from)] } : {}),
      };
    }
    let owner = next.frees ? null : left.assignee;
    if (!next.frees && random.chance(next.takes ?? 0))
      owner = actorOf(next.by === 'automation' ? 'maker' : next.by, left.at, maker);
    if (owner !== left.assignee) {
      const at = Math.max(left.at - random.whole(0, 9) * millisecondsInMinute, earliest);
      if (random.chance(0.55)) contents = { ...contents, ...assign(owner) };
      else edits.push({ at, by: left.by, contents: assign(owner) });
    }
    edits.push({ at: left.at, by: left.by, contents: { ...contents, status: statusValue(next) } });
    const builds = next.by === 'maker' || next.by === 'on call';
    maker = next.frees ? null : ((builds ? owner : null) ?? maker);
    [step, since, assignee] = [next, left.at, owner];
  }
  return { first, edits, visits, planned };
}

function statusValue({ in: { id, name } }: Step): FieldValue {
  return { id, name };
}

function versionOf(every: { firstId: number; name: string; weeks: number }, age: number): FieldValue {
  const version = Math.floor(age / (every.weeks * millisecondsInWeek));
  return { id: String(every.firstId + version), name: `${every.name}${version}` };
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

/**
 * The end of a stay, and its author: the actor works in their own hours, and is covered or waited for while away. The
 * returned actor worked on it at the end.
 */
function endStay(
  stay: { step: Step; actor: string; assignee: string | null; ready: Instant; work: number },
  { attendance, analysisGone }: World,
  random: Random,
) {
  const { step, actor, assignee, ready, work } = stay;
  const edits: Edit[] = [];
  if (['on call', 'reporter', 'automation'].includes(step.by)) {
    const at = Math.round(ready + work);
    const by = attendance.standIn(actor, at);
    return { at, by, actor: by, assignee, edits };
  }
  const clock = attendance.clock(actor);
  let leaving = { at: Math.round(clock.after(ready, work)), by: actor, actor, assignee, edits };
  // Shorter absences are simply waited for.
  const absence = assignee === actor && attendance.longAbsence(actor, { start: ready, end: leaving.at }, 4);
  if (absence && !random.chance(0.5)) {
    const evening = clock.lastEnd(absence.start) - random.whole(240, 4_800) * 1_000;
    if (evening > ready) {
      const by = attendance.standIn(actor, absence.start);
      const at = Math.round(attendance.clock(by).after(evening, work - clock.between(ready, evening)));
      const handover = { at: evening, by: actor, contents: assign(by) };
      leaving = { at, by, actor: by, assignee: by, edits: [handover] };
    }
  }
  // An issue in an abandoned status leaves it that morning.
  if (step.replacedBy === undefined || leaving.at <= analysisGone) return leaving;
  const isTakenOver = leaving.edits.some((edit) => edit.at < analysisGone);
  return { ...(isTakenOver ? leaving : { actor, assignee, edits }), at: analysisGone, by: 'automation' };
}

type Story = Omit<ReturnType<typeof followWorkflow>, 'first' | 'edits'> & ReturnType<typeof drawNature>;

/** The lead's work on an issue meanwhile: plans it into sprints, has it estimated, corrects it. */
function leadEdits(seed: IssueSeed, world: World, story: Story, chance: (strand: string) => Random): Edit[] {
  const { visits, planned, vague, summary, labels, due } = story;
  const isDone = (at: Instant) => visits.findLast((visit) => visit.from <= at)?.category === 'Done';
  const byLead = (from: Instant, work: number, contents: Contents): Edit => {
    const by = world.attendance.leadOf(seed.project, from);
    return { at: Math.round(world.attendance.clock(by).after(from, work)), by, contents };
  };
  const edits: Edit[] = [];

  if (seed.project === 'WEB' && planned !== null) {
    const random = chance('sprints');
    const taken: FieldValue[] = [];
    let from: Instant = planned;
    // The sprint that took it, and each next one while it was not finished; none carries it into a seventh.
    for (const sprint of world.sprints.filter(({ end }) => planned < end).slice(0, 6)) {
      if (sprint.start >= world.today || isDone(from)) break;
      taken.push(sprint.value);
      // Planned before the sprint begins, as trackers have it.
      const at = Math.max(seed.at, from - random.whole(2, 50) * millisecondsInMinute);
      edits.push({ at, by: world.attendance.leadOf(seed.project, at), contents: { [SPRINT]: [...taken] } });
      from = sprint.end;
    }
  }

  // Stories are estimated some days after they were written, and some are estimated again once begun.
  const estimating = chance('estimates');
  if (seed.project !== 'OPS' && seed.type.name !== 'Bug' && !estimating.chance(0.2)) {
    const points = estimating.weigh(company.points.first);
    const again = estimating.weigh(company.points.later);
    const soon = estimating.logNormal(9 * millisecondsInHour, 0.8);
    const first = byLead(seed.at, soon, { [STORY_POINTS]: points });
    const late = estimating.logNormal(10 * millisecondsInHour, 0.6);
    const estimates = [first];
    if (estimating.chance(0.1) && planned !== null)
      estimates.push(byLead(Math.max(planned, first.at), late, { [STORY_POINTS]: again }));
    edits.push(...estimates.filter(({ at }) => !isDone(at)));
  }

  const random = chance('triage');
  const straighten = (likely: number, hours: number, contents: () => Contents) => {
    const isWanted = random.chance(likely);
    const edit = byLead(seed.at, random.logNormal(hours * millisecondsInHour, 0.9), contents());
    if (isWanted && !isDone(edit.at)) edits.push(edit);
  };
  const later = (days: number) => due && isoDay(Date.parse(due) + days * millisecondsInDay);
  const label = () => random.pick(company.projects[seed.project].labels);
  straighten(vague === null ? 0 : 1, 3, () => ({ summary }));
  straighten(0.12, 9, () => ({ priority: random.pick(company.priorities.later) }));
  straighten(0.16, 12, () => ({ labels: [...new Set([...labels, label()])] }));
  straighten(due === null ? 0 : 0.3, 14, () => ({ duedate: later(random.whole(3, 14)) }));
  return edits;
}

function assign(who: string | null): Contents {
  return { assignee: who === null ? null : personValue(who) };
}

/** The person as content of a field. */
function personValue(who: string): FieldValue {
  const { id, name } = company.users.find((one) => one.id === who) ?? { id: who, name: who };
  return { id, name };
}
