import type { AuditFacts } from '../model/audit.ts';

/**
 * Documents of one kind, by id: JSON values, each changed as a whole. What is returned is shared and not to be changed.
 * Whatever a call has resolved survives the death of the process.
 */
export interface Documents<Document> {
  /** Null where there is none. */
  get(id: string): Promise<Document | null>;
  /** All in the order in which they were added: the very same list until any process has changed one. */
  list(): Promise<readonly Document[]>;
  /**
   * Replaces a document by the result of `change`, in one transaction, and returns that. Null stands for no document:
   * of one that is not there yet, and where it is to be removed. `all` are all as `list` has them. What `change` throws is
   * passed on, and nothing is written; so is `NameTaken` thrown where another one has the document's name. The audit log
   * gets `facts` instead of those that its kind describes.
   */
  change<Result extends Document | null>(
    id: string,
    change: (stored: Document | null, all: readonly Document[]) => Result,
    facts?: AuditFacts,
  ): Promise<Result>;
  /** The same of several documents, whose ids are different ones: all of them or none. */
  changeAll(
    ids: readonly string[],
    change: (stored: readonly (Document | null)[], all: readonly Document[]) => readonly (Document | null)[],
  ): Promise<void>;
  /** Adds what `make` makes under the next number of a series as its id; no number is given twice. */
  addNumbered<Result extends Document>(
    series: Series,
    make: (number: number, all: readonly Document[]) => Result,
  ): Promise<Result>;
}

/** Documents that are read and changed each by itself. */
export type SingleDocuments<Document> = Pick<Documents<Document>, 'get'> & {
  /** See `Documents`. */
  change<Result extends Document | null>(
    id: string,
    change: (stored: Document | null) => Result,
    facts?: AuditFacts,
  ): Promise<Result>;
};

/** Numbers that are given one after the other. `name` stands before the number in ids, with a blank; empty: nothing does. */
interface Series {
  readonly name: string;
  readonly first: number;
}

/** Returns a document that the first process to need it makes. */
export async function getOrMake<Document>(
  documents: SingleDocuments<Document>,
  id: string,
  make: () => Document,
): Promise<Document> {
  return (await documents.get(id)) ?? documents.change(id, (stored) => stored ?? make());
}

/** Another document of the kind has the name; nothing was written. */
export class NameTaken extends Error {
  override name = 'NameTaken';
}
