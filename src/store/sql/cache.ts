import { millisecondsInHour } from 'date-fns/constants';
import pLimit from 'p-limit';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { auditedNamespaces, type DescribeChange } from '../audited-kinds.ts';
import type { CacheAdapter, OpenCache } from '../store.ts';
import type { Areas } from './areas.ts';
import type { WriteAudit } from './audit.ts';
import { type Engine, FixedQuery, type Tx, upsert, type WriteOptions } from './engine.ts';
import type { Queries } from './tables.ts';

/** The pause (ms) before deferred writes are tried again. */
const RETRY_MS = 100;

/** The oldest go before there are more than this part too many, so that they go together and not with each write. */
const TOO_MANY = 1 / 8;

/** Options of writes that need not outlive a failing power supply: they do not wait for the disk. */
const QUICK = { isDurable: false } as const;

const valueBy = (db: Queries, of: { tenant: string; key: string }) =>
  db
    .selectFrom('cache_entry')
    .select('value')
    .where((row) => row.and({ tenant: of.tenant, key: of.key }));
const find = new FixedQuery(valueBy);
/** The same of an entry that no one else writes until the transaction has ended. */
const findLocked = new FixedQuery((db, of: { tenant: string; key: string }) => valueBy(db, of).forUpdate());

const put = upsert('cache_entry');

/** Describe changes of entries, by namespace. A text is an entry as Keyv has it, in which the value is one of a namespace. */
const describers: ReadonlyMap<string, DescribeChange<string>> = new Map(
  Object.entries(auditedNamespaces).map(([namespace, describe]) => [
    namespace,
    ({ id, before, after }) => describe({ id, before: chosenIn(before), after: chosenIn(after) }),
  ]),
);

/** An entry as it is to be written. */
interface Written {
  readonly namespace: string;
  readonly value: string;
  /** Its place in the order of entries: the instant, or behind the one before. */
  readonly added: number;
  readonly expires_at: Instant | null;
  /** The largest number of entries of the namespace, beyond which the oldest go; null: there is no bound. */
  readonly max: number | null;
}

/** The cache of a tenant, and its end before the database is closed. */
export interface OpenedCache {
  readonly open: OpenCache;
  /** Returns true where some writes are deferred, so that only this process knows them. */
  hasDeferred(): boolean;
  /** Writes what was deferred, as far as that is possible. */
  close(): Promise<void>;
}

/**
 * Storage adapters of Keyv over a tenant's part of one table. What may be deferred is written at once unless another process
 * writes; then this process alone knows it until that is over.
 */
export function openCache(
  engine: Engine,
  areas: Areas,
  { tenant, audit }: { readonly tenant: string; readonly audit: WriteAudit },
): OpenedCache {
  /** Deferred entries by key, the oldest first. */
  const deferred = new Map<string, Written>();
  /** By namespace: how many entries there are at most, and beyond how many the oldest go. */
  const crowds = new Map<string, { readonly entries: number; readonly limit: number }>();
  const toDelete = (db: Queries) => db.deleteFrom('cache_entry').where('tenant', '=', tenant);
  let retry: NodeJS.Timeout | null = null;
  let added = 0;
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function countOf(db: Queries, namespace: string): Promise<number> {
    const entries = db.selectFrom('cache_entry').where((row) => row.and({ tenant, namespace }));
    const row = await entries.select((is) => is.fn.countAll<number>().as('count')).executeTakeFirst();
    return Number(row?.count);
  }

  async function write({ db }: Tx, key: string, { max, ...entry }: Written): Promise<void> {
    const { namespace } = entry;
    await put.one.run(db, { tenant, key, ...entry });
    if (max === null) return;
    const known = crowds.get(namespace) ?? { entries: (await countOf(db, namespace)) - 1, limit: max };
    const entries = known.entries + 1;
    const isCrowded = entries > known.limit;
    crowds.set(namespace, isCrowded ? { entries: max, limit: max + max * TOO_MANY } : { ...known, entries });
    if (!isCrowded) return;
    // The index has their order, so nothing else is read.
    const oldest = db
      .selectFrom('cache_entry')
      .select('added')
      .where((is) => is.and({ tenant, namespace }))
      .orderBy('added', 'desc')
      .limit(1)
      .offset(max);
    await toDelete(db).where('namespace', '=', namespace).where('added', '<=', oldest).execute();
  }

  /** Removes expired entries once in an hour, together with a write. */
  async function sweepIfDue({ db }: Tx, now: Instant | null): Promise<void> {
    if (now === null || Math.abs(now - sweptAt) < millisecondsInHour) return;
    sweptAt = now;
    await toDelete(db).where('expires_at', '<', now).execute();
  }

  async function writeDeferred(lockTimeoutMs?: number, now: Instant | null = null): Promise<void> {
    if (deferred.size === 0) return;
    const written = await engine.write(
      async (tx) => {
        const entries = [...deferred];
        for (const [key, entry] of entries) await write(tx, key, entry);
        await sweepIfDue(tx, now);
        return entries;
      },
      lockTimeoutMs === undefined ? QUICK : { ...QUICK, lockTimeoutMs },
    );
    // Entries that were set meanwhile are not written yet.
    for (const [key, entry] of written) if (deferred.get(key) === entry) deferred.delete(key);
  }

  function writeLater(): void {
    if (deferred.size === 0) return;
    retry ??= setTimeout(() => {
      retry = null;
      // A failure reaches the next write.
      void writeDeferred(0).then(writeLater, writeLater);
    }, RETRY_MS).unref();
  }

  /** Reads the deferred value first: it is newer than the stored one. */
  async function read(db: Queries, key: string, how = find): Promise<string | undefined> {
    return deferred.get(key)?.value ?? (await how.first(db, { tenant, key }))?.value;
  }

  const open: OpenCache = ({ maxEntries: max, defersWrites = false, now }) => {
    const inTurn = pLimit(1);
    const entryOf = (value: string, ttl: number | undefined): Written => {
      const { namespace = '' } = adapter;
      added = Math.max(added + 1, now());
      return { namespace, value, added, max, expires_at: ttl === undefined ? null : now() + ttl };
    };

    async function defer(key: string, entry: Written): Promise<void> {
      // An entry that is written again is the youngest.
      deferred.delete(key);
      deferred.set(key, entry);
      try {
        await writeDeferred(0, now());
      } catch (error) {
        if (error instanceof AppError && engine.reasonOf(error.cause) === 'busy') return writeLater();
        if (deferred.get(key) === entry) deferred.delete(key);
        throw error;
      }
    }

    /** Writes what `make` makes of what is there, and nothing for undefined, by `transaction`. */
    async function change(
      transaction: (work: (tx: Tx) => Promise<void>, options: WriteOptions) => Promise<void>,
      key: string,
      make: (before: () => Promise<string | undefined>) => Promise<string | undefined>,
      ttl: number | undefined,
    ): Promise<void> {
      if (defersWrites) {
        await inTurn(async () => {
          const after = await make(() => read(engine.db, key));
          if (after !== undefined) await defer(key, entryOf(after, ttl));
        });
        return;
      }
      await transaction(
        async (tx) => {
          const describe = describers.get(adapter.namespace ?? '');
          const before = describe === undefined ? null : ((await read(tx.db, key, findLocked)) ?? null);
          const after = await make(() => read(tx.db, key, findLocked));
          if (after !== undefined) await write(tx, key, entryOf(after, ttl));
          const event = describe?.({ id: idOf(key), before, after: after ?? before }) ?? null;
          if (event !== null) await audit(tx, [event]);
          await sweepIfDue(tx, ttl === undefined ? null : now());
        },
        ttl === undefined ? {} : QUICK,
      );
    }

    const adapter: CacheAdapter = {
      // Keyv looks here whether entries can be listed.
      opts: { dialect: 'sqlite', url: '' },
      // Keyv sets it.
      namespace: undefined,
      get: (key) => read(engine.db, key),
      set: (key, value, ttl) => change(engine.write, key, async () => value, ttl),
      // A row that does not exist cannot be locked by itself.
      change: (key, make, ttl) =>
        change(
          (...of) => areas.write('cache', ...of),
          key,
          async (before) => make(await before()),
          ttl,
        ),
      async delete(key) {
        const wasDeferred = deferred.delete(key);
        const { numDeletedRows } = await engine.write(({ db }) =>
          toDelete(db).where('key', '=', key).executeTakeFirstOrThrow(),
        );
        return wasDeferred || numDeletedRows > 0n;
      },
      async clear() {
        const { namespace = '' } = adapter;
        for (const [key, entry] of deferred) if (entry.namespace === namespace) deferred.delete(key);
        await engine.write(({ db }) => toDelete(db).where('namespace', '=', namespace).execute());
      },
      async *iterator(namespace = adapter.namespace ?? '') {
        // It may be written between these two moments.
        const before = [...deferred];
        const rows = await engine.db
          .selectFrom('cache_entry')
          .select(['key', 'value'])
          .where((is) => is.and({ tenant, namespace }))
          .orderBy('key')
          .execute();
        const values = new Map(rows.map(({ key, value }) => [key, value]));
        for (const [key, entry] of [...before, ...deferred])
          if (entry.namespace === namespace) values.set(key, entry.value);
        yield* values;
      },
    };
    return adapter;
  };

  return {
    open,
    hasDeferred: () => deferred.size > 0,
    async close() {
      // A store that cannot be written to is closed all the same.
      await writeDeferred().catch(() => {});
      deferred.clear();
      if (retry !== null) clearTimeout(retry);
    },
  };
}

/** The part of a key after its namespace. */
function idOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

function chosenIn(text: string | null) {
  return text === null ? null : (JSON.parse(text).value?.value ?? null);
}
