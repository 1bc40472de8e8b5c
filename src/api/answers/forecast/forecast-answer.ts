import { z } from 'zod';
import type { MeasuredQuestion } from '../../../model/question.ts';
import type { Selection } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import { isoInstant } from '../../../output/encode.ts';
import {
  countOrNull,
  described,
  issueMembers,
  ms,
  status,
  unknownMembers,
  type ValueOf,
} from '../document.ts';

/**
 * A forecast. Of one key alone it is when that issue is finished, else of the issues of a selection when `issues` of them are
 * finished, or how many until a day. With neither, it is when all that are open are finished.
 */
export interface ForecastQuestion extends MeasuredQuestion {
  readonly kind: 'forecast';
  readonly selection: Selection;
  /** The id or the name of the sprint that the selection is; its issues are finished at the pace of their projects. */
  readonly sprint?: string;
  /** 1 or more. */
  readonly issues?: number;
  /** The last day that counts, yyyy-MM-dd. */
  readonly until?: string;
  /** Absent: one that follows from the question and the day. */
  readonly seed?: number;
}

/** The key of the one issue that a question is about; null for a question about many. */
export function onlyKey({ selection, issues, until }: ForecastQuestion): string | null {
  if (selection.by !== 'keys' || issues !== undefined || until !== undefined) return null;
  const [key, ...others] = selection.keys;
  return key === undefined || others.length > 0 ? null : key;
}

/** The chances (percent) for which a forecast gives a date or a number. */
export const forecastPercents = [50, 85, 95] as const;

const day = z.string().meta({ format: 'date', examples: ['2026-12-24'] });

const percentile = z
  .object({
    percent: described(z.int(), 'The chance.', ''),
    date: described(
      day.nullable(),
      'The day by whose end the issues are finished with that chance; null: not within five years, or the question is how many.',
      '',
    ),
    issues: described(
      z.int().nullable(),
      'The number of issues, or more, that are finished with that chance; null: the question is when.',
      'So many or more.',
    ),
  })
  .meta({ id: 'ForecastPercentile' });

/** Reasons why there is no forecast. */
const refusals = [
  'too-few-weeks',
  'too-few-issues',
  'nothing-open',
  'not-started',
  'done',
  'age-unknown',
] as const;

/** A forecast from what a team finished in its past weeks, or from how long issues took. */
export const forecastSchema = z.object({
  forecastOf: described(
    z.enum(['date', 'count', 'issue']),
    'date: when a number of issues is finished; count: how many until a day; issue: when one is.',
    '',
  ),
  remaining: described(
    z.int().nullable(),
    'The number of issues to finish: that of the question, else those that are open; null: the question is how many.',
    'Issues to finish.',
  ),
  isOpenCount: described(z.boolean(), 'remaining counts the open issues.', ''),
  until: described(day.nullable(), 'The last day that counts; null: the question is when.', ''),
  issue: described(
    z
      .object({ ...issueMembers, status: status.nullable(), ageMs: ms, finishedAt: isoInstant.nullable() })
      .nullable(),
    'The issue, and its time since work on it began.',
    '',
  ),
  sprint: described(
    z.object({ name: z.string(), end: day.nullable(), percent: z.number().nullable() }).nullable(),
    'The sprint, its planned end, and the chance to finish by then.',
    'Chance by its end.',
  ),
  percentiles: described(
    z.array(percentile),
    'Of 50, 85 and 95 percent; empty where there is no forecast.',
    '',
  ),
  odds: described(
    z.array(
      z
        .object({ date: day.nullable(), issues: z.int().nullable(), percent: z.number() })
        .meta({ id: 'ForecastOdds' }),
    ),
    'The chance by day, or by number of issues.',
    '',
  ),
  weeks: described(
    z.array(z.object({ start: isoInstant, end: isoInstant, finished: z.int() }).meta({ id: 'ForecastWeek' })),
    'The weeks drawn from, the oldest first; each has seven days, the last one ends before the day of the forecast.',
    'Drawn from.',
  ),
  arrived: described(countOrNull, 'Issues created in these weeks.', 'Created in these weeks.'),
  scopeGrows: described(
    z.boolean(),
    'At least a fifth more arrived than were finished, and more than chance explains.',
    '',
  ),
  change: described(
    z
      .object({
        before: z.number(),
        recent: z.number(),
        chance: z.number(),
        percentiles: z.array(percentile),
      })
      .nullable(),
    'A change of throughput: issues finished per week in the last six weeks and in those before, how often chance alone makes such a difference (0 to 1), and the forecast from the last six weeks alone.',
    'Of throughput; from the last six weeks alone.',
  ),
  compared: described(
    z.int().nullable(),
    'Of one issue: how many finished issues it is compared with, which were as old at least.',
    '',
  ),
  comparedInStatus: described(z.boolean(), 'All of these were in its status.', ''),
  refused: described(
    z
      .object({
        reason: z.enum(refusals),
        needed: z.int().nullable(),
        found: z.int().nullable(),
        tryOn: day.nullable(),
      })
      .nullable(),
    'Why there is no forecast: what it needs, what was found, and from which day on it may be there.',
    '',
  ),
  trials: described(z.int().nullable(), 'Null: of one issue nothing is drawn.', ''),
  seed: described(z.int().nullable(), 'The same seed draws the same.', ''),
  ...unknownMembers,
});

/**
 * A forecast; `provenance` is that of the past it is made from, and `projects` (keys) are those whose issues are that past where
 * it is not the selection's own.
 */
export type Forecast = ValueOf<typeof forecastSchema> & {
  readonly projects: readonly string[];
  readonly provenance: Provenance;
};
/** A chance (percent), and the day or the number of issues that has it. */
export type ForecastPercentile = Forecast['percentiles'][number];
/** A point of the picture. */
export type ForecastOdds = Forecast['odds'][number];
