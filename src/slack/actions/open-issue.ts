import type { SlackAction } from '../action.ts';

/** The link to an issue: the browser follows it, Slack only wants to be heard. */
export const openIssue: SlackAction<object> = {
  id: 'open-issue',
  run: async () => [],
};
