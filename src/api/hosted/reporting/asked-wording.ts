/**
 * How a service is asked to write: days and instants so that they can be read back to the millisecond, durations in
 * seconds, whose decimals are the milliseconds. One that does not take patterns tells which ones it used.
 */
export const askedWording = {
  outputType: 'json',
  viewFormat: 'seconds',
  dayLength: '24HourDays',
  dateFormat: 'yyyy-MM-dd',
  dateTimeFormat: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
} as const;
