import type { Issue } from './issue.ts';
import { chunksOf, type IssueChunk } from './issue-chunks.ts';

/** What is found out about issues; `part` is what it needs to know of one chunk. */
export interface RememberedByChunk<Part, Whole> {
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
 * little is looked at anew.
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
