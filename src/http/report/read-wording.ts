import { millisecondsInDay } from 'date-fns/constants';
import type { SettingsApi } from '../../api/settings/settings-api.ts';
import type { Table } from '../../model/table.ts';
import type { Wording } from '../../output/table-records.ts';
import type { AskedWording } from '../../parameters/report.ts';
import { readFormats } from './read-formats.ts';

/** How a table is to be worded: as was asked, else as it is set for everybody; and what is to be said of that. */
export async function readWording(
  asked: AskedWording,
  { provenance }: Table,
  settings: SettingsApi,
): Promise<{ readonly wording: Wording; readonly notes: readonly string[] }> {
  const { formats, notes } = await readFormats(asked, settings);
  const wording = {
    viewFormat: asked.viewFormat,
    dayMs: asked.dayLength === 'businessDays' ? provenance.calendar.dailyMs : millisecondsInDay,
    timeZone: provenance.timeZone,
    formats,
  };
  return { wording, notes };
}
