import type { SettingsApi } from '../../api/settings/settings-api.ts';
import { type FormatsToUse, formatsToUse } from '../../api/settings/settings-in-use.ts';
import type { AskedWording } from '../../parameters/report.ts';

/** How dates are to be written: as was asked, else as it is set for everybody. */
export async function readFormats(
  { dateFormat, dateTimeFormat }: Pick<AskedWording, 'dateFormat' | 'dateTimeFormat'>,
  settings: SettingsApi,
): Promise<FormatsToUse> {
  if (dateFormat !== undefined && dateTimeFormat !== undefined) {
    return { formats: { dateFormat, dateTimeFormat }, notes: [] };
  }
  const { formats, notes } = await formatsToUse(settings);
  return {
    formats: {
      dateFormat: dateFormat ?? formats.dateFormat,
      dateTimeFormat: dateTimeFormat ?? formats.dateTimeFormat,
    },
    notes,
  };
}
