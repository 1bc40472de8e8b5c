import type { Principal } from '../../model/request.ts';
import type { FlowChange, FlowFigures, FlowInput, FlowOfProject } from './flow-document.ts';

/** The figures of a project in the last eight weeks by its flow of now, and by another one. */
export interface FlowPreview {
  readonly now: FlowFigures;
  readonly draft: FlowFigures;
}

/** The port of the flows of projects. A project that the principal cannot see is `unknown-project`. */
export interface FlowsApi {
  /** The flow of a project by its key. */
  flow(principal: Principal, project: string): Promise<FlowOfProject>;
  /** Fails as a change would for someone who cannot make it: Dwell's admins can, and who can administer the project in the tracker. */
  permit(principal: Principal, project: string): Promise<void>;
  /** Shows the effect of a flow before it is saved; fails as saving it would. */
  preview(principal: Principal, project: string, input: FlowInput): Promise<FlowPreview>;
  /**
   * Saves a flow, or goes back to the default; a flow that is the same makes no change. It counts from the next question on,
   * for all of the past. `changed-meanwhile` where somebody else has saved another one since its revision was read.
   */
  put(principal: Principal, project: string, change: FlowChange): Promise<FlowOfProject>;
}
