import type { SettingsApi } from '../../api/settings.ts';
import type { DateFormats } from '../../model/settings.ts';
import type { AskedWording } from '../parameters/wording.ts';

/** How dates are to be written: as was asked, else as it is set for everybody. */
export async function readFormats(
  { dateFormat, dateTimeFormat }: Pick<AskedWording, 'dateFormat' | 'dateTimeFormat'>,
  settings: SettingsApi,
): Promise<DateFormats> {
  const formats = await settings.formats();
  return {
    dateFormat: dateFormat ?? formats.dateFormat,
    dateTimeFormat: dateTimeFormat ?? formats.dateTimeFormat,
  };
}
