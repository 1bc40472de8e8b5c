import type { SlackAction } from '../action.ts';
import type { WatchParts } from '../parts.ts';
import { changeWatch } from '../watches/change-watch.ts';

/** *Pause* beside a watch; its value is the id. */
export const watchPause: SlackAction<WatchParts> = {
  id: 'watch-pause',
  run: (click, parts) =>
    changeWatch(click, parts, async (principal, id) => {
      await parts.watches.pause(principal, id);
      return 'Paused: nobody is told until you resume it with `/tis watch`.';
    }),
};
