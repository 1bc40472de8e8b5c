import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { OpenBlob } from '../blobs.ts';
import { isSealed } from '../sealed-secrets.ts';
import { SECRETS } from '../sql/secrets.ts';
import {
  incompleteText,
  type MoveMark,
  moveCommand,
  refusalOf,
  type TableProgress,
  type TargetMark,
} from './move-mark.ts';
import type { MovedFiles, MoveSide, StoredDocument } from './move-side.ts';
import { addSlice, nothingRead, slicesOf, type TableShape, type Tally, tableShapes } from './moved-tables.ts';

/** A table that was moved; both sides have the same rows, in order. */
interface MovedTable extends Tally {
  readonly table: string;
}

/** The summary of a move. */
interface MoveSummary {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly MovedTable[];
  readonly files: CopiedFiles;
}

/** The step that a table is at, and the number of its rows that are done. */
interface MoveProgress {
  readonly step: 'copied' | 'compared' | 'files';
  readonly name: string;
  readonly done: number;
  readonly all: number;
}

/** The options of a move. */
interface MoveOptions {
  readonly from: MoveSide;
  readonly to: MoveSide;
  /** Also moves what was moved before, or was being moved elsewhere. */
  readonly isForced: boolean;
  readonly newId: () => string;
  readonly now: () => Instant;
  readonly onProgress: (progress: MoveProgress) => void;
}

/**
 * Moves everything from one store into an empty one. From its begin on no one writes to the first; it is marked as moved
 * once the rows of both are the same. A move that was interrupted goes on where it was when it is called again.
 */
export async function moveStore(options: MoveOptions): Promise<MoveSummary> {
  const { from, to, now, onProgress } = options;
  if (from.kind === to.kind)
    throw new AppError('invalid-value', `FROM and TO are both a ${from.kind}. Try: a folder and a database.`);
  const mark = await copyTables(from, to, { mark: await beginMove(options), onProgress });
  const tables = tableShapes.map(({ name }) => tallyOf(name, mark.tables[name] ?? notBegun));
  if (!mark.isCompared) {
    await to.finish(await from.lastNumber());
    await compareTables(to, tables, onProgress);
    await to.setMark({ ...mark, isCompared: true });
  }
  const files = await copyFiles(await from.tenants(), from.files, to.files, (copied) =>
    onProgress({ step: 'files', name: 'exports', done: copied.files, all: copied.files }),
  );
  await stampFolder(to);
  await from.setMark({ ...sourceMark(to), id: mark.id, at: now(), isOver: true });
  await to.release();
  return { from: from.place, to: to.place, tables, files };
}

/** Removes what a move has left in its first store, which can be used again from then on; null where there was nothing. */
export async function releaseSource(from: MoveSide): Promise<MoveMark | null> {
  const mark = await from.mark();
  if (mark?.role !== 'source') return null;
  await from.release();
  return mark;
}

/** Begins a move, or finds where it goes on: the mark of the store that is filled. */
async function beginMove({ from, to, isForced, newId, now }: MoveOptions): Promise<TargetMark> {
  const [source, target] = [await from.mark(), await to.mark()];
  if (source?.role === 'target')
    throw new AppError(
      'store-unavailable',
      incompleteText(source, { name: 'FROM', argument: from.argument }),
    );
  if (target?.role === 'source')
    throw new AppError('store-unavailable', refusalOf(target, { name: 'TO', argument: to.argument }));
  if (target !== null && source?.id === target.id) {
    // The same move may be under way in another process.
    await to.begin(target);
    await from.begin(source);
    return target;
  }
  if (source !== null) {
    if (!isForced && (source.isOver || source.other !== to.place))
      throw new AppError('store-unavailable', refusalOf(source, { name: 'FROM', argument: from.argument }));
    await from.release();
  }
  await from.prepare('source');
  await assertMovable(from, to);
  // A move that was interrupted before it had copied anything leaves nothing behind.
  if (target !== null && Object.keys(target.tables).length > 0)
    throw new AppError('store-unavailable', halfFilledText(target, { from, to }));
  if (target !== null) await to.release();
  await to.prepare('target');
  const filled = await to.firstFilled();
  if (filled !== null) {
    throw new AppError(
      'store-unavailable',
      `TO is not empty: a Dwell ran on it, or was moved to it (its table '${filled}' has rows). Try: a new ${to.kind}.`,
    );
  }
  const move = { id: newId(), at: now() };
  const { place: other, argument } = from;
  const mark: TargetMark = { ...move, role: 'target', other, argument, tables: {}, isCompared: false };
  await to.begin(mark);
  try {
    await from.begin({ ...sourceMark(to), ...move, isOver: false });
  } catch (error) {
    await to.release();
    throw error;
  }
  return mark;
}

/** The members of the mark of a store that is moved to another one which name that one. */
function sourceMark({ place, argument }: MoveSide) {
  return { role: 'source', other: place, argument } as const;
}

/** The sentence that refuses a store with rows of an earlier move, which may be another one. */
function halfFilledText(
  { other, argument, tables }: TargetMark,
  { from, to }: Pick<MoveOptions, 'from' | 'to'>,
): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const half = `TO is half filled: it has ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'} of a move from ${other}`;
  return other === from.place
    ? `${half}, which cannot go on, as FROM was used since, or is another one now. Try: ${to.emptied}.`
    : `${half}, which has not ended. Continue it: ${moveCommand(argument, to.argument)}. To move FROM instead, try: ${to.emptied}.`;
}

/** The kinds of documents by which a tenant posts on a schedule. */
export const SCHEDULED = ['digest', 'watches'];

/** Fails where something would be in the other store that may not be there. */
async function assertMovable(from: MoveSide, to: MoveSide): Promise<void> {
  const documents = await from.documents([SECRETS, 'stamp', ...SCHEDULED]);
  const plain = documents.filter(({ kind, document }) => kind === SECRETS && !isSealed(JSON.parse(document)));
  if (to.kind === 'database' && plain.length > 0) {
    throw new AppError(
      'not-configured',
      `FROM has ${plain.length === 1 ? '1 secret that is' : `${plain.length} secrets that are`} not encrypted, as all have to be in a database. Set SECRET_KEY, then run npx dwell secrets rotate with DATA_DIR ${from.argument} and without DATABASE_URL.`,
    );
  }
  const scheduled = new Set(
    documents.filter(({ kind }) => SCHEDULED.includes(kind)).map(({ tenant }) => tenant),
  );
  for (const { tenant, stamps } of placeStamps(from, documents)) {
    const here = await from.stamps.read(tenant);
    const isOurs = here === null ? stamps.length === 0 : stamps.includes(here);
    if (scheduled.has(tenant) && !isOurs) {
      throw new AppError(
        'store-unavailable',
        'Digests and alerts are paused in FROM, as its database was restored. If no other Dwell posts them, run npx dwell resume there, then try again.',
      );
    }
  }
}

/** The folder belongs to the database that was moved into it: nothing is paused. */
async function stampFolder(to: MoveSide): Promise<void> {
  if (!('write' in to.stamps)) return;
  for (const { tenant, stamps } of placeStamps(to, await to.documents(['stamp']))) {
    const [newest] = stamps;
    if (newest !== undefined) await to.stamps.write(tenant, newest);
  }
}

/** The stamps that a database has of its place, by tenant. */
function placeStamps(
  side: MoveSide,
  documents: readonly StoredDocument[],
): { tenant: string; stamps: readonly string[] }[] {
  return documents
    .filter(({ kind, id }) => kind === 'stamp' && id === side.stamps.name)
    .map(({ tenant, document }) => ({ tenant, stamps: JSON.parse(document) }));
}

const notBegun: TableProgress = { ...nothingRead, after: null, isWhole: false };

/** Copies the tables, each from where the mark says, and returns the mark at the end. */
async function copyTables(
  from: MoveSide,
  to: MoveSide,
  { mark: begun, onProgress }: { readonly mark: TargetMark } & Pick<MoveOptions, 'onProgress'>,
): Promise<TargetMark> {
  let mark = begun;
  for (const table of tableShapes) {
    let progress = mark.tables[table.name] ?? notBegun;
    if (progress.isWhole) continue;
    const all = await from.countRows(table);
    const marked = (now: TableProgress): TargetMark => {
      progress = now;
      mark = { ...mark, tables: { ...mark.tables, [table.name]: now } };
      return mark;
    };
    for await (const slice of slicesOf(from.rows(table, progress.after), table)) {
      const now = { ...addSlice(progress, slice), after: slice.last, isWhole: false };
      await to.add(table, slice, marked(now));
      onProgress({ step: 'copied', name: table.name, done: progress.rows, all });
    }
    await to.setMark(marked({ ...progress, isWhole: true }));
  }
  return mark;
}

function tallyOf(table: string, { rows, bytes, checksum }: Tally): MovedTable {
  return { table, rows, bytes, checksum };
}

/** Reads all that was written, and compares it with what was read. */
async function compareTables(
  to: MoveSide,
  moved: readonly MovedTable[],
  onProgress: MoveOptions['onProgress'],
): Promise<void> {
  for (const [index, table] of tableShapes.entries()) {
    const wanted = moved[index] ?? tallyOf(table.name, nothingRead);
    const found = await tally(to, table, (done) =>
      onProgress({ step: 'compared', name: table.name, done, all: wanted.rows }),
    );
    if (found.rows === wanted.rows && found.checksum === wanted.checksum) continue;
    throw new AppError(
      'store-unavailable',
      `The table '${table.name}' differs: ${wanted.rows} rows were read (${wanted.checksum.slice(0, 8)}), and ${found.rows} are in TO (${found.checksum.slice(0, 8)}). TO cannot be used. Try: the same move with --force into ${to.emptied}.`,
    );
  }
}

/** Reads a whole table. */
export async function tally(
  side: MoveSide,
  table: TableShape,
  onRows: (rows: number) => void = () => {},
): Promise<Tally> {
  let all = nothingRead;
  for await (const slice of slicesOf(side.rows(table, null), table)) {
    all = addSlice(all, slice);
    onRows(all.rows);
  }
  return all;
}

/** The part of a file (bytes) that is in memory. */
const PART_BYTES = 2 ** 20;

/** Files that were copied. */
interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Copies the files of tenants; one that is there already is replaced. Where both are in one place, nothing is copied. */
async function copyFiles(
  tenants: readonly string[],
  from: MovedFiles,
  to: MovedFiles,
  onFile: (copied: CopiedFiles) => void,
): Promise<CopiedFiles> {
  let copied: CopiedFiles = { files: 0, bytes: 0 };
  if (from.place === to.place) return copied;
  for (const tenant of tenants) {
    const [source, target] = [await from.of(tenant), await to.of(tenant)];
    for (const name of await source.names()) {
      const blob = await source.open(name);
      if (blob === null) continue;
      try {
        const draft = await target.draft(name);
        await pipeline(Readable.from(partsOf(blob)), createWriteStream(draft, { mode: 0o600 }));
        await target.put(name, draft);
        await assertSame(name, blob, await target.open(name));
        copied = { files: copied.files + 1, bytes: copied.bytes + blob.bytes };
        onFile(copied);
      } finally {
        await blob.close();
      }
    }
  }
  return copied;
}

async function assertSame(name: string, blob: OpenBlob, copy: OpenBlob | null): Promise<void> {
  try {
    if (copy !== null && (await checksumOf(copy)) === (await checksumOf(blob))) return;
    throw new AppError('store-unavailable', `The copy of the file '${name}' differs. Run the command again.`);
  } finally {
    await copy?.close();
  }
}

async function checksumOf(blob: OpenBlob): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of partsOf(blob)) hash.update(part);
  return hash.digest('hex');
}

async function* partsOf(blob: OpenBlob): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < blob.bytes; position += PART_BYTES) {
    const part = new Uint8Array(Math.min(PART_BYTES, blob.bytes - position));
    await blob.read(part, position);
    yield part;
  }
}
