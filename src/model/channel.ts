import type { Instant } from './issue.ts';

/** A project an admin lets a channel read of; guests and people of other workspaces count only where that was said. */
export interface AllowedProject {
  /** Key, upper case. */
  readonly key: string;
  readonly withGuests: boolean;
}

/** What was chosen for a channel. Null: nobody chose. */
export interface ChannelSettings {
  readonly channel: string;
  /** IANA. */
  readonly timeZone: string | null;
  /** A calendar's id, or `normalHours`. */
  readonly calendar: string | null;
  /** Null: no admin has said, so only what everybody who may ask may see is told here. */
  readonly projects: readonly AllowedProject[] | null;
  /** Links to issues are told of here. */
  readonly unfurls: boolean;
  readonly changedBy: string | null;
  readonly changedAt: Instant | null;
}

/** What somebody chose for themselves. Null: nothing. */
export interface Preferences {
  readonly account: string;
  /** Keys of the projects their Home tab tells of. */
  readonly projects: readonly string[] | null;
  readonly calendar: string | null;
}
