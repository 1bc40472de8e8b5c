import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../model/error.ts';
import type { BlobStore } from '../blobs.ts';
import { folderBlobs } from '../folder-blobs.ts';
import { makeFolder } from '../sqlite/make-folder.ts';
import { FOLDER_STAMP } from '../stamps.ts';
import type { MoveMark, TargetMark } from './move-mark.ts';
import { type Row, type Slice, type TableShape, tableShapes } from './moved-tables.ts';

/** Files of tenants; two with the same `place` are the same files. */
export interface MovedFiles {
  readonly place: string;
  /** The files of a tenant; what they need is made. */
  of(tenant: string): Promise<BlobStore>;
}

/**
 * The stamps by which the place of a database knows it: a word for each tenant in the folder that it is in, or its identity on
 * the server.
 */
interface PlaceStamps {
  /** The name of the stamps that the database has of it. */
  readonly name: string;
  /** Null where there is none. */
  read(tenant: string): Promise<string | null>;
}

/** The stamps in a folder. */
interface FolderStamps extends PlaceStamps {
  write(tenant: string, stamp: string): Promise<void>;
}

/** A stored document, as JSON. */
export interface StoredDocument {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
  readonly document: string;
}

/** A store that takes part in a move. */
export interface MoveSide {
  readonly kind: 'folder' | 'database';
  /** The store as people read it, without user and password. */
  readonly place: string;
  /** The word for it in a command. */
  readonly argument: string;
  /** An empty store of its kind that can take its place, and how to make it, in words. */
  readonly emptied: string;
  readonly files: MovedFiles;
  readonly stamps: PlaceStamps | FolderStamps;
  /** The mark; null in a store that takes part in no move. */
  mark(): Promise<MoveMark | null>;
  /** Makes the schema, or brings it to its last step; fails where there is no store that could be moved. */
  prepare(role: 'source' | 'target'): Promise<void>;
  /** The first table that has a row; null where none has. */
  firstFilled(): Promise<string | null>;
  /** Sets the mark while nothing else uses the store, and fails where something does. A source refuses all writes from then on. */
  begin(mark: MoveMark): Promise<void>;
  /** Replaces the mark; no one else can write to the store. */
  setMark(mark: MoveMark): Promise<void>;
  /** Removes the mark, and in a folder the stamp of a database that everything was moved from. */
  release(): Promise<void>;
  tenants(): Promise<readonly string[]>;
  /** The documents of some kinds, of all tenants. */
  documents(kinds: readonly string[]): Promise<readonly StoredDocument[]>;
  countRows(table: TableShape): Promise<number>;
  /** Rows by their key, those beyond `after`. */
  rows(table: TableShape, after: Row | null): AsyncIterable<Row> | Iterable<Row>;
  /** Adds rows, and sets the mark, in one transaction. */
  add(table: TableShape, slice: Slice, mark: TargetMark): Promise<void>;
  /** The last number that the database gave a row of the numbered table; 0 where it gave none. */
  lastNumber(): Promise<number>;
  /** Ends filling: rows get numbers above this one from then on. */
  finish(lastNumber: number): Promise<void>;
  close(): Promise<void>;
}

/** The files of exports in a folder. */
export const filesIn = (dataDir: string): MovedFiles => ({
  place: dataDir,
  async of(tenant) {
    makeFolder(tenantFolder(dataDir, tenant));
    return folderBlobs(dataDir)(tenant)('exports');
  },
});

/** The stamps in a folder, by which a database belongs to it; see `FOLDER_STAMP`. */
export const stampsIn = (dataDir: string): FolderStamps => {
  const fileOf = (tenant: string) => join(tenantFolder(dataDir, tenant), 'stamp');
  return {
    name: FOLDER_STAMP,
    read: (tenant) =>
      readFile(fileOf(tenant), 'utf8').catch((error: unknown) => {
        if (systemCode(error) === 'ENOENT') return null;
        throw error;
      }),
    async write(tenant, stamp) {
      makeFolder(tenantFolder(dataDir, tenant));
      await writeFile(fileOf(tenant), stamp, { mode: 0o600 });
    },
  };
};

function tenantFolder(dataDir: string, tenant: string): string {
  return join(dataDir, 'tenants', tenant);
}

/** Reads what both engines have by the same SQL; `query` returns the rows of a text. */
export function plainReads(
  query: (text: string) => Promise<readonly Row[]>,
): Pick<MoveSide, 'firstFilled' | 'tenants' | 'documents' | 'countRows'> {
  return {
    async firstFilled() {
      for (const { name } of tableShapes)
        if ((await query(`SELECT 1 FROM "${name}" LIMIT 1`)).length > 0) return name;
      return null;
    },
    async tenants() {
      const found = await query('SELECT DISTINCT tenant FROM area ORDER BY tenant');
      return found.map(([tenant]) => String(tenant));
    },
    async documents(kinds) {
      const names = kinds.map((kind) => `'${kind}'`).join(', ');
      const found = await query(
        `SELECT tenant, kind, id, document FROM document WHERE kind IN (${names}) ORDER BY tenant, kind, id`,
      );
      return found.map((row) => {
        const [tenant = '', kind = '', id = '', document = ''] = row.map(String);
        return { tenant, kind, id, document };
      });
    },
    async countRows({ name }) {
      const [counted] = await query(`SELECT count(*) FROM "${name}"`);
      return Number(counted?.[0]);
    },
  };
}
