import type { SettingsApi } from '../../api/settings.ts';
import { DAY_MS } from '../../formats/duration-text.ts';
import type { Wording } from '../../formats/table-records.ts';
import type { Table } from '../../model/table.ts';
import type { AskedWording } from '../parameters/wording.ts';

/** How a table is to be worded: as was asked, else as it is set for everybody. */
export async function readWording(
  { viewFormat, dayLength, dateFormat, dateTimeFormat }: AskedWording,
  { provenance }: Table,
  settings: SettingsApi,
): Promise<Wording> {
  const formats = await settings.formats();
  return {
    viewFormat,
    dayMs: dayLength === 'businessDays' ? provenance.calendar.dailyMs : DAY_MS,
    timeZone: provenance.timeZone,
    formats: {
      dateFormat: dateFormat ?? formats.dateFormat,
      dateTimeFormat: dateTimeFormat ?? formats.dateTimeFormat,
    },
  };
}
