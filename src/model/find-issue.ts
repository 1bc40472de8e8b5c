import type { Issue } from './issue.ts';
import { chunksOf, type IssueChunk } from './issue-chunks.ts';

/** Where an issue is: in which chunk of the array, and where in that. */
export interface IssuePlace {
  readonly chunk: number;
  readonly index: number;
}

/** The issue with a key, in its own spelling; the last one of several. */
export function findIssue(issues: readonly Issue[], key: string): Issue | null {
  const place = findPlace(issues, key);
  return place === null ? null : (chunksOf(issues)[place.chunk]?.[place.index] ?? null);
}

/** Where the issue with a key is. */
export function findPlace(issues: readonly Issue[], key: string): IssuePlace | null {
  const chunks = chunksOf(issues);
  const hash = hashOf(key);
  for (let chunk = chunks.length - 1; chunk >= 0; chunk -= 1) {
    const own = chunks[chunk];
    if (own === undefined) continue;
    const index = lookUp(slotsOf(own), own, { key, hash });
    if (index !== null) return { chunk, index };
  }
  return null;
}

/** Has the keys of a chunk at hand before they are looked for. */
export function prepareToFind(chunk: IssueChunk): void {
  slotsOf(chunk);
}

/** Numbers of issues from 1 on, by the hash of the key; 0 is free. Eight bytes an issue instead of a hundred. */
const slots = new WeakMap<IssueChunk, Int32Array>();

function slotsOf(chunk: IssueChunk): Int32Array {
  const known = slots.get(chunk);
  if (known !== undefined) return known;
  const made = new Int32Array(2 ** Math.ceil(Math.log2(chunk.length * 1.5 + 1)));
  for (const [index, { key }] of chunk.entries()) {
    const wanted = { key, hash: hashOf(key) };
    made[slotFor(made, chunk, wanted)] = index + 1;
  }
  slots.set(chunk, made);
  return made;
}

interface Wanted {
  readonly key: string;
  readonly hash: number;
}

function lookUp(table: Int32Array, chunk: IssueChunk, wanted: Wanted): number | null {
  const number = table[slotFor(table, chunk, wanted)] ?? 0;
  return number === 0 ? null : number - 1;
}

/** The slot of the key, or the free one where it would be. */
function slotFor(table: Int32Array, chunk: IssueChunk, { key, hash }: Wanted): number {
  for (let slot = hash & (table.length - 1); ; slot = (slot + 1) & (table.length - 1)) {
    const number = table[slot] ?? 0;
    if (number === 0 || chunk[number - 1]?.key === key) return slot;
  }
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function hashOf(key: string): number {
  let hash = FNV_START;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), FNV_PRIME);
  return hash ^ (hash >>> 15);
}
