import type { Instant } from '../../model/issue.ts';
import { automation, personValue } from './people.ts';
import type { Random } from './random.ts';
import { type Edit, setValue } from './settings.ts';
import { keepsHours, type Step } from './workflow.ts';
import type { World } from './world.ts';

/** Absences shorter than this (days) are simply waited for. */
const WORTH_COVERING = 4;

/** One stay in a step before it is lived through. */
export interface Stay {
  readonly step: Step;
  readonly actor: string;
  readonly assignee: string | null;
  /** When the actor can begin. */
  readonly ready: Instant;
  /** How much work it is, in milliseconds. */
  readonly work: number;
}

/** When a stay ends and who ends it. */
export interface Leaving {
  readonly at: Instant;
  readonly by: string;
  /** Who worked on it at the end; somebody else than before if it was taken over. */
  readonly actor: string;
  readonly assignee: string | null;
  readonly edits: readonly Edit[];
}

/** Lives through a stay: the actor works in their own hours, and is covered or waited for while away. */
export function endStay(stay: Stay, world: World, random: Random): Leaving {
  if (!keepsHours(stay.step.by)) return passTime(stay, world);
  const { analysisGone } = world;
  const leaving = workThrough(stay, world, random);
  // Whatever is still in a status when the status is given up leaves it that morning.
  if (stay.step.replacedBy === undefined || leaving.at <= analysisGone) return leaving;
  const takenOver = leaving.edits.some((edit) => edit.at < analysisGone);
  return { ...(takenOver ? leaving : { ...stay, edits: [] }), at: analysisGone, by: automation.id };
}

function passTime({ actor, assignee, ready, work }: Stay, { attendance }: World): Leaving {
  const at = Math.round(ready + work);
  const by = attendance.standIn(actor, at);
  return { at, by, actor: by, assignee, edits: [] };
}

function workThrough({ actor, assignee, ready, work }: Stay, { attendance }: World, random: Random): Leaving {
  const clock = attendance.clock(actor);
  const at = Math.round(clock.after(ready, work));
  const alone = { at, by: actor, actor, assignee, edits: [] };
  if (assignee !== actor) return alone;
  const absence = attendance.longAbsence(actor, { from: ready, until: at }, WORTH_COVERING);
  if (absence === undefined || random.chance(0.5)) return alone;

  const evening = clock.lastEnd(absence.from) - random.whole(240, 4_800) * 1_000;
  if (evening <= ready) return alone;
  const cover = attendance.standIn(actor, absence.from);
  const left = work - clock.between(ready, evening);
  return {
    at: Math.round(attendance.clock(cover).after(evening, left)),
    by: cover,
    actor: cover,
    assignee: cover,
    edits: [{ at: evening, by: actor, settings: [setValue('assignee', personValue(cover))] }],
  };
}
