import type { Known } from './known.ts';

/**
 * Somebody of a list of viewers, with what is known of whom it names: a slip of the keyboard shows here. `unknown` says
 * what it means that nothing is.
 */
export function viewerName(viewer: string, { groups, users }: Known, unknown: string): string {
  const [, kind, bare = viewer] = /^(user|group):(.+)$/.exec(viewer) ?? [];
  const group = kind === 'user' ? undefined : groups.find(({ id }) => id === bare);
  if (group !== undefined) return `${group.name} (group of ${group.members.length})`;
  const user = kind === 'group' ? undefined : users.get(bare);
  return `${viewer} (${user?.name ?? unknown})`;
}
