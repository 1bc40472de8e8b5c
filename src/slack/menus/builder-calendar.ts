import { calendarChoices } from '../builder/builder-choices.ts';
import type { SlackMenu } from '../menu.ts';
import type { SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** The calendars, where they are too many for a menu. */
export const builderCalendar: SlackMenu<Pick<SlackParts, 'accounts' | 'people' | 'settings'>> = {
  id: 'builder-calendar',
  choices: async (account, parts) =>
    calendarChoices(await parts.settings.calendars(await resolvePrincipal(account, parts))),
};
