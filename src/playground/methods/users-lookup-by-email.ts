import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';
import { wireUser } from '../wire-user.ts';

/** The member with this e-mail address; Slack does not find those who are deactivated. */
export const usersLookupByEmail: Method = {
  name: 'users.lookupByEmail',
  run: (args, { options }) => {
    const email = args.required('email').toLowerCase();
    const person = options.people.find((each) => !each.deactivated && each.email.toLowerCase() === email);
    if (!person) throw new Refusal('users_not_found');
    return { user: wireUser(person, options) };
  },
};
