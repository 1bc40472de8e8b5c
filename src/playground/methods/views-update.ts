import type { Method } from '../method.ts';
import { refuseArguments } from '../refusal.ts';

/** Changes an open modal. */
export const viewsUpdate: Method = {
  name: 'views.update',
  run: (args, { views }) => {
    const [id, externalId, hash] = [args.text('view_id'), args.text('external_id'), args.text('hash')];
    if (id === undefined && externalId === undefined)
      throw refuseArguments('missing required field: view_id');
    const name = { ...(id ? { id } : {}), ...(externalId ? { externalId } : {}), ...(hash ? { hash } : {}) };
    return { view: views.update(name, args.json('view')) };
  },
};
