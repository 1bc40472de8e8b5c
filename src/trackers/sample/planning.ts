import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { type Edit, SPRINT, STORY_POINTS, setPlain, setValues } from './settings.ts';
import { sprintValue } from './sprints.ts';
import type { Story, Visit } from './story.ts';
import type { Telling } from './telling.ts';

/** After so many sprints nobody carries it into yet another one. */
const PATIENCE = 6;

/** The sprints an issue went through: the one that took it, and each next one while it was not finished. */
export function sprintEdits(story: Story, { birth, world, random, cast }: Telling): Edit[] {
  const { planned } = story;
  if (birth.project !== 'WEB' || planned === null) return [];
  const edits: Edit[] = [];
  let running = world.sprints.findIndex((sprint) => planned < sprint.end);
  let from = planned;
  const taken = [];
  while (taken.length < PATIENCE) {
    const sprint = world.sprints[running];
    if (sprint === undefined || sprint.start >= world.today || isDone(story.visits, from)) break;
    taken.push(sprintValue(sprint));
    const lead = cast.actor('lead', from, null);
    const at = Math.round(
      world.attendance.clock(lead).after(from, random.whole(2, 50) * millisecondsInMinute),
    );
    edits.push({ at, by: lead, settings: [setValues(SPRINT, [...taken])] });
    from = sprint.end;
    running += 1;
  }
  return edits;
}

/** Stories are estimated some days after they were written, and some are estimated again once begun. */
export function estimateEdits(story: Story, { birth, world, random, cast }: Telling): Edit[] {
  if (birth.project === 'OPS' || birth.type === 'Bug' || random.chance(0.2)) return [];
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
  const estimate = (from: Instant, work: number, value: number): Edit => {
    const lead = cast.actor('lead', from, null);
    const at = Math.round(world.attendance.clock(lead).after(from, work));
    return { at, by: lead, settings: [setPlain(STORY_POINTS, value)] };
  };
  const first = estimate(birth.at, random.logNormal(9 * millisecondsInHour, 0.8), points);
  const edits = isDone(story.visits, first.at) ? [] : [first];
  const late = random.logNormal(10 * millisecondsInHour, 0.6);
  if (random.chance(0.1) && story.planned !== null) {
    const second = estimate(Math.max(story.planned, first.at), late, again);
    if (!isDone(story.visits, second.at)) edits.push(second);
  }
  return edits;
}

/** Whether the issue is in a status of category Done at an instant. */
export function isDone(visits: readonly Visit[], at: Instant): boolean {
  return visits.findLast((visit) => visit.from <= at)?.status.category === 'Done';
}
