import type { SettingsApi } from '../settings.ts';
import { localCalendars } from './settings/local-calendars.ts';
import { localFormats } from './settings/local-formats.ts';
import { localParameterSets } from './settings/local-parameter-sets.ts';
import { normalHoursDefinition } from './settings/normal-hours-definition.ts';
import { permitSetting } from './settings/set-rights.ts';
import type { SettingsParts } from './settings/settings-parts.ts';

/** The settings port answered by our own store, and by the tracker where it brings calendars along. */
export function createLocalSettings(parts: SettingsParts): SettingsApi {
  const sets = localParameterSets(parts);
  return {
    permit: (asker, setting) => permitSetting(asker, setting, sets.parameterSet),
    ...localCalendars(parts),
    ...sets,
    ...localFormats(parts),
    defaultCalendar: async () => normalHoursDefinition.name,
    clientKey: () => parts.settings.clientKey(parts.newId),
  };
}
