import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { SlackParts } from '../command.ts';
import { homeView } from './home-view.ts';

/** Fills the Home tab whenever somebody opens it. */
export function publishHome({ reporting, commands }: SlackParts) {
  return async ({
    event,
    client,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab !== 'home') return;
    const exampleKeys = await reporting.exampleKeys({ user: event.user, admin: false }, 4);
    await client.views.publish({ user_id: event.user, view: homeView({ commands, exampleKeys }) });
  };
}
