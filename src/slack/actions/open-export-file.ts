import type { SlackAction } from '../action.ts';

/** The link to a file that is kept on our side: the browser follows it, Slack only wants to be heard. */
export const openExportFile: SlackAction<object> = {
  id: 'open-export-file',
  run: async () => [],
};
