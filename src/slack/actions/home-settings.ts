import type { SlackAction } from '../action.ts';
import { makeSettings } from '../home/make-settings.ts';
import { openLateView } from '../open-late-view.ts';
import type { SlackParts, ViewParts } from '../parts.ts';

/** *Settings* on the Home tab: which projects it tells of, and which hours count. */
export const homeSettings: SlackAction<
  ViewParts & Pick<SlackParts, 'accounts' | 'channels' | 'people' | 'reporting' | 'settings'>
> = {
  id: 'home-settings',
  run: ({ principal: { account }, open }, parts) =>
    openLateView(
      {
        title: 'Settings',
        meanwhile: 'Getting what you chose…',
        advice: 'Please press *Settings* again.',
        make: () => makeSettings(account, parts),
      },
      open,
      parts,
    ),
};
