import { createNamespace } from '../../cache/namespace.ts';
import { about, badRequest } from '../../model/error.ts';
import { type DateFormats, defaultDateFormats } from '../../model/settings.ts';
import { whyBadPattern } from '../../time/java-dates.ts';
import { quoted } from '../refusals.ts';
import type { SettingsApi } from '../settings.ts';
import { localCalendars, normalHoursDefinition } from './local-calendars.ts';
import { localParameterSets } from './local-parameter-sets.ts';
import { adminsOnly, FORMATS, permitSetting, type SettingsParts } from './set-rights.ts';

/** The settings port answered by our own store, and by the tracker where it brings calendars along. */
export function createLocalSettings(parts: SettingsParts): SettingsApi {
  const sets = localParameterSets(parts);
  return {
    permit: (principal, setting) => permitSetting(principal, setting, sets.parameterSet),
    ...localCalendars(parts),
    ...sets,
    ...localFormats(parts),
    defaultCalendar: async () => normalHoursDefinition.name,
    clientKey: () => parts.settings.clientKey(parts.newId),
  };
}

/** The patterns of dates, the tracker's own defaults until an admin has chosen. */
function localFormats({ stored, now }: SettingsParts): Pick<SettingsApi, 'formats' | 'putFormats'> {
  const chosen = createNamespace<DateFormats>({
    name: 'formats',
    ttlMs: null,
    most: 1,
    now,
    backing: stored,
  });
  return {
    formats: async () => (await chosen.get('')) ?? defaultDateFormats,
    async putFormats(principal, given) {
      adminsOnly(principal, FORMATS);
      const formats: DateFormats = {
        dateFormat: given.dateFormat.trim(),
        dateTimeFormat: given.dateTimeFormat.trim(),
      };
      const sentences = Object.entries(formats).flatMap(([name, pattern]) => {
        const why = whyBadPattern(pattern);
        return why === null ? [] : [about(name, `${quoted(pattern)} ${why}.`)];
      });
      if (sentences.length > 0) throw badRequest(...sentences);
      await chosen.set('', formats);
      return formats;
    },
  };
}
