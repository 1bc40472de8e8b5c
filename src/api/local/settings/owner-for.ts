import { AppError, badRequest } from '../../../model/error.ts';
import type { User } from '../../../model/issue.ts';
import type { Asker } from '../../../model/request.ts';
import { quoted } from './quoted.ts';

/**
 * Whose a parameter set becomes: the asker's (null), or by an admin's wish somebody else's, who must be known. Where
 * the tracker knows nobody at all, any id will do.
 */
export async function ownerFor(
  asker: Asker,
  wish: string | null,
  users: () => Promise<ReadonlyMap<string, User>>,
): Promise<string> {
  if (wish === null || wish === asker.user) return asker.user;
  if (!asker.admin) {
    throw new AppError('not-allowed', 'Forbidden', [
      `ownerId ${quoted(wish)} is somebody else; only administrators may save a parameter set for others.`,
    ]);
  }
  const known = await users();
  if (wish.trim() === '' || (known.size > 0 && !known.has(wish))) {
    throw badRequest(
      `ownerId ${quoted(wish)} is nobody who is known; allowed: the id of a known user, or null for yourself.`,
    );
  }
  return wish;
}
