import { AppError, reasonOf } from '../model/error.ts';
import { type DateFormats, defaultDateFormats } from '../model/settings.ts';
import type { SettingsApi } from './settings/settings-api.ts';

/** How dates are to be written, and what is to be said of that. */
export interface FormatsToUse {
  readonly formats: DateFormats;
  readonly notes: readonly string[];
}

/** The patterns that are set for everybody; where they cannot be read no report fails, but is written as Jira does. */
export async function formatsToUse(settings: Pick<SettingsApi, 'formats'>): Promise<FormatsToUse> {
  try {
    return { formats: await settings.formats(), notes: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const note = `Dates are written as ${defaultDateFormats.dateTimeFormat}: the date formats could not be read (${reasonOf(error)}).`;
    return { formats: defaultDateFormats, notes: [note] };
  }
}
