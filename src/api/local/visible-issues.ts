import { type Rights, rightsOf } from '../../model/access.ts';
import type { Issue } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';
import type { Sight } from '../../model/sight.ts';

/** What was looked up in an array of issues stays true as long as the array lives; by sight, or by asker and rules. */
const seen = new WeakMap<readonly Issue[], Map<string | Sight, readonly Issue[]>>();

/** The issues an asker may see; the same array for the same issues, asker and rights, so that it may be remembered. */
export function visibleIssues(all: readonly Issue[], asker: Asker, rights: Rights): readonly Issue[] {
  if (asker.admin) return all;
  const known = seen.get(all) ?? new Map<string | Sight, readonly Issue[]>();
  seen.set(all, known);
  const key = rights.sight ?? keyOfRules(asker, rights);
  const found = known.get(key);
  if (found !== undefined) return found;
  const issues = all.filter(rightsOf(asker, rights));
  // A handful of askers ask at the same time; the oldest answers are forgotten first.
  if (known.size >= MOST_ASKERS) known.delete(known.keys().next().value ?? '');
  known.set(key, issues);
  return issues;
}

const MOST_ASKERS = 50;

function keyOfRules({ user }: Asker, { access, groups }: Rights): string {
  const own = groups.filter((group) => group.members.includes(user)).map((group) => group.id);
  return JSON.stringify([user, own, access]);
}
