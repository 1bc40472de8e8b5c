import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';

/** A cron expression, and which times on the wall it fits, told without reading it. */
export interface PlainCron {
  readonly text: string;
  /** Every hour fits. */
  readonly isRhythm: boolean;
  /** `wall` in minutes as if it were UTC. */
  fits(wall: number): boolean;
}

interface Field {
  readonly text: string;
  readonly values: readonly number[];
}

/** Values from `low` to `high`; of those that are named none is above `most`. */
function field(low: number, high: number, most = high): fc.Arbitrary<Field> {
  const value = fc.integer({ min: low, max: most });
  const every = (from: number, to: number, step: number) =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
  const step = fc.integer({ min: 1, max: high - low });
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({ text: '*', values: every(low, high, 1) }) },
    fc
      .uniqueArray(value, { minLength: 1, maxLength: 4 })
      .map((values) => ({ text: values.join(','), values })),
    fc.tuple(value, value, step).map(([a, b, by]) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      return { text: `${from}-${to}/${by}`, values: every(from, to, by) };
    }),
    step.map((by) => ({ text: `*/${by}`, values: every(low, high, by) })),
  );
}

const star: fc.Arbitrary<Field> = fc.constant({ text: '*', values: [] });

/** Expressions of five fields that fire within some days more often than not. */
export const anyCron: fc.Arbitrary<PlainCron> = fc
  .record({
    minute: field(0, 59),
    // Most clocks are changed early in the day.
    hour: fc.oneof(field(0, 23), field(0, 23, 3)),
    day: fc.oneof(field(1, 31), star),
    month: fc.constant('*'),
    weekday: field(0, 6),
  })
  .map(({ minute, hour, day, month, weekday }) => {
    const fitsDay = (date: Date) => {
      const inMonth = day.text === '*' || day.values.includes(date.getUTCDate());
      const inWeek = weekday.text === '*' || weekday.values.includes(date.getUTCDay());
      return day.text === '*' || weekday.text === '*' ? inMonth && inWeek : inMonth || inWeek;
    };
    return {
      text: [minute.text, hour.text, day.text, month, weekday.text].join(' '),
      isRhythm: hour.values.length === 24,
      fits: (wall: number) => {
        const date = new Date(wall * millisecondsInMinute);
        return (
          minute.values.includes(date.getUTCMinutes()) &&
          hour.values.includes(date.getUTCHours()) &&
          fitsDay(date)
        );
      },
    };
  });
