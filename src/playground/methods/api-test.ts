import type { Method } from '../method.ts';

/** Says the arguments back; needs no token. */
export const apiTest: Method = {
  name: 'api.test',
  run: ({ given: { token: _, ...args } }) => ({ args }),
};
