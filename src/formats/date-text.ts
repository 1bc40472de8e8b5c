import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { enUS } from 'date-fns/locale/en-US';

/** Patterns for dates and for dates with a time, in the letters Java and date-fns share. */
export interface DateFormats {
  readonly dateFormat: string;
  readonly dateTimeFormat: string;
}

/** Jira's own default patterns. */
export const defaultDateFormats: DateFormats = {
  dateFormat: 'dd/MMM/yy',
  dateTimeFormat: 'dd/MMM/yy h:mm a',
};

/** An instant (epoch ms) in a pattern and an IANA zone. */
export function dateText(instant: number, pattern: string, timeZone: string): string {
  return format(new TZDate(instant, timeZone), pattern, { locale: enUS });
}

/** An instant as ISO 8601 in UTC with milliseconds. */
export function isoText(instant: number): string {
  return new Date(instant).toISOString();
}
