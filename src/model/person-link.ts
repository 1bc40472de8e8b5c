import type { Instant } from './issue.ts';

/** An account elsewhere (a Slack user id) that is a tracker user's. `by` is who said so: the user, or an admin. */
export interface PersonLink {
  readonly account: string;
  readonly user: string;
  readonly by: string;
  readonly at: Instant;
}
