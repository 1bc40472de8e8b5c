import type { Generated, Kysely } from 'kysely';

/** The owner of issues, people, delegations and the like: a tenant and one of its trackers. */
export type Owner = readonly [tenant: string, tracker: string];

/** A type of columns that engines name each in its own way, with `?` where there may be no value. */
export type ColumnType = 'text' | 'text?' | 'integer' | 'integer?' | 'bytes';

/** A table: its columns, of which the database itself numbers one that is `numbered`, and those of its primary key. */
interface Table {
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnType | 'numbered'>>;
}

const ofTenant = { tenant: 'text' } as const;
const ofTracker = { ...ofTenant, tracker: 'text' } as const;

/**
 * The tables of the store, each column as the queries of both engines see it: instants in ms, truth values as 0 or 1, and
 * documents as JSON texts. `migrations` makes them.
 */
export const tables = {
  area: {
    key: ['tenant', 'area'],
    columns: { ...ofTenant, area: 'text', revision: 'integer', word: 'text' },
  },
  last_number: {
    key: ['tenant', 'kind'],
    columns: { ...ofTenant, kind: 'text', number: 'integer' },
  },
  document: {
    key: ['tenant', 'kind', 'id'],
    columns: { ...ofTenant, kind: 'text', id: 'text', added: 'integer', name: 'text?', document: 'text' },
  },
  issue: {
    key: ['tenant', 'id'],
    columns: {
      id: 'numbered',
      ...ofTracker,
      key: 'text',
      revision: 'integer',
      updated: 'integer',
      tracker_id: 'text?',
      source_updated: 'integer?',
      cut: 'integer',
      unread_roles: 'integer',
      packed: 'bytes',
    },
  },
  issue_term: {
    key: ['tenant', 'tracker', 'kind', 'number'],
    columns: { ...ofTracker, kind: 'text', number: 'integer', term: 'text' },
  },
  issue_gone: {
    key: ['tenant', 'tracker', 'key'],
    columns: { ...ofTracker, key: 'text', revision: 'integer' },
  },
  issue_alias: {
    key: ['tenant', 'tracker', 'key'],
    columns: { ...ofTracker, key: 'text', tracker_id: 'text' },
  },
  issue_former_key: {
    key: ['tenant', 'tracker', 'key'],
    columns: { ...ofTracker, key: 'text', issue_key: 'text' },
  },
  issue_seen: {
    key: ['tenant', 'tracker', 'tracker_id'],
    columns: { ...ofTracker, tracker_id: 'text' },
  },
  user: {
    key: ['tenant', 'tracker', 'id'],
    columns: { ...ofTracker, id: 'text', document: 'text' },
  },
  work: {
    key: ['tenant', 'kind', 'id'],
    columns: {
      ...ofTenant,
      kind: 'text',
      id: 'text',
      owner: 'text',
      added: 'integer',
      open: 'text?',
      planned_for: 'integer',
      not_before: 'integer',
      holder: 'text?',
      held_until: 'integer',
      served: 'integer',
      document: 'text',
    },
  },
  watch_alert: {
    key: ['tenant', 'watch', 'key', 'since'],
    columns: {
      ...ofTenant,
      watch: 'text',
      key: 'text',
      since: 'integer',
      state: 'text',
      account: 'text?',
      claimed_at: 'integer',
      settled_at: 'integer?',
    },
  },
  cache_entry: {
    key: ['tenant', 'key'],
    columns: {
      ...ofTenant,
      key: 'text',
      namespace: 'text',
      value: 'text',
      added: 'integer',
      expires_at: 'integer?',
    },
  },
  blob: {
    key: ['tenant', 'place', 'id'],
    columns: {
      ...ofTenant,
      place: 'text',
      id: 'text',
      name: 'text?',
      bytes: 'integer',
      written: 'integer',
    },
  },
  blob_part: {
    key: ['tenant', 'place', 'id', 'number'],
    columns: { ...ofTenant, place: 'text', id: 'text', number: 'integer', bytes: 'bytes' },
  },
  // Ids of accounts and of the tracker's users are in `actor`, in `subject` of a `link` or an `alert`, and under `people` of
  // the document: `replace(document, '"ada"', '"…"')` finds them there, as each is a text of its own.
  audit: {
    key: ['tenant', 'number'],
    columns: {
      ...ofTenant,
      number: 'integer',
      at: 'integer',
      actor: 'text?',
      via: 'text',
      token: 'text?',
      request: 'text?',
      action: 'text',
      subject: 'text',
      document: 'text',
    },
  },
} as const satisfies Readonly<Record<string, Table>>;

/** The values of columns by their types. */
interface Values {
  readonly text: string;
  readonly 'text?': string | null;
  readonly integer: number;
  readonly 'integer?': number | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly numbered: Generated<number>;
}

type RowOf<Columns extends Table['columns']> = { readonly [Name in keyof Columns]: Values[Columns[Name]] };

/** The rows of `tables`, as kysely takes them. */
export type Tables = { [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]['columns']> };

/** Queries over these tables: each on its own, or all in one transaction, as the engine provides them. */
export type Queries = Kysely<Tables>;
