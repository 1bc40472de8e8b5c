import { millisecondsInHour } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { personValue } from './people.ts';
import { type Edit, setValue } from './settings.ts';
import type { Scene, Telling } from './telling.ts';

/** The lead gives a waiting issue to somebody. */
export interface HandingOut {
  readonly at: Instant;
  readonly to: string;
  readonly edit: Edit;
}

/** Some issues are handed out while they still wait; null where nobody does that. */
export function handOut(scene: Scene, { birth, world, random, cast }: Telling): HandingOut | null {
  const waits = scene.step.status.category === 'To Do' && scene.step.by === 'maker';
  if (!waits || scene.assignee !== null || birth.urgent || !random.chance(0.15)) return null;
  const lead = cast.actor('lead', scene.since, null);
  const at = Math.round(
    world.attendance.clock(lead).after(scene.since, random.logNormal(6 * millisecondsInHour, 0.9)),
  );
  const to = cast.actor('maker', at, null);
  return { at, to, edit: { at, by: lead, settings: [setValue('assignee', personValue(to))] } };
}
