import type { Issue } from './issue.ts';
import { chunksOf, type IssueChunk } from './issue-chunks.ts';

/** What is found out about issues; `part` is what it needs to know of one chunk. */
export interface RememberedByChunk<Part, Whole> {
  (issues: readonly Issue[]): Whole;
  part(chunk: IssueChunk): Part;
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
    const known = parts.get(chunk) ?? { part: meet(chunk) };
    parts.set(chunk, known);
    return known.part;
  };
  const find = (issues: readonly Issue[]): Whole => {
    const known = wholes.get(issues) ?? { whole: join(chunksOf(issues).map(part), issues) };
    wholes.set(issues, known);
    return known.whole;
  };
  return Object.assign(find, { part });
}
