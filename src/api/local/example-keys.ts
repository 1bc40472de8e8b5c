import type { Mirror } from '../../mirror/mirror.ts';
import { rightsOf } from '../../model/access.ts';
import type { Issue } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';

/** Among how many of the issues that moved last the telling ones are looked for. */
const LOOKED_AT = 40;

/** Keys of issues worth showing: lately moved, with a whole history that has something to tell, the best first. */
export async function exampleKeys(mirror: Mirror, asker: Asker, count: number): Promise<readonly string[]> {
  const { access, groups } = await mirror.directory();
  const maySee = rightsOf(asker, access, groups);
  const wanted = Math.max(count, LOOKED_AT);
  const keys: string[] = [];
  const issues: Issue[] = [];
  // What the asker may not see must not push out what they may: looked further until there is enough.
  for (let most = wanted; issues.length < wanted; most *= 4) {
    const known = keys.length;
    keys.push(...(await mirror.recentKeys(most)).slice(known));
    if (keys.length === known) break;
    const found = await Promise.all(keys.slice(known).map((key) => mirror.issue(key)));
    issues.push(...found.flatMap((issue) => (issue !== null && maySee(issue) ? [issue] : [])));
  }
  return issues
    .slice(0, wanted)
    .toSorted((a, b) => dullness(a) - dullness(b))
    .slice(0, count)
    .map((issue) => issue.key);
}

/** 0 where three statuses or more tell a story, 2 where the history cannot be told at all. */
function dullness({ history, changes }: Issue): number {
  if (!history.complete) return 2;
  return changes.filter((change) => change.field === 'status').length >= 2 ? 0 : 1;
}
