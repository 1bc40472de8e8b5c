import type { auditedNamespaces, StoredDocuments, StoredWork } from '../audited-kinds.ts';
import { type PersonReplacement, replaceInDocument, replaceInFacts } from './replace-person.ts';

/** The places of people in the documents of a kind. */
export interface PersonPlaces<Document> {
  /**
   * The names of members, at any depth, that have the id of an account, a list of ids, or a person with an id and a name.
   * Texts named `jql` and `title` are searched wherever they are.
   */
  readonly accounts: readonly string[];
  /** The account that a document belongs to, and what is other about it once that is erased; null: it is removed. */
  readonly ownerOf?: (document: Document) => string | null;
  readonly withoutOwner?: Readonly<Record<string, unknown>> | null;
}

/** The members of questions and selections that have an account. */
const inQuestions = ['user', 'account'] as const;

const none = { accounts: [] } as const;

/** Every kind of documents with its places of people. */
export const placesInDocuments: {
  readonly [Kind in keyof StoredDocuments]: PersonPlaces<StoredDocuments[Kind]>;
} = {
  token: { accounts: ['user'], ownerOf: ({ user }) => user, withoutOwner: { active: false } },
  secret: none,
  fact: none,
  stamp: none,
  erasure: none,
  calendar: none,
  'parameter-set': { accounts: ['ownerId', ...inQuestions] },
  'delegation-permissions': { accounts: ['view', 'viewAll', 'editAll'] },
  digest: {
    accounts: ['owner', ...inQuestions],
    ownerOf: ({ owner }) => owner,
    withoutOwner: { paused: true, nextDue: null },
  },
  watches: {
    accounts: ['owner', 'muted', ...inQuestions],
    ownerOf: ({ owner }) => owner,
    withoutOwner: { paused: true },
  },
  snoozes: { accounts: ['account'], ownerOf: ([first]) => first?.account ?? null, withoutOwner: null },
  facts: none,
  'lists slices': none,
  'project access': { accounts: ['people', 'logins'] },
  directory: {
    accounts: ['members', 'owner', 'viewers', 'delegator', 'delegates', 'ownerId', ...inQuestions],
  },
  statuses: none,
  'status categories': { accounts: ['by'] },
  sync: none,
  rejected: none,
  delegations: { accounts: ['delegator', 'delegates', 'savedBy'] },
  links: { accounts: ['user', 'by'], ownerOf: ({ link }) => link?.user ?? null, withoutOwner: null },
  flows: { accounts: ['by'] },
};

/** Every kind of work with its places of people. */
export const placesInWork: { readonly [Kind in keyof StoredWork]: PersonPlaces<StoredWork[Kind]> } = {
  export: {
    accounts: inQuestions,
    ownerOf: ({ input }) => input.request.principal.account,
    withoutOwner: null,
  },
  'digest-period': none,
  nudge: { accounts: ['person', 'account', 'by'] },
};

/** The namespaces of the cache that people choose in; of others an entry that mentions a person is removed. */
export const placesInNamespaces: {
  readonly [Name in keyof typeof auditedNamespaces]: PersonPlaces<unknown>;
} = {
  channel: { accounts: ['changedBy', 'timeZoneFrom'] },
};

/** The name of the facts of values in histories, which has names and ids of all fields in a text. */
const HISTORY_VALUES = 'history values';

/**
 * A document of a kind without persons: the very same one where it has none, and null where it goes because it was theirs
 * alone.
 */
export function documentWithout<Document>(
  { kind, id }: { readonly kind: keyof StoredDocuments; readonly id: string },
  document: Document,
  who: PersonReplacement,
): Document | null {
  if (kind === 'facts')
    return id === HISTORY_VALUES && typeof document === 'string'
      ? (replaceInFacts(document, who) as Document)
      : document;
  return withoutPersons(placesInDocuments[kind], document, who);
}

/** The same of a document with its places of people. */
export function withoutPersons<Document>(
  { accounts, ownerOf, withoutOwner = null }: PersonPlaces<never>,
  document: Document,
  who: PersonReplacement,
): Document | null {
  if (accounts.length === 0) return document;
  const next = replaceInDocument(document, accounts, who);
  const owner = ownerOf?.(document as never) ?? null;
  if (owner === null || who.pseudonymOf(owner) === null) return next;
  return withoutOwner && { ...next, ...withoutOwner };
}
