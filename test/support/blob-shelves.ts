import type { BlobStore } from '../../src/store/blobs.ts';
import { createFolderBlobs, openDrafts } from '../../src/store/folder-blobs.ts';
import { createS3Blobs } from '../../src/store/s3/s3-blobs.ts';
import { createS3Client } from '../../src/store/s3/s3-client.ts';
import type { Engine } from '../../src/store/sql/engine.ts';
import { createTableBlobs } from '../../src/store/sql/table-blobs.ts';
import { type StandInS3, startStandInS3 } from './stand-in-s3.ts';
import { readEngine, storeEngine } from './store-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Blobs, and what a test does to the place that they are in. */
export interface Shelf {
  readonly blobs: BlobStore;
  /** The same blobs as another process has them. */
  readonly others: BlobStore;
  /** The same place, for another tenant. */
  readonly foreign: BlobStore;
  readonly drafts: string;
  readonly clock: { now: number };
  /** Lets so many writes pass; those that come after them fail, as if the process were gone. Null: none fail any more. */
  breakAfter(writes: number | null): void;
  /** Lets so many writes pass; then this comes first, once. */
  interruptAfter(writes: number, by: () => Promise<void>): void;
  /** How many blobs are stored, whether or not a name leads to them; null where that cannot be known. */
  stored(): Promise<number | null>;
  /** How many uploads are neither completed nor aborted. */
  openUploads(): number;
  /** Removes the bytes of all blobs behind the back of everyone. */
  loseBytes(): Promise<void>;
}

/** The size of the parts that blobs come in here. */
export const PART = 8;
const opened: { close(): unknown }[] = [];

/** Closes what shelves were opened over. */
export async function closeShelves(): Promise<void> {
  for (const one of opened.splice(0)) await one.close();
  [database, service] = [null, null];
}

/** Each shelf has a place of its own. */
let shelfCount = 0;
const newId = () => crypto.randomUUID();

/** Writes of a process that is killed, or interrupted. */
function createWrites() {
  let left: number | null = null;
  let interrupt = killed;
  return {
    async next(): Promise<void> {
      if (left === 0) {
        if (interrupt !== killed) left = null;
        await interrupt();
      } else if (left !== null) left -= 1;
    },
    breakAfter(writes: number | null): void {
      [left, interrupt] = [writes, killed];
    },
    interruptAfter(writes: number, by: () => Promise<void>): void {
      [left, interrupt] = [writes, by];
    },
  };
}

async function killed(): Promise<void> {
  throw new Error('The process is gone.');
}

async function onFolder(): Promise<Shelf> {
  const drafts = temporaryFolder();
  const blobs = createFolderBlobs(drafts);
  return {
    ...{ blobs, others: createFolderBlobs(drafts), foreign: createFolderBlobs(temporaryFolder()), drafts },
    clock: { now: 0 },
    breakAfter() {},
    interruptAfter() {},
    stored: async () => null,
    openUploads: () => 0,
    async loseBytes() {},
  };
}

let database: Promise<Engine> | null = null;
async function openDatabase(): Promise<Engine> {
  const engine = await storeEngine.openEngine(temporaryFolder());
  opened.push(engine);
  return engine;
}

export async function onTable(): Promise<Shelf> {
  database ??= openDatabase();
  const engine = await database;
  shelfCount += 1;
  const place = `exports-${shelfCount}`;
  const clock = { now: Date.parse('2026-03-18T12:00:00Z') };
  const drafts = temporaryFolder();
  const { next, ...writes } = createWrites();
  const breakable: Engine = {
    ...engine,
    async write(work, how) {
      await next();
      return engine.write(work, how);
    },
  };
  const parts = {
    place,
    drafts: openDrafts(drafts),
    now: () => clock.now,
    newId,
    partBytes: PART,
  };
  const openOn = (over: Engine, tenant: string) => createTableBlobs(over, { tenant, ...parts });
  return {
    ...{ blobs: openOn(breakable, 'one'), others: openOn(engine, 'one'), foreign: openOn(engine, 'two') },
    ...{ drafts, clock },
    ...writes,
    async stored() {
      const rows = await engine.db.selectFrom('blob').select('bytes').where('place', '=', place).execute();
      const pieces = await engine.db
        .selectFrom('blob_part')
        .select('id')
        .where('place', '=', place)
        .execute();
      const wanted = rows.reduce((sum, { bytes }) => sum + Math.ceil(bytes / PART), 0);
      return pieces.length > wanted ? Number.NaN : rows.length;
    },
    openUploads: () => 0,
    async loseBytes() {
      await engine.write(({ db }) => db.deleteFrom('blob_part').where('place', '=', place).execute());
    },
  };
}

let service: StandInS3 | null = null;

async function onS3(): Promise<Shelf> {
  if (service === null) {
    service = await startStandInS3({ now: () => s3Clock.now, pageSize: 2, minPartBytes: PART });
    opened.push(service);
  }
  const standIn = service;
  shelfCount += 1;
  const folder = `dwell & co/${shelfCount}/`;
  const drafts = temporaryFolder();
  const { next, ...writes } = createWrites();
  const now = () => s3Clock.now;
  const client = createS3Client(
    { ...standIn.place, prefix: '' },
    { now, wait: async () => {}, random: () => 0 },
  );
  const breakable = { ...client };
  for (const name of [
    'put',
    'remove',
    'uploadPart',
    'completeUpload',
    'beginUpload',
    'abortUpload',
  ] as const) {
    Object.assign(breakable, {
      [name]: async (...args: unknown[]) => {
        await next();
        return Reflect.apply(client[name], client, args);
      },
    });
  }
  const parts = { drafts: openDrafts(drafts), now, newId, uploadBytes: PART, readBytes: PART / 2 };
  const openOn = (over: typeof client, of: string) => createS3Blobs(over, { ...parts, folder: of });
  return {
    ...{ blobs: openOn(breakable, folder), others: openOn(client, folder) },
    ...{ foreign: openOn(client, `${folder}other/`), drafts, clock: s3Clock },
    ...writes,
    stored: async () =>
      standIn.keys().filter((key) => key.startsWith(folder) && !key.startsWith(`${folder}names/`)).length,
    openUploads: standIn.openUploads,
    async loseBytes() {
      for (const key of standIn.keys()) if (key.startsWith(`${folder}data/`)) standIn.lose(key);
    },
  };
}
const s3Clock = { now: Date.parse('2026-03-18T12:00:00Z') };

const places = [
  { kind: 'a folder', open: onFolder },
  { kind: 'the table', open: onTable },
  { kind: 'a bucket', open: onS3 },
];
/** Where blobs may be. A folder and a bucket are the same whatever the engine: they are tried with one of them. */
export const kinds = storeEngine === readEngine() ? places : places.filter(({ open }) => open === onTable);
/** Of those, the ones that are not on this machine. */
export const remoteKinds = kinds.filter(({ open }) => open !== onFolder);
