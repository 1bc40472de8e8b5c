import type { SlackAction } from '../action.ts';
import type { SlackParts } from '../parts.ts';

/** *Refresh* on the Home tab. */
export const homeRefresh: SlackAction<Pick<SlackParts, 'homes'>> = {
  id: 'home-refresh',
  async run({ principal: { account } }, { homes }) {
    await homes.show(account);
    return [];
  },
};
