import type { BrowseScope } from '../../model/permissions.ts';
import type { Principal } from '../../model/principal.ts';
import { principalIn } from '../../model/principal.ts';

/** Nobody in particular: what they may see is open to everybody who may ask; nothing is where the tracker itself decides. */
export function anybodyIn({ tenant }: { readonly tenant: string }): Principal {
  return principalIn(tenant, '');
}

/** Whether who sees so far, anybody say, sees what the tracker itself lets them. */
export function trackerDecides(scope: BrowseScope): boolean {
  return 'openProjects' in scope;
}
