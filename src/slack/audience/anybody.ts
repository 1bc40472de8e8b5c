import type { Scope } from '../../model/permissions.ts';
import type { Asker } from '../../model/request.ts';

/** Nobody in particular: what they may see is open to everybody who may ask; nothing is where the tracker itself decides. */
export const anybody: Asker = { user: '', admin: false };

/** Whether who sees so far, anybody say, sees what the tracker itself lets them. */
export function trackerDecides(scope: Scope): boolean {
  return 'openProjects' in scope;
}
