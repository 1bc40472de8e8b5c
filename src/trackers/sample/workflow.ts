import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Status } from '../../model/issue.ts';
import type { Choices } from './random.ts';

/** A log-normal length of time in milliseconds. */
export interface Spread {
  readonly median: number;
  readonly sigma: number;
}

/** An appointment that leaving a step has to wait for. */
export type Gate = 'sprint' | 'release' | 'night';

/** Who works in a step and makes the change that leaves it. */
export type Role = 'maker' | 'reviewer' | 'tester' | 'lead' | 'on call' | 'reporter' | 'automation';

/** Whether the role is carried out within somebody's working hours. */
export function keepsHours(role: Role): boolean {
  return role !== 'on call' && role !== 'reporter' && role !== 'automation';
}

/** A stay in a status and what may follow; several steps can share a status. */
export interface Step {
  readonly status: Status;
  readonly by: Role;
  /** Time that passes day and night before anybody looks at it. */
  readonly rest?: Spread;
  readonly gate?: Gate;
  /** Time of the acting person's own working hours; plain time where `keepsHours` is false. */
  readonly work?: Spread;
  /** Likelihood that whoever has the role of this step also becomes the assignee on entering it. */
  readonly takes?: number;
  /** Entering it takes the issue from whoever had it. */
  readonly frees?: boolean;
  /** How the issue ends if this step resolves it. */
  readonly resolutions?: Choices<string>;
  /** The step to use instead, once the web team has given up the status. */
  readonly replacedBy?: string;
  /** Names of the steps that may follow; none: the story is over. */
  readonly next?: Choices<string>;
}

/** The ways of one project's issues; `starts` names the steps in which they may be created. */
export interface Workflow {
  readonly starts: Choices<string>;
  readonly urgentStart: string;
  readonly steps: Readonly<Record<string, Step>>;
}

export const minutes = (median: number, sigma: number): Spread => ({ median: median * 60_000, sigma });
export const hours = (median: number, sigma: number): Spread => ({
  median: median * millisecondsInHour,
  sigma,
});
export const days = (median: number, sigma: number): Spread => ({
  median: median * millisecondsInDay,
  sigma,
});

/** The named step; a name without a step is a mistake in the workflow. */
export function stepOf(workflow: Workflow, name: string): Step {
  const step = workflow.steps[name];
  if (step === undefined) throw new Error(`Workflow has no step "${name}"`);
  return step;
}
