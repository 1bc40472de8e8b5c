import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';

/** Sets a person's Home tab. */
export const viewsPublish: Method = {
  name: 'views.publish',
  run: (args, { views, workspace }) => {
    const user = args.required('user_id');
    if (!workspace.person(user)) throw new Refusal('user_not_found');
    return { view: views.publish(user, args.json('view'), args.text('hash')) };
  },
};
