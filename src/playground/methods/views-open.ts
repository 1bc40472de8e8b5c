import type { Method } from '../method.ts';

/** Opens a modal for whoever caused the trigger. */
export const viewsOpen: Method = {
  name: 'views.open',
  run: (args, { views, triggers }) => {
    const user = triggers.redeem(args.required('trigger_id'));
    return { view: views.open(user, args.json('view')) };
  },
};
