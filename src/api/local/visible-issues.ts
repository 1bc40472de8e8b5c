import { memo } from '../../cache/memo.ts';
import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import type { IssueChunk } from '../../issues/issue-chunks.ts';
import { chunksOf, joinChunks } from '../../issues/issue-chunks.ts';
import type { Issue } from '../../model/issue.ts';
import type { BrowsePermissions } from '../../model/permissions.ts';
import type { Asker } from '../../model/request.ts';
import type { Rights } from '../access-rules.ts';
import { rightsOf } from '../access-rules.ts';

/** By sight, or by asker and rules. */
type Seen = Map<string | BrowsePermissions, readonly Issue[]>;

/** What was looked up in an array of issues stays true as long as the array lives, and as its chunks do. */
const seenIn = memo((_issues: readonly Issue[]): Seen => new Map());
/** An array may be its own only chunk. */
const seenInChunk = memo((_chunk: IssueChunk): Seen => new Map());

/**
 * The issues an asker may see; the same array for the same issues, asker and rights, so that it may be remembered. A
 * chunk all of which may be seen is the very same. Others get their turn while many are looked through.
 */
export async function visibleIssues(
  all: readonly Issue[],
  asker: Asker,
  rights: Rights,
): Promise<readonly Issue[]> {
  if (asker.admin) return all;
  const key = rights.sight ?? keyOfRules(asker, rights);
  const seen = seenIn(all);
  const found = seen.get(key);
  if (found !== undefined) return found;
  const maySee = rightsOf(asker, rights);
  const pace = createYieldIfDue();
  const chunks = chunksOf(all);
  const visible: IssueChunk[] = [];
  for (const chunk of chunks) {
    const known = seenInChunk(chunk).get(key) ?? keep(seenInChunk(chunk), key, visibleOf(chunk, maySee));
    if (known.length > 0) visible.push(known);
    const rest = pace();
    if (rest !== null) await rest;
  }
  const isWhole = visible.length === chunks.length && visible.every((chunk, i) => chunk === chunks[i]);
  // Somebody else may have been quicker.
  const done = seen.get(key);
  if (done !== undefined) return done;
  if (isWhole) seenWhole.add(all);
  return keep(seen, key, isWhole ? all : joinChunks(visible));
}

/** Arrays that somebody who is no admin sees all of. */
const seenWhole = new WeakSet<readonly Issue[]>();

/** Whether these, found for somebody, are all there are. */
export function isEverything(visible: readonly Issue[]): boolean {
  return seenWhole.has(visible);
}

const MOST_ASKERS = 50;

function visibleOf(chunk: IssueChunk, maySee: (issue: Issue) => boolean): IssueChunk {
  const visible = chunk.filter(maySee);
  return visible.length === chunk.length ? chunk : visible;
}

/** A handful of askers ask at the same time; the oldest answers are forgotten first. */
function keep(known: Seen, key: string | BrowsePermissions, visible: readonly Issue[]): readonly Issue[] {
  if (known.size >= MOST_ASKERS) known.delete(known.keys().next().value ?? '');
  known.set(key, visible);
  return visible;
}

function keyOfRules({ user }: Asker, { access, groups }: Rights): string {
  const own = groups.filter((group) => group.members.includes(user)).map((group) => group.id);
  return JSON.stringify([user, own, access]);
}
