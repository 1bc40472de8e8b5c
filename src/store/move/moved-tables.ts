import type { Selectable } from 'kysely';
import type { Tables } from '../sql/tables.ts';

/** Kinds of columns: both engines have one type for each. */
export type ColumnKind = 'text' | 'integer' | 'bytes';

interface MovedTable<Row> {
  /** The columns of the primary key in PostgreSQL, by which rows are in order in both engines. */
  readonly key: readonly (keyof Row & string)[];
  readonly columns: { readonly [Column in keyof Row]-?: ColumnKind };
}

const ofTenant = { tenant: 'text' } as const;
const ofTracker = { ...ofTenant, tracker: 'text' } as const;

/** Tables that are not moved by their rows, but by their files, to where the other store has them. */
export const movedAsFiles = ['blob', 'blob_part'] as const;

type RowTables = Omit<Tables, (typeof movedAsFiles)[number]>;

/** Every other table with its columns. What the schema has and is not here would be lost with a move: a test compares. */
const movedTables: { readonly [Name in keyof RowTables]: MovedTable<Selectable<RowTables[Name]>> } = {
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
    columns: {
      ...ofTenant,
      kind: 'text',
      id: 'text',
      added: 'integer',
      name: 'text',
      document: 'text',
    },
  },
  issue: {
    key: ['tenant', 'id'],
    columns: {
      id: 'integer',
      ...ofTracker,
      key: 'text',
      revision: 'integer',
      updated: 'integer',
      tracker_id: 'text',
      source_updated: 'integer',
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
      open: 'text',
      planned_for: 'integer',
      not_before: 'integer',
      holder: 'text',
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
      account: 'text',
      claimed_at: 'integer',
      settled_at: 'integer',
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
      expires_at: 'integer',
    },
  },
  audit: {
    key: ['tenant', 'number'],
    columns: {
      ...ofTenant,
      number: 'integer',
      at: 'integer',
      actor: 'text',
      via: 'text',
      token: 'text',
      request: 'text',
      action: 'text',
      subject: 'text',
      document: 'text',
    },
  },
};

/** A table as a move reads and writes it. */
export interface TableShape {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
}

type AnyTable = { readonly key: readonly string[]; readonly columns: Readonly<Record<string, ColumnKind>> };

/** The tables in the order in which they are moved. */
export const tableShapes: readonly TableShape[] = Object.entries<AnyTable>(movedTables).map(
  ([name, { key, columns }]) => ({
    name,
    key,
    columns: Object.entries(columns).map(([column, kind]) => ({ name: column, kind })),
  }),
);

/** The table whose rows the database itself gives a number, which no other row of it ever had: the column `id`. */
export const NUMBERED = 'issue';

/** The names of columns as SQL lists them. */
export function columnList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
