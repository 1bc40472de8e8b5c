import { savedChoices } from '../builder/builder-choices.ts';
import type { SlackMenu } from '../menu.ts';
import type { SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** The saved reports, where they are too many for a menu. */
export const builderSavedMenu: SlackMenu<Pick<SlackParts, 'accounts' | 'people' | 'settings'>> = {
  id: 'builder-saved',
  choices: async (account, parts) =>
    savedChoices(await parts.settings.parameterSets(await resolvePrincipal(account, parts))),
};
