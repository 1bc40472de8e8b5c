import { singleFlight } from '../cache/single-flight.ts';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import { compareText } from '../issues/ids-and-names.ts';
import {
  chunksOf,
  findIssuePlace,
  type IssueChunk,
  joinChunks,
  prepareToFind,
} from '../issues/issue-chunks.ts';
import { projectKeyOf } from '../issues/issue-fields.ts';
import type { Issue } from '../model/issue.ts';
import { createIssuePack } from '../store/packed/create-issue-pack.ts';
import type { IssueStore } from '../store/store.ts';

/** Read between two looks at what else the process has to do; some tens of milliseconds. */
const READ_AT_ONCE = 500;

/** Of so much garbage nobody needs to be rid. */
const LITTLE_GARBAGE = 2 ** 20;

/** When a third of what is kept is garbage, it is cleared away. */
const GARBAGE_PART = 3;

/**
 * All issues of a store, by creation, held in memory as few bytes: read whole the first time and later only what has
 * changed. Who asks meanwhile waits for the same reading. The array is the same until something changes, and is then
 * replaced, never altered; its chunks are those of the one before where nothing has changed. A reading that failed
 * leaves the last one as it was.
 */
export function rememberIssues(
  store: Pick<IssueStore, 'revision' | 'changedSince'>,
): () => Promise<readonly Issue[]> {
  const pack = createIssuePack();
  let known: { readonly issues: readonly Issue[]; readonly revision: number } = { issues: [], revision: 0 };
  const readings = singleFlight<readonly Issue[]>();
  let isCompacting = false;

  async function read(): Promise<readonly Issue[]> {
    if ((await store.revision()) === known.revision) return known.issues;
    const changed = new Map<string, Issue>();
    const removed = new Set<string>();
    const take = (key: string): void => {
      const before = changed.get(key);
      if (before !== undefined) pack.drop(before);
      changed.delete(key);
    };
    try {
      let { revision } = known;
      for (;;) {
        const chunk = await store.changedSince(revision, READ_AT_ONCE);
        for (const key of chunk.removed) {
          take(key);
          removed.add(key);
        }
        for (const issue of chunk.issues) {
          take(issue.key);
          changed.set(issue.key, pack.add(issue));
        }
        revision = chunk.revision;
        if (chunk.issues.length + chunk.removed.length < READ_AT_ONCE) break;
        // Requests and Slack must not wait until everything is read.
        await yieldToOthers();
      }
      const { issues, dropped } = await changeChunks(known.issues, removed, changed);
      for (const issue of dropped) pack.drop(issue);
      known = { issues, revision };
    } catch (error) {
      for (const issue of changed.values()) pack.drop(issue);
      throw error;
    }
    clearUp();
    return known.issues;
  }

  /** Nobody waits for it: what moves reads as before. */
  function clearUp(): void {
    const { all, garbage } = pack.bytes();
    if (isCompacting || garbage < LITTLE_GARBAGE || garbage * GARBAGE_PART < all) return;
    isCompacting = true;
    void pack.compact(known.issues).finally(() => {
      isCompacting = false;
    });
  }

  return () => readings.run('', read);
}

/** The keys that issues had before, read again only when an issue has changed. */
export function rememberFormerKeys(
  store: Pick<IssueStore, 'formerKeys' | 'revision'>,
): IssueStore['formerKeys'] {
  let known: { readonly revision: number; readonly keys: ReadonlyMap<string, string> } | null = null;
  return async () => {
    const revision = await store.revision();
    if (known?.revision !== revision) known = { revision, keys: await store.formerKeys() };
    return known.keys;
  };
}

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

/** Sorted or merged between two looks at what else there is to do; some milliseconds. */
const SORTED_AT_ONCE = 8_192;

/** The issues by creation; others get their turn while many are sorted. */
async function sortByCreation(issues: readonly Issue[]): Promise<readonly Issue[]> {
  let runs: (readonly Issue[])[] = [];
  for (let start = 0; start < issues.length; start += SORTED_AT_ONCE) {
    if (start > 0) await yieldToOthers();
    runs.push(issues.slice(start, start + SORTED_AT_ONCE).sort(compareByCreation));
  }
  while (runs.length > 1) {
    const merged: (readonly Issue[])[] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(await mergeByCreation(runs[i] ?? [], runs[i + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Two sorted lists as one; others get their turn meanwhile. */
async function mergeByCreation(some: readonly Issue[], others: readonly Issue[]): Promise<readonly Issue[]> {
  const [last, first] = [some.at(-1), others[0]];
  if (last === undefined) return others;
  // Issues mostly come in the order in which they were created.
  if (first === undefined || compareByCreation(last, first) <= 0) return some.concat(others);
  const merged: Issue[] = [];
  let other = 0;
  for (const one of some) {
    for (
      let next = others[other];
      next !== undefined && compareByCreation(next, one) < 0;
      next = others[other]
    ) {
      merged.push(next);
      other += 1;
      if (merged.length % SORTED_AT_ONCE === 0) await yieldToOthers();
    }
    merged.push(one);
    if (merged.length % SORTED_AT_ONCE === 0) await yieldToOthers();
  }
  return merged.concat(others.slice(other));
}

/** Earlier created first; at one instant by key: the project's text, then the number, so that 9 comes before 10. */
export function compareByCreation(a: Issue, b: Issue): number {
  return a.created - b.created || compareText(projectKeyOf(a), projectKeyOf(b)) || numberOf(a) - numberOf(b);
}

function numberOf({ key }: Issue): number {
  return Number(key.slice(key.lastIndexOf('-') + 1));
}
