import { changesOf } from '../../issues/issue-fields.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import type { AskersDirectory } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { Issue } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';
import { rightsOf } from '../access-rules.ts';
import { visibleIssues } from './visible-issues.ts';

/** Among how many of the issues that moved last the telling ones are looked for. */
const LOOKED_AT = 40;

/** Who sees too little of what moved last is shown what was created last: each look takes a read. */
const MOST_READ = 1_000;

/** Keys of issues worth showing: lately moved, with a whole history that has something to tell, the best first. */
export async function exampleKeys(mirror: Mirror, asker: Asker, count: number): Promise<readonly string[]> {
  const directory = await mirror.directoryFor(asker);
  const { sight } = directory;
  if (!asker.admin && sight !== null && sight.projects.size === 0) return [];
  const maySee = rightsOf(asker, directory);
  const wanted = Math.max(count, LOOKED_AT);
  const keys: string[] = [];
  let issues: readonly Issue[] = [];
  // What the asker may not see must not push out what they may: looked further until there is enough.
  for (let most = wanted; issues.length < wanted; most *= 4) {
    if (most > Math.max(MOST_READ, wanted)) {
      const created = await createdLast(mirror, asker, directory, wanted);
      if (created.length > issues.length) issues = created;
      break;
    }
    const known = keys.length;
    keys.push(...(await mirror.recentKeys(most)).slice(known));
    if (keys.length === known) break;
    const found = await Promise.all(keys.slice(known).map((key) => mirror.issue(key)));
    issues = [...issues, ...found.flatMap((issue) => (issue !== null && maySee(issue) ? [issue] : []))];
  }
  return issues
    .slice(0, wanted)
    .toSorted((a, b) => dullness(a) - dullness(b))
    .slice(0, count)
    .map((issue) => issue.key);
}

/** The issues created last that the asker may see, newest first; none as long as the first fill goes on. */
async function createdLast(
  mirror: Mirror,
  asker: Asker,
  directory: AskersDirectory,
  most: number,
): Promise<readonly Issue[]> {
  try {
    const visible = await visibleIssues(await mirror.issues(), asker, directory);
    return visible.slice(-most).reverse();
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return [];
    throw error;
  }
}

/** 0 where three statuses or more tell a story, 2 where the history cannot be told at all. */
function dullness(issue: Issue): number {
  if (!issue.history.complete) return 2;
  return changesOf(issue, 'status').length >= 2 ? 0 : 1;
}
