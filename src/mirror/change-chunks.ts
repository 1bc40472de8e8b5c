import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import type { IssueChunk } from '../issues/issue-chunks.ts';
import { chunksOf, findIssuePlace, joinChunks, prepareToFind } from '../issues/issue-chunks.ts';
import type { Issue } from '../model/issue.ts';
import { compareByCreation } from './compare-by-creation.ts';
import { mergeByCreation, sortByCreation } from './sort-by-creation.ts';

/** Few enough to look through again when one of them changes, enough that a million make few chunks. */
const CHUNK_ISSUES = 2_048;

/** Where more than such a part changes, all are put in order anew. */
const MANY_PART = 20;

/** Chunks looked through between two looks at what else there is to do. */
const CHUNKS_AT_ONCE = 4;

/** Issues after some have changed, and those that are none any more. */
interface ChangedIssues {
  readonly issues: readonly Issue[];
  readonly dropped: readonly Issue[];
}

/**
 * All issues by creation, in chunks, after some were removed and others, by key, have come or changed. Chunks in which
 * nothing has happened stay the very same. Others get their turn meanwhile.
 */
export async function changeChunks(
  issues: readonly Issue[],
  removed: ReadonlySet<string>,
  changed: ReadonlyMap<string, Issue>,
): Promise<ChangedIssues> {
  const many = (removed.size + changed.size) * MANY_PART > issues.length;
  return many ? putInOrder(issues, removed, changed) : changeFew(issues, removed, changed);
}

async function putInOrder(
  issues: readonly Issue[],
  removed: ReadonlySet<string>,
  changed: ReadonlyMap<string, Issue>,
): Promise<ChangedIssues> {
  const kept: Issue[] = [];
  const dropped: Issue[] = [];
  for (const [i, chunk] of chunksOf(issues).entries()) {
    if (i % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) await yieldToOthers();
    for (const issue of chunk) {
      const { key } = issue;
      (changed.has(key) || removed.has(key) ? dropped : kept).push(issue);
    }
  }
  const all = await mergeByCreation(kept, await sortByCreation([...changed.values()]));
  return { issues: joinChunks(cut(all)), dropped };
}

interface Edit {
  readonly out: Set<Issue>;
  readonly into: Issue[];
}

async function changeFew(
  issues: readonly Issue[],
  removed: ReadonlySet<string>,
  changed: ReadonlyMap<string, Issue>,
): Promise<ChangedIssues> {
  const chunks = chunksOf(issues);
  for (const [i, chunk] of chunks.entries()) {
    if (i % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) await yieldToOthers();
    prepareToFind(chunk);
  }
  const edits = new Map<number, Edit>();
  const dropped: Issue[] = [];
  const editOf = (chunk: number): Edit => {
    const edit = edits.get(chunk) ?? { out: new Set(), into: [] };
    edits.set(chunk, edit);
    return edit;
  };
  for (const key of [...removed, ...changed.keys()]) {
    const place = findIssuePlace(issues, key);
    const issue = place === null ? undefined : chunks[place.chunk]?.[place.index];
    if (place === null || issue === undefined) continue;
    editOf(place.chunk).out.add(issue);
    dropped.push(issue);
  }
  for (const issue of changed.values()) editOf(chunkFor(issue, chunks)).into.push(issue);
  const next = chunks.flatMap((chunk, i) => {
    const edit = edits.get(i);
    if (edit === undefined) return [chunk];
    return cut(
      chunk
        .filter((issue) => !edit.out.has(issue))
        .concat(edit.into)
        .sort(compareByCreation),
    );
  });
  return { issues: joinChunks(next), dropped };
}

/** The first one that ends with the issue or later; else the last one. */
function chunkFor(issue: Issue, chunks: readonly IssueChunk[]): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const last = chunks[middle]?.at(-1);
    if (last === undefined || compareByCreation(last, issue) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Chunks of the usual size; a single one may have up to twice as many. */
function cut(issues: readonly Issue[]): readonly IssueChunk[] {
  if (issues.length === 0) return [];
  if (issues.length <= 2 * CHUNK_ISSUES) return [issues];
  return Array.from({ length: Math.ceil(issues.length / CHUNK_ISSUES) }, (_, i) =>
    issues.slice(i * CHUNK_ISSUES, (i + 1) * CHUNK_ISSUES),
  );
}
