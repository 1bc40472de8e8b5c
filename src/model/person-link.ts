import type { Instant } from './issue.ts';

/** The token with which somebody proved who they are: its id, and whether it was an admin's. */
export interface LinkProof {
  readonly token: string;
  readonly admin: boolean;
}

/** An account elsewhere (a Slack user id) that is a tracker user's. `by` is who said so: the user, or an admin. */
export interface PersonLink {
  readonly account: string;
  readonly user: string;
  readonly by: string;
  readonly at: Instant;
  /** Null: an admin said it. */
  readonly proof: LinkProof | null;
}

/** Whether an admin has the rights of one under the account as well: a token of lesser rights does not bring them. */
export function bringsAdmin({ proof }: PersonLink): boolean {
  return proof === null || proof.admin;
}
