import type { FieldValue, Instant, Status } from '../../model/issue.ts';
import { advance } from './advance.ts';
import { personValue, teamOf } from './people.ts';
import type { Edit } from './settings.ts';
import { statusValue } from './statuses.ts';
import type { Scene, Telling } from './telling.ts';
import { stepOf } from './workflow.ts';

/** The way an issue took through its workflow, up to the end of the known time. */
export interface Story {
  readonly status: FieldValue;
  readonly assignee: FieldValue | null;
  readonly edits: readonly Edit[];
  readonly visits: readonly Visit[];
  /** When it was planned; null while it still waits for that. */
  readonly planned: Instant | null;
}

export interface Visit {
  readonly status: Status;
  readonly from: Instant;
}

/** Walks the workflow from creation on. What is drawn never depends on today, which only ends the walk. */
export function tellStory(telling: Telling): Story {
  const { today } = telling.world;
  let scene: Scene | null = firstScene(telling);
  const { step, assignee } = scene;
  const edits: Edit[] = [];
  const visits: Visit[] = [];
  let planned: Instant | null = null;
  while (scene !== null) {
    visits.push({ status: scene.step.status, from: scene.since });
    if (scene.step.status.category !== 'To Do') planned ??= scene.since;
    const progress = advance(scene, telling);
    edits.push(...progress.edits);
    if (scene.step.gate === 'sprint' && progress.ready < today) planned ??= progress.ready;
    scene = progress.scene;
  }
  return {
    status: statusValue(step.status),
    assignee: assignee === null ? null : personValue(assignee),
    edits: edits.filter((edit) => edit.at < today),
    visits,
    planned,
  };
}

function firstScene({ birth, workflow, random, cast }: Telling): Scene {
  const step = stepOf(workflow, birth.urgent ? workflow.urgentStart : random.weigh(workflow.starts));
  const own = teamOf(birth.project, 'maker').some(({ id }) => id === birth.reporter);
  const owned = random.chance(step.takes ?? (birth.urgent ? 0 : 0.1));
  const maker = owned ? cast.actor('maker', birth.at, own ? birth.reporter : null) : null;
  // What is put off stays with the lead until somebody builds it.
  const isPutOff = step.by === 'lead' && step.status.category === 'To Do';
  const assignee = owned && isPutOff ? cast.actor('lead', birth.at, null) : maker;
  return { step, since: birth.at, assignee, maker };
}
