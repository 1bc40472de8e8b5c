import { AppError, clauseOf } from '../../model/error.ts';
import { principalIn } from '../../model/request.ts';
import { type CalendarDefinition, type DateFormats, defaultDateFormats } from '../../model/settings.ts';
import type { WordingInput } from '../parameters/report.ts';
import type { SettingsApi } from './settings-api.ts';

/** The patterns of dates, and notes on them for the reader. */
interface FormatsToUse {
  readonly formats: DateFormats;
  readonly notes: readonly string[];
}

/** The patterns that are set for everyone; where they cannot be read no report fails, but is written as Jira does. */
export async function formatsToUse(settings: Pick<SettingsApi, 'formats'>): Promise<FormatsToUse> {
  try {
    return { formats: await settings.formats(), notes: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const note = `Dates are written as ${defaultDateFormats.dateTimeFormat}: the date formats could not be read (${clauseOf(error)}).`;
    return { formats: defaultDateFormats, notes: [note] };
  }
}

/** The calendar of an id, as text, or of `normalHours`; null where there is none. They are the same for everyone. */
export async function calendarById(
  id: string,
  { settings, tenant }: { readonly settings: Pick<SettingsApi, 'calendars'>; readonly tenant: string },
): Promise<CalendarDefinition | null> {
  const all = await settings.calendars(principalIn(tenant, ''));
  return all.find((one) => (one.id === null ? 'normalHours' : String(one.id)) === id) ?? null;
}

/** The date formats of a request, or those that are set for everyone. */
export async function readFormats(
  { dateFormat, dateTimeFormat }: Pick<WordingInput, 'dateFormat' | 'dateTimeFormat'>,
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
