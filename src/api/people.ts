import type { User } from '../model/issue.ts';
import type { PersonLink } from '../model/person-link.ts';

/** Who is behind an invitation to link an account: its id, and the name the person goes by there. */
export interface Invitation {
  readonly account: string;
  readonly name: string;
}

/** The port of who is who: the tracker's users, and which accounts elsewhere (Slack) are theirs. */
export interface PeopleApi {
  /** Everybody the tracker knows, by id. */
  users(): Promise<ReadonlyMap<string, User>>;
  links(): Promise<readonly PersonLink[]>;
  linkOf(account: string): Promise<PersonLink | null>;
  /** Says that an account is a user's; `not-found` for somebody the tracker does not know. Replaces what was said. */
  link(account: string, user: string, by: string): Promise<PersonLink>;
  /** False when there was none. */
  unlink(account: string): Promise<boolean>;
  /** An opaque text, good for a quarter of an hour, with which the person can prove who they are. */
  invite(invitation: Invitation): Promise<string>;
  /** Who was invited; `not-found` for a text that is false or old. */
  readInvitation(ticket: string): Promise<Invitation>;
  /** Links the account to the user of the token, which proves it: `not-authenticated` when it does not hold. */
  accept(ticket: string, token: string): Promise<PersonLink>;
}
