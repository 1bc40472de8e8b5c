import type { Instant } from '../model/issue.ts';
import type { Run } from '../model/question.ts';

/** Questions that were answered, so that they can be asked again. */
export interface RunStore {
  put(run: Run): Promise<void>;
  get(id: string): Promise<Run | null>;
  /** Forgets those asked before an instant. */
  forget(before: Instant): Promise<void>;
}
