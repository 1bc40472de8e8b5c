import type { Issue } from './issue.ts';

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
