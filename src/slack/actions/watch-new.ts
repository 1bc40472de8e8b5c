import type { SlackAction } from '../action.ts';
import { openLateView } from '../open-late-view.ts';
import type { WatchParts } from '../parts.ts';
import { emptyWatchForm } from '../watches/empty-watch-form.ts';

/** *New watch* below the list of somebody's watches. */
export const watchNew: SlackAction<WatchParts> = {
  id: 'watch-new',
  run: ({ principal: { account: user }, place, open }, parts) =>
    openLateView(
      {
        title: 'New watch',
        meanwhile: 'Looking what can be watched…',
        advice: 'Please press the button again.',
        make: () => emptyWatchForm(user, place, parts),
      },
      open,
      parts,
    ),
};
