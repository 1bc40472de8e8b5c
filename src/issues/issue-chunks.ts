import type { Issue } from '../model/issue.ts';

/** Some issues that belong together; never altered, so what was found out about them stays true. */
export type IssueChunk = readonly Issue[];

const chunks = new WeakMap<readonly Issue[], readonly IssueChunk[]>();

/** All issues of these chunks, in order, as one array that knows what it was made of. */
export function joinChunks(parts: readonly IssueChunk[]): readonly Issue[] {
  const issues = parts.flat();
  chunks.set(issues, parts);
  return issues;
}

/**
 * The chunks an array was made of. Where few issues have changed, most are the very chunks of the array before. An array
 * that was made otherwise is its own only chunk.
 */
export function chunksOf(issues: readonly Issue[]): readonly IssueChunk[] {
  return chunks.get(issues) ?? [issues];
}

/** What is found out about issues; `part` is what it needs to know of one chunk. */
interface RememberedByChunk<Part, Whole> {
  (issues: readonly Issue[]): Whole;
  part(chunk: IssueChunk): Part;
}

/** Thrown where a look at many issues is to go on in another turn; what it has found in whole chunks is remembered. */
export class ToBeContinued extends Error {}

let isOver: (() => boolean) | null = null;

/**
 * Does what may look through all chunks of issues, which ends with `ToBeContinued` as soon as `over` says so: called
 * again, it goes on where it ended.
 */
export function untilOver<Result>(over: () => boolean, find: () => Result): Result {
  const before = isOver;
  isOver = over;
  try {
    return find();
  } finally {
    isOver = before;
  }
}

/**
 * Finds something out about an array of issues once, and about each of its chunks once: where few issues have changed,
 * little is looked at again.
 */
export function rememberByChunk<Part, Whole>(
  meet: (chunk: IssueChunk) => Part,
  join: (parts: readonly Part[], issues: readonly Issue[]) => Whole,
): RememberedByChunk<Part, Whole> {
  const parts = new WeakMap<IssueChunk, { readonly part: Part }>();
  const wholes = new WeakMap<readonly Issue[], { readonly whole: Whole }>();
  const part = (chunk: IssueChunk): Part => {
    const known = parts.get(chunk);
    if (known !== undefined) return known.part;
    if (isOver?.()) throw new ToBeContinued();
    const found = { part: meet(chunk) };
    parts.set(chunk, found);
    return found.part;
  };
  const find = (issues: readonly Issue[]): Whole => {
    const known = wholes.get(issues) ?? { whole: join(chunksOf(issues).map(part), issues) };
    wholes.set(issues, known);
    return known.whole;
  };
  return Object.assign(find, { part });
}

/** Where an issue is: in which chunk of the array, and where in that. */
interface IssuePlace {
  readonly chunk: number;
  readonly index: number;
}

/** The issue with a key, in its own spelling; the last one of several. */
export function findIssue(issues: readonly Issue[], key: string): Issue | null {
  const place = findIssuePlace(issues, key);
  return place === null ? null : (chunksOf(issues)[place.chunk]?.[place.index] ?? null);
}

/** Where the issue with a key is. */
export function findIssuePlace(issues: readonly Issue[], key: string): IssuePlace | null {
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
