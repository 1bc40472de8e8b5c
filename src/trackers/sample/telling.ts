import type { Instant } from '../../model/issue.ts';
import { appWorkflow } from './app-workflow.ts';
import type { Birth } from './birth.ts';
import { type Cast, createCast } from './cast.ts';
import { opsWorkflow } from './ops-workflow.ts';
import type { Random } from './random.ts';
import { webWorkflow } from './web-workflow.ts';
import type { Step, Workflow } from './workflow.ts';
import type { World } from './world.ts';

/** One issue's story while it is told. */
export interface Telling {
  readonly birth: Birth;
  readonly workflow: Workflow;
  readonly world: World;
  readonly random: Random;
  readonly cast: Cast;
}

/** Where the story stands: the step, since when, who has the issue and who builds it. */
export interface Scene {
  readonly step: Step;
  readonly since: Instant;
  readonly assignee: string | null;
  readonly maker: string | null;
}

const workflows = { WEB: webWorkflow, APP: appWorkflow, OPS: opsWorkflow };

/** The beginning of an issue's story: its project's workflow, cast from the project's team. */
export function createTelling(birth: Birth, world: World, random: Random): Telling {
  const cast = createCast(birth.project, birth.reporter, world.attendance, random);
  return { birth, workflow: workflows[birth.project], world, random, cast };
}
