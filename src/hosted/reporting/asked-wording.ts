/** How a service is asked to write durations: in seconds, whose decimals are the milliseconds. */
export const askedWording = {
  outputType: 'json',
  viewFormat: 'seconds',
  dayLength: '24HourDays',
} as const;

/**
 * How one of our own is asked to write days and instants, so that they can be read back to the millisecond. The product
 * takes no patterns, and tells which ones it used.
 */
export const askedFormats = {
  dateFormat: 'yyyy-MM-dd',
  dateTimeFormat: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
} as const;
