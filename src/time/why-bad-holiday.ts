import type { Holiday } from '../model/settings.ts';

const LONGEST_NAME = 200;
/** Calendars are computed day by day from here on, and until the rules of all time zones repeat themselves. */
const FIRST_YEAR = 1800;
const LAST_YEAR = 2199;

/** What is wrong with a holiday, as sentences; `place` is where it was given. */
export function whyBadHoliday({ name, date }: Holiday, place: string): string[] {
  const why = isDate(date)
    ? []
    : [
        `${place}.date '${date}' is not a date; allowed: yyyy-MM-dd from ${FIRST_YEAR}-01-01 to ${LAST_YEAR}-12-31.`,
      ];
  if (name.length > LONGEST_NAME) {
    why.push(`${place}.name '${name}' has ${name.length} characters; allowed: up to ${LONGEST_NAME}.`);
  }
  return why;
}

function isDate(text: string): boolean {
  const year = Number(text.slice(0, 4));
  const date = new Date(text);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    year >= FIRST_YEAR &&
    year <= LAST_YEAR &&
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(text)
  );
}
