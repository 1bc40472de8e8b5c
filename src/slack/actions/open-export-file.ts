import type { SlackAction } from '../action.ts';

/** The link to a file that could not be put into the channel: the browser follows it, Slack only wants to be heard. */
export const openExportFile: SlackAction = {
  id: 'open-export-file',
  run: async () => [],
};
