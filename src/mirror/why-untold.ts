import { AppError } from '../model/error.ts';
import type { IssueStore } from '../store/store.ts';
import { createSights, type SightsParts } from './create-sights.ts';

/**
 * Why the tracker does not tell what people may see, in sentences; null when it does, and while there is nobody and
 * nothing to ask about. One person and one issue stand for all.
 */
export async function whyUntold(
  store: Pick<IssueStore, 'users' | 'recentKeys' | 'issue' | 'directory'>,
  parts: Pick<SightsParts, 'tracker' | 'now'>,
): Promise<string | null> {
  const [key] = await store.recentKeys(1);
  const issue = key === undefined ? null : await store.issue(key);
  const [user] = (await store.users()).keys();
  if (issue === null || user === undefined) return null;
  const sightFor = createSights({
    ...parts,
    issues: async () => [issue],
    users: (ids) => store.users(ids),
    groups: async () => (await store.directory()).groups,
  });
  try {
    await sightFor({ user, admin: false });
    return null;
  } catch (error) {
    if (error instanceof AppError) return [error.message, ...error.details].join(' ');
    throw error;
  }
}
