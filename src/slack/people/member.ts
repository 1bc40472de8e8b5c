import type { User } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';

/** Somebody in Slack of whom is known who they are in the tracker, and so with which rights they ask. */
export interface Member {
  readonly account: string;
  readonly user: User;
  readonly asker: Asker;
  /** IANA zone in which they type and read days. */
  readonly timeZone: string;
  /** Whether the tracker knows it of them; answers name any other zone, for it may not be the one they think in. */
  readonly zoneFromTracker: boolean;
}
