import { AppError } from '../../model/error.ts';
import type { SlackAction } from '../action.ts';
import type { WatchParts } from '../parts.ts';
import { changeWatch } from '../watches/change-watch.ts';

/** *Delete* beside a watch, or *Stop this watch* where it told something; its value is the id. */
export const watchDelete: SlackAction<WatchParts> = {
  id: 'watch-delete',
  run: (click, parts) =>
    changeWatch(click, parts, async (principal, id) => {
      // Whoever presses it twice wanted it gone.
      await parts.watches.remove(principal, id).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
      });
      return 'That watch is gone. `/tis watch` shows those you have.';
    }),
};
