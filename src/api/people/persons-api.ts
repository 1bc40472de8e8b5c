import type { Pseudonym } from '../../model/erasure.ts';
import type { PersonTraces } from '../../store/person-store.ts';

/** A person who can be exported or erased: the account, null where only the pseudonym is known, and its pseudonym. */
export interface FoundPerson {
  readonly account: string | null;
  /** The account, its login, and the accounts of the chat that are linked to it. */
  readonly accounts: readonly string[];
  /** Full name and address. */
  readonly texts: readonly string[];
  readonly pseudonym: Pseudonym;
  readonly isErased: boolean;
}

/** The port of what is stored about single persons. */
export interface PersonsApi {
  /** The person of an id, a login, an address, a full name or a pseudonym; fails where that is no one, or several. */
  find(typed: string): Promise<FoundPerson>;
  /** Finds what is stored about a person; `onPlace` is called with each place that is searched. */
  search(person: FoundPerson, onPlace: (place: string) => void): Promise<readonly PersonTraces[]>;
  /** Replaces a person by the pseudonym everywhere, for good; to be repeated where it is interrupted. */
  erase(person: FoundPerson, onPlace: (place: string) => void): Promise<void>;
  /** Writes all that is stored about a person as one JSON text, in pieces; returns the number of records. */
  export(person: FoundPerson, write: (text: string) => Promise<void>): Promise<number>;
}
