import type { Principal } from '../../model/request.ts';
import type { FlowChange, FlowOfProject, FlowPreview } from './flow-document.ts';

/** The port of the flows of projects. A project that the principal cannot see is `unknown-project`. */
export interface FlowsApi {
  /** The flow of a project by its key. */
  flow(principal: Principal, project: string): Promise<FlowOfProject>;
  /** Fails as a change would for someone who cannot make it: Dwell's admins can, and who can administer the project in the tracker. */
  permit(principal: Principal, project: string): Promise<void>;
  /**
   * Shows the effect of a change before it is saved, with what the principal sees; fails as saving it would, but for its
   * revision and the right to save it.
   */
  preview(principal: Principal, project: string, change: FlowChange): Promise<FlowPreview>;
  /**
   * Saves a flow, or goes back to the default; a flow that is the same makes no change. It counts from the next question on,
   * for all of the past. `changed-meanwhile` where somebody else has saved another one since its revision was read.
   */
  put(principal: Principal, project: string, change: FlowChange): Promise<FlowOfProject>;
}
