import { argumentsRefusal, Refusal } from '../slack-json.ts';
import type { Method } from '../slack-method.ts';

/** Modals and Home tabs. */
export const viewMethods: readonly Method[] = [
  /** Opens a modal for whoever caused the trigger. */
  {
    name: 'views.open',
    run: (args, { views, triggers }) => {
      const cause = triggers.redeem(args.required('trigger_id'));
      return { view: views.open(cause, args.json('view')) };
    },
  },
  /** Lays a modal over the one the trigger came from. */
  {
    name: 'views.push',
    run: (args, { views, triggers }) => {
      const cause = triggers.redeem(args.required('trigger_id'));
      return { view: views.push(cause, args.json('view')) };
    },
  },
  /** Changes an open modal. */
  {
    name: 'views.update',
    run: (args, { views }) => {
      const [id, externalId, hash] = [args.text('view_id'), args.text('external_id'), args.text('hash')];
      if (id === undefined && externalId === undefined)
        throw argumentsRefusal('missing required field: view_id');
      const name = {
        ...(id ? { id } : {}),
        ...(externalId ? { externalId } : {}),
        ...(hash ? { hash } : {}),
      };
      return { view: views.update(name, args.json('view')) };
    },
  },
  /** Sets a person's Home tab. */
  {
    name: 'views.publish',
    run: (args, { views, workspace }) => {
      const user = args.required('user_id');
      if (!workspace.person(user)) throw new Refusal('user_not_found');
      return { view: views.publish(user, args.json('view'), args.text('hash')) };
    },
  },
];
