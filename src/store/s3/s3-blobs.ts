import { type FileHandle, open, rm } from 'node:fs/promises';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { type BlobStore, MIN_READ_MS, openParts, putTooLate } from '../blobs.ts';
import { type openDrafts, readDraft } from '../folder-blobs.ts';
import type { S3Client } from './s3-client.ts';

/** The most bytes of one request: a larger draft is sent in parts of that size. */
const UPLOAD_BYTES = 16 * 2 ** 20;

/** The most bytes that one request reads. */
const READ_BYTES = 8 * 2 ** 20;

/** The interval (ms) of sweeps by a process, and the most objects that one removes. */
const SWEEP_MS = 15 * millisecondsInMinute;
const MAX_SWEPT = 500;

/** An upload of this age (ms) that is neither completed nor aborted belongs to a process that died. */
const MAX_UPLOAD_MS = millisecondsInDay;

interface BucketPlace {
  /** The beginning of all keys, with a slash at its end. */
  readonly folder: string;
  readonly drafts: ReturnType<typeof openDrafts>;
  readonly now: () => Instant;
  /** Makes an id that no other blob has. */
  readonly newId: () => string;
  readonly uploadBytes?: number;
  readonly readBytes?: number;
}

/**
 * Blobs as objects of a bucket. What is put is an object of its own, `data/NAME/ID`, which never changes; `names/NAME` has the
 * id of the one that the name leads to, so a put is seen as a whole. `swept/NAME/ID` marks an object that no name may lead to
 * from then on: it goes an hour later, by the clock of the service, unless a name does lead to it.
 */
export function createS3Blobs(
  client: S3Client,
  { folder, drafts, now, newId, uploadBytes = UPLOAD_BYTES, readBytes = READ_BYTES }: BucketPlace,
): BlobStore {
  const nameKey = (name: string) => `${folder}names/${name}`;
  const dataKey = (name: string, id: string) => `${folder}data/${name}/${id}`;
  const marks = `${folder}swept/`;
  const mark = (name: string, id: string) => client.put(`${marks}${name}/${id}`, new Uint8Array());
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function idOf(name: string): Promise<string | null> {
    const id = await client.get(nameKey(name));
    return id === null ? null : new TextDecoder().decode(id);
  }

  /**
   * Lets a name lead elsewhere. What it led to is marked before, for this may be killed, and after, for a sweep may have
   * taken the first mark while the name still led there.
   */
  async function leave(name: string, id: string | null, change: () => Promise<void>): Promise<void> {
    if (id !== null) await mark(name, id);
    await change();
    if (id !== null) await mark(name, id);
  }

  /** Uploads a draft; `before` is called when all of it is there, and nothing of it is seen yet. */
  async function upload(handle: FileHandle, key: string, before: () => Promise<void>): Promise<void> {
    const { size } = await handle.stat();
    if (size <= uploadBytes) {
      const body = await readDraft(handle, 0, size);
      await before();
      return client.put(key, body);
    }
    const id = await client.beginUpload(key);
    try {
      const tags: string[] = [];
      for (let at = 0; at < size; at += uploadBytes) {
        const part = await readDraft(handle, at, Math.min(uploadBytes, size - at));
        tags.push(await client.uploadPart(key, id, tags.length + 1, part));
      }
      await before();
      if (await client.completeUpload(key, id, tags)) return;
      if ((await client.head(key))?.bytes !== size)
        throw new AppError(
          'store-unavailable',
          `The upload of ${client.placeOf(key)} was aborted by others.`,
        );
    } catch (error) {
      // An upload that cannot be aborted now is left to the sweep.
      await client.abortUpload(key, id).catch(() => {});
      throw error;
    }
  }

  async function sweep(): Promise<void> {
    if (Math.abs(now() - sweptAt) < SWEEP_MS) return;
    sweptAt = now();
    let swept = 0;
    let serverNow = now();
    for await (const { objects, at } of client.list(marks)) {
      serverNow = at;
      for (const { key, changedAt } of objects) {
        if (at - changedAt <= MIN_READ_MS) continue;
        if (swept === MAX_SWEPT) return;
        swept += 1;
        const cut = key.lastIndexOf('/');
        const [name, id] = [key.slice(marks.length, cut), key.slice(cut + 1)];
        const isNamed = (await idOf(name)) === id;
        if (!isNamed) {
          // It is marked again before its name leads elsewhere: that may have been a moment ago.
          const marked = await client.head(key);
          if (marked === null || at - marked.changedAt <= MIN_READ_MS) continue;
          await client.remove(dataKey(name, id));
        }
        await client.remove(key);
        if (isNamed && (await idOf(name)) !== id) await mark(name, id);
      }
    }
    for (const { key, id, begunAt } of await client.uploads(`${folder}data/`)) {
      if (serverNow - begunAt > MAX_UPLOAD_MS) await client.abortUpload(key, id);
    }
  }

  return {
    ...drafts,
    async put(name, draft) {
      const id = newId();
      await using handle = await open(draft, 'r');
      // Marks come first: where this is killed, what it leaves is swept.
      await upload(handle, dataKey(name, id), () => mark(name, id));
      await leave(name, await idOf(name), () => client.put(nameKey(name), new TextEncoder().encode(id)));
      if ((await client.head(dataKey(name, id))) === null) {
        if ((await idOf(name)) === id) await client.remove(nameKey(name));
        throw putTooLate();
      }
      await rm(draft, { force: true });
    },
    async sweepDrafts(isMeant) {
      await drafts.sweepDrafts(isMeant);
      await sweep();
    },
    async open(name) {
      const id = await idOf(name);
      if (id === null) return null;
      const key = dataKey(name, id);
      const found = await client.head(key);
      if (found === null) return null;
      const { bytes } = found;
      const place = client.placeOf(key);
      return openParts({
        place,
        bytes,
        partBytes: readBytes,
        async load(number) {
          const first = number * readBytes;
          const part = await client.get(key, { first, last: Math.min(bytes, first + readBytes) - 1 });
          if (part !== null) return part;
          throw new AppError('store-unavailable', `${place} was removed more than an hour ago.`);
        },
      });
    },
    async names() {
      const names: string[] = [];
      for await (const { objects } of client.list(nameKey('')))
        names.push(...objects.map(({ key }) => key.slice(nameKey('').length)));
      return names;
    },
    async remove(name) {
      const id = await idOf(name);
      if (id !== null) await leave(name, id, () => client.remove(nameKey(name)));
    },
  };
}
