import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { FieldValue, Instant, Status } from '../../model/issue.ts';
import {
  type Edit,
  type Setting,
  SPRINT,
  STORY_POINTS,
  setLabels,
  setPlain,
  setValue,
  setValues,
} from './issue-fields.ts';
import type { IssueSeed, Nature } from './issue-seeds.ts';
import { createRandom, type Random } from './random.ts';
import { paceOf, passGate, type World } from './sample-world.ts';
import * as data from './seed-data.ts';
import { isoDate } from './working-hours.ts';

/** Absences shorter than this (days) are simply waited for. */
const WORTH_COVERING = 4;

/** After so many sprints nobody carries an issue into yet another one. */
const PATIENCE = 6;

/** The way an issue took through its workflow, up to the end of the known time. */
interface Story {
  /** Status and assignee at creation. */
  readonly first: readonly Setting[];
  readonly edits: readonly Edit[];
  readonly visits: readonly { readonly status: Status; readonly from: Instant }[];
  /** When it was planned; null while it still waits for that. */
  readonly planned: Instant | null;
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

/**
 * All that happens to an issue before today, and the status and assignee it is created with. Each strand has its own
 * chance: how long one has become by today must not show in another. What is drawn never depends on today.
 */
export function liveThrough(seed: IssueSeed, nature: Nature, world: World): Pick<Story, 'first' | 'edits'> {
  const chance = (strand: string) => createRandom(world.seed, strand, seed.project, seed.number);
  const story = followWorkflow(seed, world, chance('story'));
  const edits = [
    ...story.edits,
    ...sprintEdits(story, seed, world, chance('sprints')),
    ...estimateEdits(story, seed, world, chance('estimates')),
    ...triageEdits(story, seed, nature, world, chance('triage')),
  ];
  return {
    first: story.first,
    edits: edits.filter(({ at }) => at < world.today).sort((a, b) => a.at - b.at),
  };
}

/** Walks the workflow from creation on; today only ends the walk. */
function followWorkflow(seed: IssueSeed, world: World, random: Random): Story {
  const { project, reporter, urgent } = seed;
  const { today, attendance, analysisGone } = world;
  const workflow = data.workflows[project];
  const stepOf = (name: string): data.Step => {
    const found = workflow.steps[name];
    if (found === undefined) throw new Error(`Workflow has no step "${name}"`);
    return found;
  };
  const draw = (spread: data.Step['work']) =>
    spread === undefined ? 0 : random.logNormal(spread.median, spread.sigma);
  const makers = data.teamOf(project, 'maker');
  const reviewers = data.teamOf(project, 'maker', 'lead');
  const choose = (list: readonly data.Person[], at: Instant): string => {
    const [first, ...rest] = attendance.present(list, at);
    return first === undefined ? data.automation.id : random.pick([first, ...rest]).id;
  };
  /** Who plays a role at an instant; people who are away are passed over where there is a choice. */
  const actorOf = (role: data.Role, at: Instant, maker: string | null): string => {
    if (role === 'maker') return maker ?? choose(makers, at);
    if (role === 'reviewer')
      return choose(
        reviewers.filter(({ id }) => id !== maker),
        at,
      );
    if (role === 'tester') return choose(data.teamOf(project, 'tester'), at);
    if (role === 'lead') return leadOf(project, at, world);
    if (role === 'on call') return attendance.onCall(at);
    return role === 'reporter' ? reporter : data.automation.id;
  };

  let step = stepOf(urgent ? workflow.urgentStart : random.weigh(workflow.starts));
  const isOwned = random.chance(step.takes ?? (urgent ? 0 : 0.1));
  const own = makers.some(({ id }) => id === reporter) ? reporter : null;
  let maker = isOwned ? actorOf('maker', seed.at, own) : null;
  // What is put off stays with the lead until somebody builds it.
  const isPutOff = step.by === 'lead' && step.status.category === 'To Do';
  let assignee = isOwned && isPutOff ? actorOf('lead', seed.at, null) : maker;
  let since = seed.at;
  const first = [setValue('status', statusValue(step.status)), assign(assignee)];
  const edits: Edit[] = [];
  const visits: { status: Status; from: Instant }[] = [];
  let planned: Instant | null = null;

  for (;;) {
    visits.push({ status: step.status, from: since });
    if (step.status.category !== 'To Do') planned ??= since;
    if (step.next === undefined) break;
    let earliest = since;
    const pace = paceOf(project, since, world);
    let rested = since;
    // Some issues are handed out by the lead while they still wait.
    const waits = step.status.category === 'To Do' && step.by === 'maker' && assignee === null && !urgent;
    if (waits && random.chance(0.15)) {
      const by = leadOf(project, since, world);
      const at = Math.round(attendance.clock(by).after(since, random.logNormal(6 * millisecondsInHour, 0.9)));
      maker = actorOf('maker', at, null);
      assignee = maker;
      edits.push({ at, by, settings: [assign(assignee)] });
      earliest = at;
      rested = at;
    }
    rested = Math.max(since + draw(step.rest) * pace, rested);
    const ready = passGate(step.gate, rested, world);
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
    const settings = outcome(step, next, seed, left.at, world, random);
    let owner = next.frees ? null : left.assignee;
    if (!next.frees && random.chance(next.takes ?? 0))
      owner = actorOf(next.by === 'automation' ? 'maker' : next.by, left.at, maker);
    if (owner !== left.assignee) {
      const at = Math.max(left.at - random.whole(0, 9) * millisecondsInMinute, earliest);
      if (random.chance(0.55)) settings.push(assign(owner));
      else edits.push({ at, by: left.by, settings: [assign(owner)] });
    }
    edits.push({
      at: left.at,
      by: left.by,
      settings: [...settings, setValue('status', statusValue(next.status))],
    });
    const builds = next.by === 'maker' || next.by === 'on call';
    maker = next.frees ? null : ((builds ? owner : null) ?? maker);
    [step, since, assignee] = [next, left.at, owner];
  }
  return { first, edits: edits.filter(({ at }) => at < today), visits, planned };
}

/** Lives through a stay: the actor works in their own hours, and is covered or waited for while away. */
function endStay(
  stay: { step: data.Step; actor: string; assignee: string | null; ready: Instant; work: number },
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
    ? attendance.longAbsence(actor, { from: ready, until: at }, WORTH_COVERING)
    : undefined;
  if (absence !== undefined && !random.chance(0.5)) {
    const evening = clock.lastEnd(absence.from) - random.whole(240, 4_800) * 1_000;
    if (evening > ready) {
      const cover = attendance.standIn(actor, absence.from);
      const rest = work - clock.between(ready, evening);
      leaving = {
        ...{
          at: Math.round(attendance.clock(cover).after(evening, rest)),
          by: cover,
          actor: cover,
          assignee: cover,
        },
        edits: [{ at: evening, by: actor, settings: [assign(cover)] }],
      };
    }
  }
  // Whatever is still in a status when the status is given up leaves it that morning.
  if (step.replacedBy === undefined || leaving.at <= analysisGone) return leaving;
  const isTakenOver = leaving.edits.some((edit) => edit.at < analysisGone);
  const kept = isTakenOver ? leaving : { actor, assignee, edits: [] };
  return { ...kept, at: analysisGone, by: data.automation.id };
}

/** What else is set when an issue goes from one step to another: its resolution, the version that ships it. */
function outcome(
  from: data.Step,
  to: data.Step,
  { project, type }: IssueSeed,
  at: Instant,
  world: World,
  random: Random,
): Setting[] {
  const wasDone = from.status.category === 'Done';
  if (wasDone === (to.status.category === 'Done')) return [];
  if (wasDone) return [setValue('resolution', null)];
  const drawn = random.weigh(to.resolutions ?? [['Done', 1]]);
  const isReproducible = type === 'Bug' || type === 'Incident';
  const name = drawn === 'Cannot Reproduce' && !isReproducible ? "Won't Do" : drawn;
  const settings = [setValue('resolution', { id: data.resolutions[name] ?? name, name })];
  if (name !== 'Done' || project === 'OPS' || !random.chance(0.6)) return settings;
  // The shop is released fortnightly, the app weekly.
  const week = Math.floor((at - world.from) / (7 * millisecondsInDay));
  const version =
    project === 'WEB'
      ? { id: String(20_000 + (week >> 1)), name: `Web 3.${week >> 1}` }
      : { id: String(30_000 + week), name: `App 5.${week}` };
  return [...settings, setValues('fixVersions', [version])];
}

/** The sprints an issue went through: the one that took it, and each next one while it was not finished. */
function sprintEdits({ planned, visits }: Story, seed: IssueSeed, world: World, random: Random): Edit[] {
  if (seed.project !== 'WEB' || planned === null) return [];
  const edits: Edit[] = [];
  const taken: FieldValue[] = [];
  let from = planned;
  for (const sprint of world.sprints.filter(({ end }) => planned < end).slice(0, PATIENCE)) {
    if (sprint.start >= world.today || isDone(visits, from)) break;
    taken.push(sprint.value);
    const work = random.whole(2, 50) * millisecondsInMinute;
    edits.push(byLead(from, work, setValues(SPRINT, [...taken]), seed, world));
    from = sprint.end;
  }
  return edits;
}

/** Stories are estimated some days after they were written, and some are estimated again once begun. */
function estimateEdits({ planned, visits }: Story, seed: IssueSeed, world: World, random: Random): Edit[] {
  if (seed.project === 'OPS' || seed.type === 'Bug' || random.chance(0.2)) return [];
  const points = random.weigh([
    [1, 14],
    [2, 24],
    [3, 28],
    [5, 22],
    [8, 10],
    [13, 2],
  ]);
  const again = random.weigh([
    [2, 25],
    [5, 40],
    [8, 35],
  ]);
  const estimate = (from: Instant, work: number, value: number) =>
    byLead(from, work, setPlain(STORY_POINTS, value), seed, world);
  const first = estimate(seed.at, random.logNormal(9 * millisecondsInHour, 0.8), points);
  const late = random.logNormal(10 * millisecondsInHour, 0.6);
  const isRevised = random.chance(0.1) && planned !== null;
  const second = isRevised ? [estimate(Math.max(planned, first.at), late, again)] : [];
  return [first, ...second].filter(({ at }) => !isDone(visits, at));
}

/** What the lead puts straight while an issue is not done: summary, priority, labels, due date. */
function triageEdits(
  { visits }: Story,
  seed: IssueSeed,
  nature: Nature,
  world: World,
  random: Random,
): Edit[] {
  const { vague, summary, labels, due } = nature;
  const edits: Edit[] = [];
  const plan = (probability: number, median: number, setting: () => Setting) => {
    const isWanted = random.chance(probability);
    const work = random.logNormal(median * millisecondsInHour, 0.9);
    const edit = byLead(seed.at, work, setting(), seed, world);
    if (isWanted && !isDone(visits, edit.at)) edits.push(edit);
  };
  const [medium, high, low] = data.priorities.map(({ id, name }) => ({ id, name }));
  const later = (days: number) => (due === null ? '' : isoDate(Date.parse(due) + days * millisecondsInDay));
  plan(vague === null ? 0 : 1, 3, () => setPlain('summary', summary));
  plan(0.12, 9, () => setValue('priority', random.pick([high, medium, low]) ?? null));
  plan(0.16, 12, () => setLabels([...new Set([...labels, random.pick(data.projects[seed.project].labels)])]));
  plan(due === null ? 0 : 0.3, 14, () => setPlain('duedate', later(random.whole(3, 14))));
  return edits;
}

function byLead(from: Instant, work: number, setting: Setting, { project }: IssueSeed, world: World): Edit {
  const by = leadOf(project, from, world);
  return { at: Math.round(world.attendance.clock(by).after(from, work)), by, settings: [setting] };
}

function leadOf(project: data.ProjectKey, at: Instant, { attendance }: World): string {
  return attendance.standIn(data.teamOf(project, 'lead')[0]?.id ?? data.automation.id, at);
}

/** Whether the issue is in a status of category Done at an instant. */
function isDone(visits: Story['visits'], at: Instant): boolean {
  return visits.findLast((visit) => visit.from <= at)?.status.category === 'Done';
}

function assign(who: string | null): Setting {
  return setValue('assignee', who === null ? null : data.personValue(who));
}

function statusValue({ id, name }: Status): FieldValue {
  return { id, name };
}
