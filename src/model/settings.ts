export const weekdays = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const;
type Weekday = (typeof weekdays)[number];

/**
 * One shift: `start` and `end` are milliseconds after local midnight (0 to 86,400,000). A shift whose end is not
 * after its start runs into the next day and belongs to the day it starts.
 */
export interface WorkingTime {
  readonly weekday: Weekday;
  readonly start: number;
  readonly end: number;
}

/** A day without the shifts that start on it: `date` is yyyy-MM-dd; `recurring` repeats it every year. */
export interface Holiday {
  readonly name: string;
  readonly date: string;
  readonly recurring: boolean;
}

/** The parts of a calendar that an admin chooses. */
export interface CalendarInput {
  readonly name: string;
  readonly timeZone: string;
  readonly workingTimes: readonly WorkingTime[];
  readonly holidays: readonly Holiday[];
}

/** A stored calendar. `id` null is the built-in `normalHours`, in which every hour counts. */
export interface CalendarDefinition extends CalendarInput {
  readonly id: number | null;
  /** True for the calendar that counts where no one chose one. Absent: true for the built-in one only. */
  readonly isDefault?: boolean;
}

/** Java date patterns in which every date is shown and exported. */
export interface DateFormats {
  readonly dateFormat: string;
  readonly dateTimeFormat: string;
}

/** Jira's own default patterns. */
export const defaultDateFormats: DateFormats = {
  dateFormat: 'dd/MMM/yy',
  dateTimeFormat: 'dd/MMM/yy h:mm a',
};
