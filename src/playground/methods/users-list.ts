import type { Method } from '../method.ts';
import { pageOf } from '../page-of.ts';
import { wireBotUser, wireUser } from '../wire-user.ts';

/** The members of the workspace, the app's user among them. */
export const usersList: Method = {
  name: 'users.list',
  run: (args, { options }) => {
    const everyone = [...options.people.map((person) => wireUser(person, options)), wireBotUser(options)];
    const { page, nextCursor } = pageOf(everyone, args, 1_000);
    return { members: page, cache_ts: 0, response_metadata: { next_cursor: nextCursor } };
  },
};
