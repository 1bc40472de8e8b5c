import type { PersonLink } from '../model/chat.ts';
import type { User } from '../model/issue.ts';

/** Who is behind an invitation to link an account: its id, and the name the person goes by there. */
export interface Invitation {
  readonly account: string;
  readonly name: string;
}

/** The port of who is who: the tracker's users, and which accounts elsewhere (Slack) are theirs. */
export interface PeopleApi {
  /** Whose people these are. */
  readonly tenant: string;
  /** Everybody the tracker knows, by id; where it knows nobody, those of a hosted register who are linked. */
  users(): Promise<ReadonlyMap<string, User>>;
  /** Whether people are whom a hosted register knows, by user name, because there is no tracker that tells of any. */
  areOfRegister(): Promise<boolean>;
  /** The person of that register who has a user name, as it is stored there; null for none, and where there is a tracker. */
  ofRegister(name: string): Promise<User | null>;
  /** Those that hold: a link does not while the token that proved it is switched off. */
  links(): Promise<readonly PersonLink[]>;
  /** Those that do not hold now, and will again once their token is switched on. */
  dormantLinks(): Promise<readonly PersonLink[]>;
  /** The one that holds. */
  linkOf(account: string): Promise<PersonLink | null>;
  /** An admin says that an account is a user's; `not-found` for somebody who is not known. Replaces what was said. */
  link(account: string, user: string, by: string): Promise<PersonLink>;
  /** False when there was none. */
  unlink(account: string): Promise<boolean>;
  /**
   * An opaque text with which the person can prove who they are. It is good for a quarter of an hour, and until anything
   * is said of the account, be it with this text.
   */
  invite(invitation: Invitation): Promise<string>;
  /**
   * Who was invited; `not-found` for a text that is false or not good any more, `not-allowed` where an admin has said
   * whose the account is.
   */
  readInvitation(ticket: string): Promise<Invitation>;
  /**
   * Links the account to the user of the token, which proves it: `not-authenticated` when it does not hold. Otherwise it
   * fails as reading the invitation does.
   */
  accept(ticket: string, token: string): Promise<PersonLink>;
}
