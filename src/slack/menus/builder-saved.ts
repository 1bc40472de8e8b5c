import { savedChoices } from '../builder/saved-choices.ts';
import type { SlackMenu } from '../menu.ts';
import { askerOf } from '../people/asker-of.ts';

/** The saved reports, where they are too many for a menu. */
export const builderSavedMenu: SlackMenu = {
  id: 'builder-saved',
  choices: async (account, parts) =>
    savedChoices(await parts.settings.parameterSets(await askerOf(account, parts))),
};
