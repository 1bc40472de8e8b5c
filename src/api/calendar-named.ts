import { principalOf } from '../model/principal.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import type { SettingsApi } from './settings/settings-api.ts';

/** Calendars are the same for everybody. */
const anybody = principalOf('');

/** The calendar of an id, as text, or of `normalHours`; null where there is none. */
export async function calendarNamed(
  id: string,
  settings: Pick<SettingsApi, 'calendars'>,
): Promise<CalendarDefinition | null> {
  const all = await settings.calendars(anybody);
  return all.find((one) => (one.id === null ? 'normalHours' : String(one.id)) === id) ?? null;
}
