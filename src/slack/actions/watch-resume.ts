import type { SlackAction } from '../action.ts';
import type { WatchParts } from '../parts.ts';
import { changeWatch } from '../watches/change-watch.ts';

/** *Resume* beside a paused watch; its value is the id. */
export const watchResume: SlackAction<WatchParts> = {
  id: 'watch-resume',
  run: (click, parts) =>
    changeWatch(click, parts, async (principal, id) => {
      await parts.watches.resume(principal, id);
      return 'It watches again.';
    }),
};
