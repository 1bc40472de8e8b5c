import type { SlackAction } from '../action.ts';

/** *Refresh* on the Home tab. */
export const homeRefresh: SlackAction = {
  id: 'home-refresh',
  async run({ principal: { account } }, { homes }) {
    await homes.show(account);
    return [];
  },
};
