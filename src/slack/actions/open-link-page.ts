import type { SlackAction } from '../action.ts';

/** The link under which somebody says who they are: the browser follows it, Slack only wants to be heard. */
export const openLinkPage: SlackAction<object> = {
  id: 'open-link-page',
  run: async () => [],
};
