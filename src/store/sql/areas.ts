import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { currentQuestion } from '../../concurrency/request-scope.ts';
import { type Engine, FixedQuery, type Tx, upsert, type WriteOptions } from './engine.ts';
import type { Queries } from './tables.ts';

/**
 * The state of an area: a revision, which rises with each write, a word that no other write has had, and whose it is.
 * `erasures` is another word once another person was erased; empty: no one was.
 */
interface AreaState {
  readonly revision: number;
  readonly word: string;
  readonly lineage: string;
  readonly erasures: string;
}

/** A write of an area; other writes of the area wait for its end. */
export interface AreaWrite extends Tx {
  /** The revision that the write before has left. */
  readonly revision: number;
  readonly lineage: string;
  readonly erasures: string;
  /** Raises the revision by one, and returns it; an area whose revision is not raised counts as unchanged. */
  next(): number;
  /** The last revision; the one before where it was not raised. */
  last(): number;
  /** The mark of the area as it would be if the write ended now. */
  markNow(): string;
}

/**
 * The areas of a tenant: parts of the store each of which is written by one at a time and has a mark, made of its revision
 * and a word. All that is remembered of an area is judged by its mark, which every question reads first, once. A database that was
 * restored, or has gone another way since it was copied, may come to the same revision again, but not with the same word.
 */
export interface Areas {
  /** The mark of an area, which is another one after each write of it. */
  markOf(area: string): Promise<string>;
  /** The revision of an area; 0 where it was never written. */
  revisionOf(area: string): Promise<number>;
  /**
   * Returns a text that is another one once the database may have lost changes, and went on from an earlier state; and once
   * a person was erased, which changes issues and terms in place.
   */
  lineage(): Promise<string>;
  /** Returns a function with the result of `read`: the very same until any process has written the area. */
  remember<Value>(area: string, read: () => Promise<Value>): () => Promise<Value>;
  write<Result>(
    area: string,
    work: (tx: AreaWrite) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result>;
}

const addArea = upsert('area', ['revision', 'word']);
const putArea = upsert('area');

/** The row of an area that was never written. */
const never = { revision: 0, word: '' };

/** The area that is written when persons are erased, and the one that is written when all is replaced, which begins another lineage. */
export const ERASURES = 'erasure';
export const ERASED = 'erased';

/** The number of writes of this process to any store; every open store compares it. */
let writes = 0;

/** A request uses the areas that it has read for this long (ms); a poll for another process reads them again. */
const MAX_AGE_MS = 250;

/** The areas of a tenant that were ever written. */
interface AllAreas extends Pick<AreaState, 'lineage' | 'erasures'> {
  readonly byName: ReadonlyMap<string, AreaState>;
}

/** A reading of all areas, and when it began. */
interface Reading {
  readonly states: Promise<AllAreas>;
  readonly after: number;
  readonly at: number;
}

/** The areas of a tenant over an engine. */
export function openAreas(engine: Engine, tenant: string): Areas {
  /** The reading that all calls for a question share, or else in a turn of the event loop, unless something is written in between. */
  const readings = new WeakMap<object, Reading>();
  let turn = {};

  const wordOf = (area: string, of: { tenant: string }): RawBuilder<string> =>
    sql`coalesce((select word from area where tenant = ${of.tenant} and area = ${sql.lit(area)}), '')`;
  const facts = (of: { tenant: string }) =>
    [
      sql<string>`${engine.lineage} || ${wordOf(ERASED, of)}`.as('lineage'),
      wordOf(ERASURES, of).as('erasures'),
    ] as const;

  const allAreas = new FixedQuery((db: Queries, of: { tenant: string }) =>
    db
      .selectFrom('area')
      .select(['area', 'revision', 'word', ...facts(of)])
      .where('tenant', '=', of.tenant),
  );

  /** One area, which no one else writes from then on until the transaction has ended. */
  const lockArea = new FixedQuery((db: Queries, of: { tenant: string; area: string }) =>
    db
      .selectFrom('area')
      .select(['revision', 'word', ...facts(of)])
      .where((row) => row.and({ tenant: of.tenant, area: of.area }))
      .forUpdate(),
  );

  async function readAll(): Promise<AllAreas> {
    const rows = await allAreas.all(engine.db, { tenant });
    const { lineage = '', erasures = '' } = rows[0] ?? {};
    return { lineage, erasures, byName: new Map(rows.map(({ area, ...state }) => [area, state])) };
  }

  function current(): Promise<AllAreas> {
    const scope = currentQuestion() ?? turn;
    const known = readings.get(scope);
    const now = performance.now();
    if (known?.after === writes && now - known.at < MAX_AGE_MS) return known.states;
    const states = readAll();
    readings.set(scope, { states, after: writes, at: now });
    states.catch(() => readings.delete(scope));
    if (scope === turn) {
      setImmediate(() => {
        turn = {};
      });
    }
    return states;
  }

  /** Waits until no one else writes an area, and returns its state. */
  async function lock(db: Queries, area: string): Promise<AreaState> {
    const there = await lockArea.first(db, { tenant, area });
    if (there !== undefined) return there;
    // Only a row that is there can be locked.
    await addArea.one.run(db, { tenant, area, ...never });
    return (await lockArea.first(db, { tenant, area })) ?? { ...never, lineage: '', erasures: '' };
  }

  async function stateOf(area: string): Promise<AreaState> {
    const { lineage, erasures, byName } = await current();
    return byName.get(area) ?? { ...never, lineage, erasures };
  }

  return {
    markOf: async (area) => markOf(await stateOf(area)),
    revisionOf: async (area) => (await stateOf(area)).revision,
    lineage: async () => (await current()).lineage,
    remember(area, read) {
      let known: { readonly mark: string; readonly value: Awaited<ReturnType<typeof read>> } | null = null;
      return async () => {
        const mark = markOf(await stateOf(area));
        if (known?.mark === mark) return known.value;
        const value = await read();
        known = { mark, value };
        return value;
      };
    },
    async write(area, work, options) {
      try {
        return await engine.write(async (tx) => {
          const before = await lock(tx.db, area);
          let now = before;
          const word = newWord();
          const { revision, lineage, erasures } = before;
          const result = await work({
            ...tx,
            revision,
            lineage,
            erasures,
            next() {
              now = { ...before, revision: now.revision + 1, word };
              return now.revision;
            },
            last: () => now.revision,
            markNow: () => markOf(now),
          });
          if (now !== before) await putArea.one.run(tx.db, { tenant, area, revision: now.revision, word });
          return result;
        }, options);
      } finally {
        writes += 1;
      }
    },
  };
}

function markOf({ revision, word, lineage }: AreaState): string {
  return `${revision} ${word} ${lineage}`;
}

function newWord(): string {
  return randomBytes(9).toString('base64url');
}
