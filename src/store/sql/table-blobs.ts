import { type FileHandle, open, rm } from 'node:fs/promises';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { type BlobStore, MIN_READ_MS, openParts, putTooLate } from '../blobs.ts';
import { type openDrafts, readDraft } from '../folder-blobs.ts';
import { type Engine, FixedQuery } from './engine.ts';
import type { Queries } from './tables.ts';

const PART_BYTES = 4 * 2 ** 20;

/** Parts that are removed in one transaction, and transactions in one sweep: 1 GB. */
const PARTS_AT_ONCE = 4;
const MAX_SWEEPS = 64;

/** Two processes that put the same name at once: the later one tries again. */
const MAX_TRIES = 5;

/** Options of writes that the last one makes durable: a name row that outlives a power cut comes after them in the log. */
const QUICK = { isDurable: false } as const;

/** The owner and the place of blobs, and the drafts that they come from. */
interface TablePlace {
  readonly tenant: string;
  /** The kind of blobs, such as `exports`. */
  readonly place: string;
  readonly drafts: ReturnType<typeof openDrafts>;
  readonly now: () => Instant;
  /** Makes an id that no other blob has. */
  readonly newId: () => string;
  readonly partBytes?: number;
}

interface OneBlob {
  readonly tenant: string;
  readonly place: string;
  readonly id: string;
}

const partOf = new FixedQuery((db: Queries, of: OneBlob & { readonly number: number }) =>
  db
    .selectFrom('blob_part')
    .select('bytes')
    .where((row) => row.and({ tenant: of.tenant, place: of.place, id: of.id, number: of.number })),
);

/**
 * Blobs as rows of the database, in parts. Each put has an id of its own, whose parts never change, and gets its name in one
 * transaction once all parts are there. Parts that no name leads to are swept an hour later: those of a put that was killed,
 * and of what was replaced or removed, which others may still read.
 */
export function createTableBlobs(
  engine: Engine,
  { tenant, place, drafts, now, newId, partBytes = PART_BYTES }: TablePlace,
): BlobStore {
  const blobs = (db: Queries) => db.selectFrom('blob').where((row) => row.and({ tenant, place }));
  const rename = (db: Queries, name: string | null) =>
    db
      .updateTable('blob')
      .set({ name, written: now() })
      .where((row) => row.and({ tenant, place }));

  async function writeParts(handle: FileHandle, bytes: number, blob: OneBlob): Promise<number> {
    let number = 0;
    for (let at = 0; at < bytes; at += partBytes) {
      const part = await readDraft(handle, at, Math.min(partBytes, bytes - at));
      const row = { ...blob, number, bytes: part };
      await engine.write(async ({ db }) => {
        const touched = await rename(db, null).where('id', '=', blob.id).executeTakeFirst();
        if (touched.numUpdatedRows !== 1n) throw putTooLate();
        await db.insertInto('blob_part').values(row).execute();
      }, QUICK);
      number += 1;
    }
    return number;
  }

  /** Gives parts their name, in place of those that had it. */
  async function giveName(name: string, blob: OneBlob, parts: number): Promise<void> {
    await engine.write(async ({ db }) => {
      await rename(db, null).where('name', '=', name).execute();
      const named = await rename(db, name).where('id', '=', blob.id).executeTakeFirst();
      // From here on nothing sweeps the parts.
      const there = await db
        .selectFrom('blob_part')
        .select((is) => is.fn.countAll<number>().as('parts'))
        .where((row) => row.and({ ...blob }))
        .executeTakeFirst();
      if (named.numUpdatedRows !== 1n || Number(there?.parts) !== parts) throw putTooLate();
    });
  }

  /** Removes some parts of a blob without a name, or the blob itself once it has none. */
  async function sweepSome(blob: OneBlob, oldest: Instant): Promise<'gone' | 'some' | 'named'> {
    return engine.write(async ({ db }) => {
      // The row is locked, so that a put that slept meanwhile cannot name what is being removed.
      const nameless = await db
        .updateTable('blob')
        .set((is) => ({ written: is.ref('written') }))
        .where((row) => row.and({ ...blob }))
        .where('name', 'is', null)
        .where('written', '<', oldest)
        .executeTakeFirst();
      if (nameless.numUpdatedRows !== 1n) return 'named';
      const first = await db
        .selectFrom('blob_part')
        .select((is) => is.fn.min('number').as('number'))
        .where((row) => row.and({ ...blob }))
        .executeTakeFirst();
      if (first === undefined || first.number === null) {
        await db
          .deleteFrom('blob')
          .where((row) => row.and({ ...blob }))
          .execute();
        return 'gone';
      }
      await db
        .deleteFrom('blob_part')
        .where((row) => row.and({ ...blob }))
        .where('number', '<', Number(first.number) + PARTS_AT_ONCE)
        .execute();
      return 'some';
    }, QUICK);
  }

  async function sweep(): Promise<void> {
    const oldest = now() - MIN_READ_MS;
    for (let sweeps = 0; sweeps < MAX_SWEEPS; ) {
      const nameless = blobs(engine.db).select('id').where('name', 'is', null).where('written', '<', oldest);
      const row = await nameless.orderBy('written').limit(1).executeTakeFirst();
      if (row === undefined) return;
      for (let left = 'some'; left === 'some' && sweeps < MAX_SWEEPS; sweeps += 1) {
        left = await sweepSome({ tenant, place, id: row.id }, oldest);
        // Others get their turn: an engine may do all of it in this one.
        await yieldToOthers();
      }
    }
  }

  return {
    ...drafts,
    async put(name, draft) {
      const blob = { tenant, place, id: newId() };
      await using handle = await open(draft, 'r');
      const { size: bytes } = await handle.stat();
      const row = { ...blob, bytes, name: null, written: now() };
      await engine.write(({ db }) => db.insertInto('blob').values(row).execute(), QUICK);
      const parts = await writeParts(handle, bytes, blob);
      for (let tries = 1; ; tries += 1) {
        try {
          await giveName(name, blob, parts);
          break;
        } catch (error) {
          if (engine.reasonOf(error) !== 'not-unique' || tries === MAX_TRIES) throw error;
        }
      }
      await rm(draft, { force: true });
    },
    async sweepDrafts(isMeant) {
      await drafts.sweepDrafts(isMeant);
      await sweep();
    },
    async open(name) {
      const row = await blobs(engine.db).select(['id', 'bytes']).where('name', '=', name).executeTakeFirst();
      if (row === undefined) return null;
      const { id, bytes } = row;
      return openParts({
        place: `${place}/${name} in the database`,
        bytes: Number(bytes),
        partBytes,
        async load(number) {
          const part = await partOf.first(engine.db, { tenant, place, id, number });
          if (part !== undefined) return part.bytes;
          const sentence = `'${place}/${name}' was removed from the database more than an hour ago.`;
          throw new AppError('store-unavailable', sentence);
        },
      });
    },
    async names() {
      const rows = await blobs(engine.db).select('name').where('name', 'is not', null).execute();
      return rows.flatMap(({ name }) => (name === null ? [] : [name]));
    },
    async remove(name) {
      await engine.write(({ db }) => rename(db, null).where('name', '=', name).execute());
    },
  };
}
