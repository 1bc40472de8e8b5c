import type { Instant } from '../../model/issue.ts';
import type { ProjectKey } from './people.ts';

export type IssueType = 'Story' | 'Task' | 'Bug' | 'Incident' | 'Service Request';

/** An issue as it is about to be created. */
export interface Birth {
  readonly project: ProjectKey;
  /** 1 for the project's first issue. */
  readonly number: number;
  readonly at: Instant;
  readonly reporter: string;
  readonly type: IssueType;
  /** Cannot wait for the next planning. */
  readonly urgent: boolean;
}
