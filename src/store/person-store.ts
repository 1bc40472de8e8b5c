import type { Erasure } from '../model/erasure.ts';
import type { User } from '../model/issue.ts';

/** The ids and texts by which one person is known; accounts are the id and the login in the tracker, and those of the chat. */
export interface KnownPerson {
  readonly accounts: readonly string[];
  /** Full name and address, without those that another person has as well. */
  readonly texts: readonly string[];
}

/** A person as the store knows them, before or after they were erased. */
export interface StoredPerson extends KnownPerson {
  /** The id of the account; null where only the pseudonym is known. */
  readonly account: string | null;
  readonly erasure: Erasure;
  /** True once the erasure has begun. */
  readonly isErased: boolean;
  /** True where a user or an erasure has the id. */
  readonly isKnown: boolean;
}

/** The number of records of a place that have a person where people are expected, and of those whose prose has the name. */
export interface PersonTraces {
  readonly place: string;
  readonly records: number;
  readonly inText: number;
}

/** A record that has a person; of an issue the content says where. */
export interface PersonRecord {
  readonly kind: string;
  readonly tracker: string | null;
  readonly id: string;
  readonly content: unknown;
}

/** The way to go through everything that is stored of a tenant. */
export interface SearchHow {
  /** Called with the place that is searched from then on. */
  readonly onPlace?: (place: string) => void;
  /** Called with each record that has the person, and waited for. */
  readonly onRecord?: (record: PersonRecord) => Promise<void>;
}

/** The persons in everything that is stored of a tenant. */
export interface PersonStore {
  /** Every user of every tracker. */
  users(): Promise<readonly User[]>;
  /**
   * Finds a person by the id of an account, or by a pseudonym. Any id may be one: who is no user may have
   * tokens or digests. Makes the secret of pseudonyms where there is none.
   */
  find(id: string): Promise<StoredPerson>;
  /** Finds every place that has a person, and changes nothing. */
  search(person: StoredPerson, how?: SearchHow): Promise<readonly PersonTraces[]>;
  /**
   * Replaces a person by the pseudonym everywhere, for good. Where it is interrupted, it can be repeated; the name is
   * searched for until the end.
   */
  erase(person: StoredPerson, how?: Pick<SearchHow, 'onPlace'>): Promise<void>;
}
