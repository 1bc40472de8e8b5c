import { rightsOf } from '../../model/access.ts';
import type { Directory } from '../../model/directory.ts';
import type { Issue } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';

/** What was looked up in an array of issues stays true as long as the array lives. */
const seen = new WeakMap<readonly Issue[], Map<string, readonly Issue[]>>();

/** The issues an asker may see; the same array for the same issues, asker and rights, so that it may be remembered. */
export function visibleIssues(
  all: readonly Issue[],
  asker: Asker,
  { access, groups }: Directory,
): readonly Issue[] {
  if (asker.admin) return all;
  const known = seen.get(all) ?? new Map<string, readonly Issue[]>();
  seen.set(all, known);
  const own = groups.filter((group) => group.members.includes(asker.user)).map((group) => group.id);
  const key = JSON.stringify([asker.user, own, access]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const issues = all.filter(rightsOf(asker, access, groups));
  // A handful of askers ask at the same time; the oldest answers are forgotten first.
  if (known.size >= MOST_ASKERS) known.delete(known.keys().next().value ?? '');
  known.set(key, issues);
  return issues;
}

const MOST_ASKERS = 50;
