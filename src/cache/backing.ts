import { Keyv } from 'keyv';
import pLimit from 'p-limit';
import type { Instant } from '../model/issue.ts';

/** A value and when it was true. */
export interface Entry<Value> {
  readonly at: Instant;
  readonly value: Value;
}

/** The entries of one namespace, wherever they are stored. `ttlMs` (null: for ever) is when they can be swept away. */
export interface Entries<Value> {
  get(key: string): Promise<Entry<Value> | undefined>;
  set(key: string, entry: Entry<Value>, ttlMs: number | null): Promise<void>;
  delete(key: string): Promise<void>;
  /** Replaces an entry by what `change` makes of it (undefined: leave it), nobody writing in between. */
  change(
    key: string,
    ttlMs: number | null,
    change: (before: Entry<Value> | undefined) => Entry<Value> | undefined,
  ): Promise<void>;
  all(): Promise<readonly Entry<Value>[]>;
}

/** How the entries of one namespace are stored. */
export interface StoredHow {
  /** The oldest entry over so many goes first; null: there is no bound. */
  readonly most: number | null;
  /** Nobody waits for another process that writes: until that is over only this process knows what was written. */
  readonly defersWrites: boolean;
}

/** Where namespaces are stored: opens the one with a name. */
export type Backing = <Value>(namespace: string, how: StoredHow) => Entries<Value>;

/** Namespaces that other processes of the same Dwell read, and how to let go of them. */
export interface SharedCache {
  /** Those of one tenant, and of no other. */
  forTenant(tenant: string): Backing;
  close(): Promise<void>;
}

/** This process: values are neither copied nor written as text, so objects stay the same. */
export const inMemory: Backing = <Value>(namespace: string, { most }: StoredHow) => {
  const store = new BoundedMap(most ?? Number.POSITIVE_INFINITY);
  const keyv = new Keyv<Entry<Value>>({ ...strict, store, namespace });
  keyv.serialize = undefined;
  keyv.deserialize = undefined;
  return overKeyv(keyv);
};

/** What a storage adapter of Keyv must be able to do beyond that: change an entry, written as JSON, in one transaction. */
interface ChangingAdapter {
  change(
    key: string,
    change: (before: string | undefined) => string | undefined,
    ttl: number | undefined,
  ): Promise<void>;
}

/** The store, which outlives the process. `open` gives an adapter for one namespace. */
export function inStore(open: (how: StoredHow) => ChangingAdapter): Backing {
  return <Value>(namespace: string, how: StoredHow) => {
    const adapter = open(how);
    const keyv = new Keyv<Entry<Value>>({ ...strict, ...json, store: adapter, namespace });
    const change: Entries<Value>['change'] = (key, ttlMs, make) =>
      adapter.change(
        `${namespace}:${key}`,
        (before) => {
          const after = make(before === undefined ? undefined : (JSON.parse(before).value ?? undefined));
          return after === undefined ? undefined : JSON.stringify({ value: after });
        },
        ttlMs ?? undefined,
      );
    return { ...overKeyv(keyv), change };
  };
}

/** Failures are thrown, where nobody listens for the event Keyv would emit instead. */
export const strict = { emitErrors: false, throwOnErrors: true } as const;

/** Our values are plain JSON: Keyv's own texts also carry buffers, and take twice as long. */
export const json = { serialize: JSON.stringify, deserialize: JSON.parse } as const;

/** Entries of a Keyv. A change is made alone in this process, but not beside others on the same Redis. */
export function overKeyv<Value>(keyv: Keyv<Entry<Value>>): Entries<Value> {
  const alone = pLimit(1);
  const set: Entries<Value>['set'] = async (key, entry, ttlMs) => {
    await keyv.set(key, entry, ttlMs ?? undefined);
  };
  return {
    get: (key) => keyv.get(key),
    set,
    async delete(key) {
      await keyv.delete(key);
    },
    change: (key, ttlMs, change) =>
      alone(async () => {
        const after = change(await keyv.get(key));
        if (after !== undefined) await set(key, after, ttlMs);
      }),
    async all() {
      const found: Entry<Value>[] = [];
      for await (const [, entry] of keyv.iterator?.({}) ?? []) found.push(entry);
      return found;
    },
  };
}

/** Of more than `most` entries the one written longest ago goes. */
class BoundedMap<Value> extends Map<string, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#most) for (const oldest of this.keys().take(1)) this.delete(oldest);
    return this;
  }
}
