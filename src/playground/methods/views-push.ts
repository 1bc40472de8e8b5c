import type { Method } from '../method.ts';

/** Lays a modal over the one the trigger came from. */
export const viewsPush: Method = {
  name: 'views.push',
  run: (args, { views, triggers }) => {
    const user = triggers.redeem(args.required('trigger_id'));
    return { view: views.push(user, args.json('view')) };
  },
};
