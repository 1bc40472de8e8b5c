/** One line or set of bars; a value that is not there is null. */
export interface Series {
  readonly name: string;
  /** One per category, in the unit of the chart. */
  readonly values: readonly (number | null)[];
}

/** A picture of figures, neutral as to who draws it. */
export interface Chart {
  readonly kind: 'bar' | 'stacked-bar' | 'line' | 'pie';
  readonly title: string;
  /** What the values are, such as "days"; told on the axis. */
  readonly unit: string;
  /** What the values belong to, such as weeks or statuses. */
  readonly categories: readonly string[];
  /** Of a pie exactly one. */
  readonly series: readonly Series[];
  /** The same in words, for who does not see it. */
  readonly alt: string;
}
