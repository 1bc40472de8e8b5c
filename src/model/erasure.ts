import type { Instant } from './issue.ts';

/** The id and the name that take the place of a person who was erased. */
export interface Pseudonym {
  readonly id: string;
  readonly name: string;
}

/** A person who was erased. The keyed hash recognizes the account when the tracker sends it again, and does not give it away. */
export interface Erasure {
  readonly hash: string;
  /** Hashes of the login, where the tracker has one that is not the id. */
  readonly logins: readonly string[];
  readonly pseudonym: Pseudonym;
  readonly at: Instant;
}

const pseudonymId = /^erased-[0-9a-f]{16}$/;

/** Returns true for the id of a person who was erased, and who can neither sign in nor own anything. */
export function isPseudonym(account: string): boolean {
  return pseudonymId.test(account);
}
