import type { SettingsApi } from '../../api/settings.ts';
import { AppError, about, badRequestAs, clauseOf } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { calendarOf } from '../../time/calendar.ts';
import type { AskedReport } from '../parameters/report.ts';

/**
 * Days of different lengths are no unit. A calendar that is not known is left to the report, which names those that
 * are. Where the calendars cannot be read it is said that this is not known.
 */
export async function checkDayLength(
  { dayLength, calendar: asked }: Pick<AskedReport, 'dayLength' | 'calendar'>,
  principal: Principal,
  settings: SettingsApi,
): Promise<readonly string[]> {
  if (dayLength !== 'businessDays') return [];
  const wanted = asked.toLowerCase();
  const calendars = await settings.calendars(principal).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  if (calendars instanceof AppError) {
    const reason = clauseOf(calendars);
    return [`Whether the working days of the calendar are equally long is unknown (${reason}).`];
  }
  const definition =
    calendars.find(({ id }) => String(id) === wanted) ??
    calendars.find(({ name }) => name.toLowerCase() === wanted);
  if (definition === undefined || calendarOf(definition).equalDays) return [];
  throw badRequestAs(
    'conflicting-values',
    about(
      'dayLength',
      `'businessDays' cannot be used with calendar '${definition.name}', whose working days differ in length; allowed: 24HourDays.`,
    ),
  );
}
