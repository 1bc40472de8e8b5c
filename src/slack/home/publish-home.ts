import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { Homes } from './homes.ts';

/** Fills the Home tab whenever somebody opens it. */
export function publishHome(homes: Homes) {
  return async ({
    event,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab === 'home') await homes.show(event.user);
  };
}
