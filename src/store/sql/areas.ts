import { randomBytes } from 'node:crypto';
import { type Engine, FixedQuery, type Tx, upsert, type WriteOptions } from './engine.ts';
import type { Queries } from './tables.ts';

/** The state of an area: a revision, which rises with each write, and a word that no other write has had. */
interface AreaState {
  readonly revision: number;
  readonly word: string;
}

/** A write of an area; other writes of the area wait for its end. */
export interface AreaWrite extends Tx {
  /** The revision that the write before has left. */
  readonly revision: number;
  /** Raises the revision by one, and returns it; an area whose revision is not raised counts as unchanged. */
  next(): number;
  /** The last revision so far: that of before where it was not raised. */
  last(): number;
  /** The mark of the area as it would be if the write ended now. */
  markNow(): string;
}

/**
 * The areas of a tenant: parts of the store each of which is written by one at a time and has a mark, made of its revision
 * and a word. All that is remembered of an area is judged by its mark, which every question reads first. A database that was
 * restored, or has gone another way since it was copied, may come to the same revision again, but not with the same word.
 */
export interface Areas {
  /** The mark of an area, which is another one after each write of it. */
  markOf(area: string): Promise<string>;
  /** The revision of an area; 0 where it was never written. */
  revisionOf(area: string): Promise<number>;
  /** Returns a function with the result of `read`: the very same until any process has written the area. */
  remember<Value>(area: string, read: () => Promise<Value>): () => Promise<Value>;
  write<Result>(
    area: string,
    work: (tx: AreaWrite) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result>;
}

const allAreas = new FixedQuery((db: Queries, of: { tenant: string }) =>
  db.selectFrom('area').select(['area', 'revision', 'word']).where('tenant', '=', of.tenant),
);

const putArea = upsert('area', ['tenant', 'area'], ['revision', 'word']);

const never: AreaState = { revision: 0, word: '' };

/** How often this process has written to any store, which is seen at once in all that are open in it. */
let writes = 0;

/** The areas of a tenant over an engine. */
export function openAreas(engine: Engine, tenant: string): Areas {
  /** The reading that all calls in one turn of the event loop share, unless something is written in between. */
  let reading: Promise<ReadonlyMap<string, AreaState>> | null = null;
  let readAfter = 0;

  async function readAll(db: Queries): Promise<ReadonlyMap<string, AreaState>> {
    const rows = await allAreas.all(db, { tenant });
    return new Map(rows.map(({ area, revision, word }) => [area, { revision, word }]));
  }

  function current(): Promise<ReadonlyMap<string, AreaState>> {
    if (reading !== null && readAfter === writes) return reading;
    const begun = readAll(engine.db);
    reading = begun;
    readAfter = writes;
    setImmediate(() => {
      if (reading === begun) reading = null;
    });
    return begun;
  }

  const stateOf = async (area: string) => (await current()).get(area) ?? never;

  return {
    markOf: async (area) => markOf(await stateOf(area)),
    revisionOf: async (area) => (await stateOf(area)).revision,
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
          const before = (await readAll(tx.db)).get(area) ?? never;
          let now = before;
          const word = newWord();
          const result = await work({
            ...tx,
            revision: before.revision,
            next() {
              now = { revision: now.revision + 1, word };
              return now.revision;
            },
            last: () => now.revision,
            markNow: () => markOf(now),
          });
          if (now !== before) await putArea.run(tx.db, { tenant, area, ...now });
          return result;
        }, options);
      } finally {
        writes += 1;
      }
    },
  };
}

function markOf({ revision, word }: AreaState): string {
  return `${revision} ${word}`;
}

function newWord(): string {
  return randomBytes(9).toString('base64url');
}
