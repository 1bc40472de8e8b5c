import { Refusal } from '../slack-json.ts';
import { type Method, pageOf } from '../slack-method.ts';
import { wireBotUser, wireUser, wireUserById } from '../wire-forms.ts';

/** The members of the workspace. */
export const userMethods: readonly Method[] = [
  /** The members of the workspace, the app's user among them. */
  {
    name: 'users.list',
    run: (args, { options }) => {
      const everyone = [...options.people.map((person) => wireUser(person, options)), wireBotUser(options)];
      const { page, nextCursor } = pageOf(everyone, args, 1_000);
      return { members: page, cache_ts: 0, response_metadata: { next_cursor: nextCursor } };
    },
  },
  /** One member of the workspace. */
  {
    name: 'users.info',
    run: (args, { options }) => ({ user: wireUserById(args.required('user'), options) }),
  },
  /** The member with this e-mail address; Slack does not find those who are deactivated. */
  {
    name: 'users.lookupByEmail',
    run: (args, { options }) => {
      const email = args.required('email').toLowerCase();
      const person = options.people.find((each) => !each.deactivated && each.email.toLowerCase() === email);
      if (!person) throw new Refusal('users_not_found');
      return { user: wireUser(person, options) };
    },
  },
];
