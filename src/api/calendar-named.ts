import { principalIn } from '../model/principal.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import type { SettingsApi } from './settings.ts';

/** The calendar of an id, as text, or of `normalHours`; null where there is none. They are the same for everybody. */
export async function calendarNamed(
  id: string,
  { settings, tenant }: { readonly settings: Pick<SettingsApi, 'calendars'>; readonly tenant: string },
): Promise<CalendarDefinition | null> {
  const all = await settings.calendars(principalIn(tenant, ''));
  return all.find((one) => (one.id === null ? 'normalHours' : String(one.id)) === id) ?? null;
}
