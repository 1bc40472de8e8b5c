import type { Method } from '../method.ts';
import { wireUserById } from '../wire-user.ts';

/** One member of the workspace. */
export const usersInfo: Method = {
  name: 'users.info',
  run: (args, { options }) => ({ user: wireUserById(args.required('user'), options) }),
};
