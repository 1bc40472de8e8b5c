import type { PersonLink } from '../../model/chat.ts';
import type { User } from '../../model/issue.ts';

/** An account of the chat that is to be linked to a user: its id, and the name the person goes by there. */
export interface ChatAccount {
  readonly account: string;
  readonly name: string;
}

/** The port of people: the tracker's users, and their accounts elsewhere (Slack). */
export interface PeopleApi {
  readonly tenant: string;
  /** Everyone the tracker knows, by id; where it knows no one, the linked users of a hosted delegation service. */
  users(): Promise<ReadonlyMap<string, User>>;
  /** True if users are those of a hosted delegation service, by user name, because no tracker gives any. */
  areHosted(): Promise<boolean>;
  /** The user of that service with a user name, as it is stored there; null for none, and where there is a tracker. */
  hostedUser(name: string): Promise<User | null>;
  /** The links in force: a link is not while the token that proved it is switched off. */
  links(): Promise<readonly PersonLink[]>;
  /** The links that are in force again once their token is switched on. */
  dormantLinks(): Promise<readonly PersonLink[]>;
  /** The one that holds. */
  linkOf(account: string): Promise<PersonLink | null>;
  /** An admin links an account to a user; `not-found` for a user who is not known. Replaces any link of the account. */
  link(account: string, user: string, by: string): Promise<PersonLink>;
  /** False when there was none. */
  unlink(account: string): Promise<boolean>;
  /**
   * An opaque link token with which the person can prove who they are. It is good for 15 minutes, and until the link of
   * the account changes, be it with this token.
   */
  createLinkToken(account: ChatAccount): Promise<string>;
  /**
   * The account a link token is for; `not-found` for a token that is false or not good any more, `not-allowed` where an
   * admin has linked the account.
   */
  readLinkToken(linkToken: string): Promise<ChatAccount>;
  /**
   * Links the account to the user of the REST token, which proves it: `not-authenticated` when it does not hold.
   * Otherwise it fails as reading the link token does.
   */
  accept(linkToken: string, token: string): Promise<PersonLink>;
}
