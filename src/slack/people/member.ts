import type { User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';

/** Somebody in Slack of whom is known who they are in the tracker, and so with which rights they ask. */
export interface Member {
  readonly account: string;
  readonly user: User;
  /** What means them, and nobody else, on the command line. */
  readonly typedAs: string;
  readonly principal: Principal;
  /** IANA zone in which they type days, and in which answers tell times and say so. */
  readonly timeZone: string;
  /** Whether the tracker has admins, who could help. */
  readonly hasAdmins: boolean;
}
