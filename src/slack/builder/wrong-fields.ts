/** Fields of the report builder at which something can be wrong. */
export type Field =
  | 'builder-report'
  | 'filter'
  | 'builder-range'
  | 'from'
  | 'to'
  | 'builder-group'
  | 'statistic'
  | 'builder-calendar'
  | 'target'
  | 'save-as';

/** What is wrong, in plain sentences by field. */
export type Wrong = Readonly<Partial<Record<Field, string>>>;
