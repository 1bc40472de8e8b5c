import type { Generated, Kysely } from 'kysely';

/** The owner of issues, people, delegations and the like: a tenant and one of its trackers. */
export type Owner = readonly [tenant: string, tracker: string];

interface OfTenant {
  readonly tenant: string;
}

interface OfTracker extends OfTenant {
  readonly tracker: string;
}

/**
 * The tables of the store, each column as the queries of both engines see it: instants in ms, truth values as 0 or 1, and
 * documents as JSON texts. `migrations` makes them.
 */
export interface Tables {
  area: OfTenant & { readonly area: string; readonly revision: number; readonly word: string };
  last_number: OfTenant & { readonly kind: string; readonly number: number };
  document: OfTenant & {
    readonly kind: string;
    readonly id: string;
    readonly added: number;
    readonly name: string | null;
    readonly document: string;
  };
  issue: OfTracker & {
    readonly id: Generated<number>;
    readonly key: string;
    readonly revision: number;
    readonly updated: number;
    readonly tracker_id: string | null;
    readonly source_updated: number | null;
    readonly cut: number;
    readonly unread_roles: number;
    readonly packed: Uint8Array<ArrayBuffer>;
  };
  issue_term: OfTracker & { readonly kind: string; readonly number: number; readonly term: string };
  issue_gone: OfTracker & { readonly key: string; readonly revision: number };
  issue_alias: OfTracker & { readonly key: string; readonly tracker_id: string };
  issue_former_key: OfTracker & { readonly key: string; readonly issue_key: string };
  issue_seen: OfTracker & { readonly tracker_id: string };
  user: OfTracker & { readonly id: string; readonly document: string };
  work: OfTenant & {
    readonly kind: string;
    readonly id: string;
    readonly owner: string;
    readonly added: number;
    readonly open: string | null;
    readonly planned_for: number;
    readonly not_before: number;
    readonly holder: string | null;
    readonly held_until: number;
    readonly served: number;
    readonly document: string;
  };
  watch_alert: OfTenant & {
    readonly watch: string;
    readonly key: string;
    readonly since: number;
    readonly state: string;
    readonly account: string | null;
    readonly claimed_at: number;
    readonly settled_at: number | null;
  };
  cache_entry: OfTenant & {
    readonly key: string;
    readonly namespace: string;
    readonly value: string;
    readonly added: number;
    readonly expires_at: number | null;
  };
  blob: OfTenant & {
    readonly place: string;
    readonly id: string;
    readonly name: string | null;
    readonly bytes: number;
    readonly written: number;
  };
  blob_part: OfTenant & {
    readonly place: string;
    readonly id: string;
    readonly number: number;
    readonly bytes: Uint8Array;
  };
  /**
   * The audit log. Ids of accounts and of the tracker's users are in `actor`, in `subject` of a `link` or an `alert`, and
   * under `people` of the document: `replace(document, '"ada"', '"…"')` finds them there, as each is a text of its own.
   */
  audit: OfTenant & {
    readonly number: number;
    readonly at: number;
    readonly actor: string | null;
    readonly via: string;
    readonly token: string | null;
    readonly request: string | null;
    readonly action: string;
    readonly subject: string;
    readonly document: string;
  };
}

/** Queries over these tables: each on its own, or all in one transaction, as the engine provides them. */
export type Queries = Kysely<Tables>;
