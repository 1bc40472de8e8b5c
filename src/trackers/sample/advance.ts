import type { Instant } from '../../model/issue.ts';
import { enter } from './enter.ts';
import { passGate } from './gates.ts';
import { handOut } from './hand-out.ts';
import type { Random } from './random.ts';
import type { Edit } from './settings.ts';
import { endStay } from './stay.ts';
import type { Scene, Telling } from './telling.ts';
import type { Spread } from './workflow.ts';
import { paceOf } from './world.ts';

/** What happened in a scene, and the next one; null when the story is over or goes on after today. */
export interface Progress {
  readonly edits: readonly Edit[];
  /** When work in the step could begin. */
  readonly ready: Instant;
  readonly scene: Scene | null;
}

/** Lives through one scene. */
export function advance(scene: Scene, telling: Telling): Progress {
  const { birth, world, random, cast } = telling;
  const { step, since } = scene;
  if (step.next === undefined) return { edits: [], ready: since, scene: null };

  const pace = paceOf(birth.project, since, world);
  const handed = handOut(scene, telling);
  const rested = Math.max(since + draw(step.rest, random) * pace, handed?.at ?? 0);
  const ready = passGate(step.gate, rested, world.sprints);
  const work = draw(step.work, random) * pace;
  const before = handed === null ? [] : [handed.edit];
  if (ready >= world.today) return { edits: before, ready, scene: null };

  const maker = handed?.to ?? scene.maker;
  const assignee = handed?.to ?? scene.assignee;
  const tester = step.by === 'tester' && assignee !== maker ? assignee : null;
  const actor = tester ?? cast.actor(step.by, ready, maker);
  const left = endStay({ step, actor, assignee, ready, work }, world, random);
  const edits = [...before, ...left.edits];
  if (left.at >= world.today) return { edits, ready, scene: null };
  const ended = { ...scene, assignee: left.assignee, maker: step.by === 'maker' ? left.actor : maker };
  const entry = enter(ended, left, edits.at(-1)?.at ?? since, telling);
  return { edits: [...edits, ...entry.edits], ready, scene: entry.scene };
}

function draw(spread: Spread | undefined, random: Random): number {
  return spread === undefined ? 0 : random.logNormal(spread.median, spread.sigma);
}
