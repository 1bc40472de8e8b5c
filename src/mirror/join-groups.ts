import type { Group } from '../model/directory.ts';
import type { Membership } from '../trackers/tracker.ts';

/**
 * The groups from now on. A group that is told replaces the kept one; a membership adds its person to the groups it
 * names and, when it is whole, takes the person out of every other kept one. What is told together adds up.
 */
export function joinGroups(
  kept: readonly Group[],
  told: readonly Group[],
  memberships: readonly Membership[],
): Group[] {
  const leaving = new Set(memberships.flatMap(({ user, whole }) => (whole ? [user] : [])));
  const groups = new Map<string, { readonly name: string; readonly members: Set<string> }>();
  for (const { id, name, members } of kept) {
    groups.set(id, { name, members: new Set(members.filter((member) => !leaving.has(member))) });
  }
  for (const { id, name, members } of told) groups.set(id, { name, members: new Set(members) });
  for (const { user, groups: joined } of memberships) {
    for (const { id, name } of joined) {
      const members = groups.get(id)?.members ?? new Set();
      groups.set(id, { name, members: members.add(user) });
    }
  }
  return [...groups].map(([id, { name, members }]) => ({ id, name, members: [...members] }));
}
