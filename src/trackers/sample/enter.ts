import type { Instant } from '../../model/issue.ts';
import { outcome } from './outcome.ts';
import { personValue } from './people.ts';
import { type Edit, setValue } from './settings.ts';
import { statusValue } from './statuses.ts';
import type { Leaving } from './stay.ts';
import type { Scene, Telling } from './telling.ts';
import { type Step, stepOf } from './workflow.ts';

/** Goes from the scene into one that may follow it; nothing of that happens before `earliest`. */
export function enter(
  from: Scene,
  left: Leaving,
  earliest: Instant,
  telling: Telling,
): { readonly edits: readonly Edit[]; readonly scene: Scene } {
  const { birth, world, random } = telling;
  const step = following(from.step, left.at, telling);
  const settings = outcome(from.step, step, birth, left.at, world, random);
  const edits: Edit[] = [];
  const assignee = ownerOf(step, from, left.at, telling);
  if (assignee !== from.assignee) {
    const assignment = setValue('assignee', assignee === null ? null : personValue(assignee));
    const at = Math.max(left.at - random.whole(0, 9) * 60_000, earliest);
    if (random.chance(0.55)) settings.push(assignment);
    else edits.push({ at, by: left.by, settings: [assignment] });
  }
  settings.push(setValue('status', statusValue(step.status)));
  edits.push({ at: left.at, by: left.by, settings });
  const builds = step.by === 'maker' || step.by === 'on call';
  const maker = step.frees ? null : ((builds ? assignee : null) ?? from.maker);
  return { edits, scene: { step, since: left.at, assignee, maker } };
}

/** One of the steps that may follow, or what replaces it once its status has been given up. */
function following(step: Step, at: Instant, { workflow, world, random }: Telling): Step {
  const next = stepOf(workflow, random.weigh(step.next ?? [['over', 1]]));
  if (step.replacedBy !== undefined && at >= world.analysisGone) return stepOf(workflow, step.replacedBy);
  const gone = next.replacedBy !== undefined && at >= world.analysisGone;
  return gone ? stepOf(workflow, next.replacedBy) : next;
}

/** Who has the issue after it entered a step. */
function ownerOf(step: Step, from: Scene, at: Instant, { cast, random }: Telling): string | null {
  if (step.frees) return null;
  if (!random.chance(step.takes ?? 0)) return from.assignee;
  return cast.actor(step.by === 'automation' ? 'maker' : step.by, at, from.maker);
}
