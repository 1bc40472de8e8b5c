import type { AnyRoute } from '../route.ts';
import { healthz } from './healthz.ts';
import { issue } from './issue.ts';
import { issueExpanded } from './issue-expanded.ts';
import { readyz } from './readyz.ts';
import { statuses } from './statuses.ts';

/** Every route of the REST door; a new one is one file and one line here. */
export const routes: readonly AnyRoute[] = [issue, issueExpanded, statuses, healthz, readyz];
