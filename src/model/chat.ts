import type { Instant } from './issue.ts';

/** The token that proved who a person is: its id, and whether it was an admin's. */
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

/** A project an admin lets a channel read of; guests and people of other workspaces count only where that was said. */
export interface AllowedProject {
  /** Key, upper case. */
  readonly key: string;
  readonly withGuests: boolean;
}

/** The settings of a channel. Null: no one chose one. */
export interface ChannelSettings {
  readonly channel: string;
  /** IANA. */
  readonly timeZone: string | null;
  /** The account whose zone it began as; absent where it was chosen. */
  readonly timeZoneFrom?: string;
  /** A calendar's id, or `normalHours`. */
  readonly calendar: string | null;
  /** Null: no admin has said, so only what every Dwell user can see is shared here. */
  readonly projects: readonly AllowedProject[] | null;
  /** Links to issues are unfurled here. */
  readonly unfurls: boolean;
  readonly changedBy: string | null;
  readonly changedAt: Instant | null;
}

/** The preferences of a person. Null: none chosen. */
export interface Preferences {
  readonly account: string;
  /** Keys of the projects their Home tab shows. */
  readonly projects: readonly string[] | null;
  readonly calendar: string | null;
}
