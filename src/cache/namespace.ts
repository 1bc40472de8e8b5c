import { Keyv } from 'keyv';
import pLimit from 'p-limit';
import { detached } from '../concurrency/cooperative-yield.ts';
import type { AddPoints } from '../concurrency/rate-limits.ts';
import type { Outage } from '../model/error.ts';
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
  /** Replaces an entry by the result of `change` (undefined: leave it), without another write in between. */
  change(
    key: string,
    ttlMs: number | null,
    change: (before: Entry<Value> | undefined) => Entry<Value> | undefined,
  ): Promise<void>;
  all(): Promise<readonly Entry<Value>[]>;
}

/** The storage options of one namespace. */
interface StoredHow {
  /** The most entries; over it the oldest goes first; null: there is no bound. */
  readonly maxEntries: number | null;
  /** No call waits for another process that writes: until that is over only this process has the new value. */
  readonly defersWrites: boolean;
}

/** A place where namespaces are stored: opens the one with a name. */
export type Backing = <Value>(namespace: string, how: StoredHow) => Entries<Value>;

/** Namespaces that other processes of the same Dwell read, and how to let go of them. */
export interface SharedCache {
  /** Those of one tenant, and of no other. */
  forTenant(tenant: string): Backing;
  /** Counts of one tenant that every process adds to; null: there is no place for them. */
  readonly addPoints: ((tenant: string) => AddPoints) | null;
  /** The reason why they cannot be read at the moment; null: they can. */
  outage(): Outage | null;
  close(): Promise<void>;
}

/** This process: values are neither copied nor written as text, so objects stay the same. */
export const inMemory: Backing = <Value>(namespace: string, { maxEntries }: StoredHow) => {
  const store = new BoundedMap(maxEntries ?? Number.POSITIVE_INFINITY);
  const keyv = new Keyv<Entry<Value>>({ ...strict, store, namespace });
  keyv.serialize = undefined;
  keyv.deserialize = undefined;
  return overKeyv(keyv);
};

/** The extension of a storage adapter of Keyv: changes an entry, written as JSON, in one transaction. */
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

/** Failures are thrown: the event that Keyv would emit instead has no listener. */
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

/** A map of at most `max` entries, beyond which the one written longest ago goes. */
class BoundedMap<Value> extends Map<string, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#max) for (const oldest of this.keys().take(1)) this.delete(oldest);
    return this;
  }
}

/** The declaration of a namespace, where it is used. */
interface Declaration<Value> {
  readonly name: string;
  /**
   * The time (ms) for which a value is good; null: until it is replaced. A function of the value where some are good
   * for longer; 0: not at all.
   */
  readonly ttlMs: number | null | ((value: Value) => number);
  /** A good value older than this is given once more, while a new one is made behind the principal's back. */
  readonly freshMs?: number;
  /** The largest number of entries, beyond which the oldest goes first; null: there is no bound. */
  readonly maxEntries: number | null;
  readonly now: () => Instant;
  /** The place where it is stored; this process, unless values are plain JSON and other processes read them. */
  readonly backing?: Backing | undefined;
  /** A write that another process's would hold up is made later, for values that are better lost than waited for. */
  readonly defersWrites?: boolean;
  /** From when on a value grows older, by value where they differ: `asked` (the careful one) is when its making began. */
  readonly ages?: Ages | ((value: Value) => Ages);
  /**
   * The rule for an entry from the future, left by a clock that was set back since. By default it has expired, so that
   * nothing lasts longer than it may. It is `good` where losing it is worse: something would be done twice, or not be
   * found.
   */
  readonly fromFuture?: 'expired' | 'good';
  /** The way in which callers of one key wait for one making. */
  readonly share?: Share;
}

type Ages = 'asked' | 'answered';

/** Requirements beyond a good value. */
interface Wanted<Value> {
  readonly youngerThanMs?: number;
  readonly isStill?: (value: Value) => boolean;
}

/** Values by key, each for as long as it is good. Keys hold nothing secret. */
export interface Namespace<Value> {
  /** The good value, stored or being made; undefined where there is none. */
  get(key: string, wanted?: Wanted<Value>): Promise<Value | undefined>;
  /** The same, or the result of `make`, which concurrent calls share. A failure is not remembered. */
  getOrMake(key: string, make: () => Promise<Value>, wanted?: Wanted<Value>): Promise<Value>;
  /** It ages from `at`; by default from now on. */
  set(key: string, value: Value, at?: Instant): Promise<void>;
  /** False where a good value is there already; of several who add at the same time one succeeds. */
  add(key: string, value: Value): Promise<boolean>;
  /** Replaces the value by the result of `change`, without another write in between. */
  change(key: string, change: (before: Value | undefined) => Value): Promise<Value>;
  /** Puts a value in the place of a good one, as old as that; does nothing where there is none. */
  replace(key: string, value: Value): Promise<void>;
  /** Also of what is being made nothing is remembered. */
  delete(key: string): Promise<void>;
  /** Every good value. */
  values(): Promise<readonly Value[]>;
}

/**
 * Opens a namespace. Its clock is the one handed in, and one rule holds for all but what is declared otherwise: an entry
 * from the future, left by a clock that was set back since, has expired.
 */
export function createNamespace<Value>({
  name,
  ttlMs,
  freshMs = Number.POSITIVE_INFINITY,
  maxEntries,
  now,
  backing = inMemory,
  defersWrites = false,
  ages = 'asked',
  fromFuture = 'expired',
  share,
}: Declaration<Value>): Namespace<Value> {
  const entries = backing<Value>(name, { maxEntries, defersWrites });
  const looks = singleFlight<Entry<Value>>(share);
  const makings = singleFlight<Entry<Value>>(share);
  const ttlOf = (value: Value) => (typeof ttlMs === 'function' ? ttlMs(value) : ttlMs);
  const agesOf = (value: Value) => (typeof ages === 'function' ? ages(value) : ages);

  function isYounger({ at }: Entry<Value>, ms: number): boolean {
    const age = now() - at;
    return (age >= 0 || fromFuture === 'good') && age < ms;
  }

  function isGood(entry: Entry<Value>, { youngerThanMs, isStill }: Wanted<Value> = {}): boolean {
    const ttl = ttlOf(entry.value);
    if (ttl !== null && !isYounger(entry, ttl)) return false;
    if (youngerThanMs !== undefined && !isYounger(entry, youngerThanMs)) return false;
    return isStill === undefined || isStill(entry.value);
  }

  async function read(key: string, wanted?: Wanted<Value>): Promise<Entry<Value> | undefined> {
    const entry = await entries.get(key);
    return entry !== undefined && isGood(entry, wanted) ? entry : undefined;
  }

  async function write(key: string, entry: Entry<Value>): Promise<void> {
    const ttl = ttlOf(entry.value);
    if (ttl === null || ttl > 0) await entries.set(key, entry, ttl);
  }

  function makeEntry(key: string, make: () => Promise<Value>): Promise<Entry<Value>> {
    return makings.run(key, async (isCurrent) => {
      const askedAt = now();
      const value = await make();
      const entry = { at: agesOf(value) === 'asked' ? askedAt : now(), value };
      if (isCurrent()) await write(key, entry);
      return entry;
    });
  }

  async function find(
    key: string,
    make: () => Promise<Value>,
    wanted?: Wanted<Value>,
  ): Promise<Entry<Value>> {
    const entry = await read(key, wanted);
    if (entry === undefined) return makeEntry(key, make);
    // A failure reaches the caller who comes once the value is no longer good.
    if (!isYounger(entry, freshMs) && freshMs !== Number.POSITIVE_INFINITY)
      makeEntry(key, make).catch(() => {});
    return entry;
  }

  function drop(key: string): void {
    looks.drop(key);
    makings.drop(key);
  }

  return {
    async get(key, wanted) {
      const underWay = await (looks.joined(key) ?? makings.joined(key));
      if (underWay !== null && isGood(underWay, wanted)) return underWay.value;
      return (await read(key, wanted))?.value;
    },
    async getOrMake(key, make, wanted) {
      // Others may be looking for what would not do here.
      for (let joined = looks.joined(key); joined !== null; joined = looks.joined(key)) {
        const entry = await joined;
        if (wanted === undefined || isGood(entry, wanted)) return entry.value;
      }
      return (await looks.run(key, () => find(key, make, wanted))).value;
    },
    async set(key, value, at = now()) {
      drop(key);
      await write(key, { at, value });
    },
    async add(key, value) {
      let isAdded = false;
      await entries.change(key, ttlOf(value), (before) => {
        isAdded = before === undefined || !isGood(before);
        return isAdded ? { at: now(), value } : undefined;
      });
      return isAdded;
    },
    async change(key, change) {
      let changed: { readonly value: Value } | null = null;
      const at = now();
      await entries.change(key, typeof ttlMs === 'function' ? null : ttlMs, (before) => {
        const value = change(before !== undefined && isGood(before) ? before.value : undefined);
        changed = { value };
        return { at, value };
      });
      return changedValue(changed, name);
    },
    replace: (key, value) =>
      entries.change(key, ttlOf(value), (before) =>
        before === undefined || !isGood(before) ? undefined : { at: before.at, value },
      ),
    async delete(key) {
      drop(key);
      await entries.delete(key);
    },
    async values() {
      return (await entries.all()).filter((entry) => isGood(entry)).map(({ value }) => value);
    },
  };
}

function changedValue<Value>(changed: { readonly value: Value } | null, name: string): Value {
  if (changed === null) throw new Error(`The namespace '${name}' changed nothing.`);
  return changed.value;
}

/**
 * The way in which several callers wait for one piece of work; `onEnd` is called when there is nothing to wait for any
 * more.
 */
type Share = <Result>(run: () => Promise<Result>, onEnd: () => void) => () => Promise<Result>;

/** Work under way by key, which concurrent calls share. */
interface SingleFlight<Result> {
  /** The work under way for the key; null where there is none. */
  joined(key: string): Promise<Result> | null;
  /** Joins what is under way, or begins it. `isCurrent` turns false when the key is dropped meanwhile. */
  run(key: string, work: (isCurrent: () => boolean) => Promise<Result>): Promise<Result>;
  /** Later calls begin anew. */
  drop(key: string): void;
}

/** Nothing under way. `share` decides what becomes of work whose callers leave; by default it goes on to its end. */
export function singleFlight<Result>(share: Share = shareToTheEnd): SingleFlight<Result> {
  const flights = new Map<string, () => Promise<Result>>();
  return {
    joined: (key) => flights.get(key)?.() ?? null,
    run(key, work) {
      const underWay = flights.get(key);
      if (underWay !== undefined) return underWay();
      const isCurrent = () => flights.get(key) === join;
      const end = () => {
        if (isCurrent()) flights.delete(key);
      };
      const join: () => Promise<Result> = share(async () => {
        // The flight is listed before its work begins, so that `isCurrent` is true in it.
        await null;
        try {
          return await work(isCurrent);
        } finally {
          end();
        }
      }, end);
      flights.set(key, join);
      return join();
    },
    drop: (key) => void flights.delete(key),
  };
}

function shareToTheEnd<Result>(run: () => Promise<Result>): () => Promise<Result> {
  // Those who joined still wait for it when the one who asked first has left.
  const result = detached(run);
  return () => result;
}

/** A function that remembers what it found for a key. */
type Memo<Key, Args extends readonly unknown[], Value> = (key: Key, ...args: Args) => Value;

/**
 * Makes a value once for a key and returns the very same one from then on. An object is known by its identity, for as
 * long as it lives; of other keys (a text, a revision) the `max` that came last are known, the oldest goes first. An
 * error of `make` is not remembered. For values that never leave the process and are needed synchronously; values that
 * grow old or are needed elsewhere belong in a namespace.
 */
export function memo<Key, Args extends readonly unknown[], Value>(
  make: Memo<Key, Args, Value>,
  max = 1,
): Memo<Key, Args, Value> {
  const byObject = new WeakMap<WeakKey, { readonly value: Value }>();
  const byKey = new Map<Key, { readonly value: Value }>();
  return (key, ...args) => {
    const isObject = (typeof key === 'object' && key !== null) || typeof key === 'function';
    const known = isObject ? byObject.get(key) : byKey.get(key);
    if (known !== undefined) return known.value;
    const made = { value: make(key, ...args) };
    if (isObject) byObject.set(key, made);
    else {
      if (byKey.size >= max) for (const oldest of byKey.keys().take(1)) byKey.delete(oldest);
      byKey.set(key, made);
    }
    return made.value;
  };
}
