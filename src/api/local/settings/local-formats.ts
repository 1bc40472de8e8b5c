import { createNamespace } from '../../../cache/namespace.ts';
import { badRequest } from '../../../model/error.ts';
import { type DateFormats, defaultDateFormats } from '../../../model/settings.ts';
import { whyBadPattern } from '../../../time/java-dates.ts';
import type { SettingsApi } from '../../settings.ts';
import { adminsOnly, FORMATS } from './admins-only.ts';
import { quoted } from './quoted.ts';
import type { SettingsParts } from './settings-parts.ts';

/** The patterns of dates, the tracker's own defaults until an admin has chosen. */
export function localFormats({ stored, now }: SettingsParts): Pick<SettingsApi, 'formats' | 'putFormats'> {
  const chosen = createNamespace<DateFormats>({
    name: 'formats',
    ttlMs: null,
    most: 1,
    now,
    backing: stored,
  });
  return {
    formats: async () => (await chosen.get('')) ?? defaultDateFormats,
    async putFormats(asker, given) {
      adminsOnly(asker, FORMATS);
      const formats: DateFormats = {
        dateFormat: given.dateFormat.trim(),
        dateTimeFormat: given.dateTimeFormat.trim(),
      };
      const sentences = Object.entries(formats).flatMap(([name, pattern]) => {
        const why = whyBadPattern(pattern);
        return why === null ? [] : [`${name} ${quoted(pattern)} ${why}.`];
      });
      if (sentences.length > 0) throw badRequest(...sentences);
      await chosen.set('', formats);
      return formats;
    },
  };
}
