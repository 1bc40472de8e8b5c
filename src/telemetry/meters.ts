import { type Metric, metrics } from './metrics.ts';

/** A value of each label. */
type LabelsOf<Of extends Metric> = Readonly<Record<Of['labels'][number], string>>;

/** Records a metric. `value`: by how much a counter rises, what a histogram observes, the value of a gauge. */
export type Recording<Of extends Metric> = (labels: LabelsOf<Of>, value: number) => void;

/** The function of each metric of the list. */
type Recordings = { readonly [Name in keyof typeof metrics]: Recording<(typeof metrics)[Name]> };

/** The meters of a process. Rooms record what they do, and know nothing of who reads it. */
export interface Meters extends Recordings {
  /** Calls a function that sets gauges each time before the metrics are read; what it throws leaves them out. */
  atReading(measure: () => void | Promise<void>): void;
  /** The metrics as text, in the format that `Accept` prefers. */
  exposition(accept: string): Promise<{ readonly type: string; readonly text: string }>;
}

/** A function for each metric. */
export function recordingsOf(make: (metric: Metric) => Recording<Metric>): Recordings {
  const made = Object.entries(metrics).map(([key, metric]) => [key, make(metric)]);
  return Object.fromEntries(made) as unknown as Recordings;
}

/** Meters that no one reads, of commands for example. */
export const unmeasured: Meters = {
  ...recordingsOf(() => () => {}),
  atReading: () => {},
  exposition: async () => ({ type: 'text/plain', text: '' }),
};
