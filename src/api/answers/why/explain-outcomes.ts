import { durationFigures } from '../../../engine/measure/statistics.ts';
import type {
  DurationFigures,
  ExplainedPart,
  Explanation,
  FigureChoice,
  LeftOut,
} from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import { inStatus } from '../../../output/figure-words.ts';
import { doubtsOf } from '../../outcomes/issue-outcomes.ts';
import type { DoubtfulIssue, IssueOutcome, IssueOutcomes } from '../../outcomes/outcomes-api.ts';
import {
  averageRule,
  compose,
  cycleRule,
  type FigureName,
  figureId,
  longestFirst,
  partOf,
  percentileRule,
  shortName,
  unknownFigure,
} from './explanation.ts';

/** Issues, what they and the finished ones among them are called in titles, and the statuses they spent time in. */
interface ExplainedOutcomes extends Omit<IssueOutcomes, 'outcomes'> {
  readonly outcomes: readonly IssueOutcome[];
  /** All that could be finished, where these are not the same. */
  readonly of?: readonly IssueOutcome[];
  /** Issues that may be finished as well. */
  readonly maybe: readonly DoubtfulIssue[];
  /** Why it is unknown how many are finished; null where it is known, or where nothing is in doubt. */
  readonly unknown?: string | null;
  readonly called: string;
  readonly finishedCalled: string;
  /** The rule by which finished issues count, where not all do. */
  readonly finishedWhere?: string;
  readonly asOf: Instant;
}

export const cycleTitles = {
  average: 'Cycle time, average',
  median: 'Cycle time, median',
  p85: 'Cycle time, p85',
} as const;

/** The figures of cycle times; none of none. */
export function cycleFigures({ count }: Pick<DurationFigures, 'count'>): readonly FigureChoice[] {
  if (count === 0) return [];
  return (['average', 'median', 'p85'] as const).map((which) => ({
    id: figureId('cycleTime', `${which}Ms`),
    title: cycleTitles[which],
  }));
}

const finishRule =
  'Finished: in a status that is done, since the issue last left any other status. A reopened issue is not finished.';

/**
 * Explains a figure of outcomes: those it counts (`finished`), or the durations it is made of (`cycle`, `average`).
 * `unknown-figure` for any other.
 */
export function explainOutcomes(figure: FigureName, explained: ExplainedOutcomes): Explanation {
  const explanation = explainFigure(figure, explained);
  const all = [...explained.outcomes, ...explained.maybe];
  const links = new Map(all.map(({ facts: { key, link } }) => [key, link]));
  const excluded = explanation.excluded.map((one) => {
    const link = links.get(one.key) ?? null;
    return link === null ? one : { ...one, link };
  });
  return { ...explanation, excluded };
}

function explainFigure(figure: FigureName, explained: ExplainedOutcomes): Explanation {
  const { outcomes, maybe, called } = explained;
  const finished = outcomes.filter(({ finish }) => finish !== null);
  const [which] = figure.words;
  switch (figure.kind) {
    case 'finished':
      return explainCount(
        {
          title: explained.finishedCalled,
          rules: [...(explained.finishedWhere === undefined ? [] : [explained.finishedWhere]), finishRule],
          unknown: explained.unknown ?? null,
        },
        finished.toSorted((a, b) => (b.finish?.at ?? 0) - (a.finish?.at ?? 0)),
        { ...explained, outcomes: explained.of ?? outcomes },
        doubtful(maybe),
      );
    case 'cycleTime': {
      const { title, rule, value } = figureOf(which);
      return explainDurations(
        {
          title: `${title} cycle time of ${called}`,
          value,
          rules: [cycleRule, finishRule, rule],
        },
        finished,
        ({ finish }) =>
          finish !== null && 'ms' in finish.cycle ? { countedMs: finish.cycle.ms, until: finish.at } : null,
        explained,
        [
          ...finished.flatMap(({ facts, finish }) =>
            finish !== null && 'reason' in finish.cycle
              ? [{ key: facts.key, reason: finish.cycle.reason }]
              : [],
          ),
          ...doubtful(maybe),
        ],
      );
    }
    case 'averageMs': {
      const status = explained.statuses.find(({ id }) => shortName(id) === which);
      if (status === undefined) throw unknownFigure();
      const { rule, value } = figureOf('averageMs');
      return explainDurations(
        {
          title: `Average time ${inStatus(status.name)} of ${called}`,
          value,
          rules: [
            'All time of an issue in this status counts, whenever it was; a stay that is still running counts up to now.',
            rule,
          ],
        },
        outcomes,
        ({ times }) => {
          const countedMs = times?.get(status.id);
          return countedMs === undefined ? null : { countedMs };
        },
        explained,
        outcomes.flatMap(({ facts: { key }, times }) =>
          times === null
            ? [{ key, reason: 'its history is not complete' }]
            : times.has(status.id)
              ? []
              : [{ key, reason: 'never in this status' }],
        ),
      );
    }
    default:
      throw unknownFigure();
  }
}

/** Explains a figure that counts issues by these, of all that could count. */
export function explainCount(
  {
    title,
    rules,
    unknown = null,
  }: { readonly title: string; readonly rules: readonly string[]; readonly unknown?: string | null },
  counted: readonly IssueOutcome[],
  { outcomes, provenance, asOf }: Pick<ExplainedOutcomes, 'outcomes' | 'provenance' | 'asOf'>,
  excluded: readonly LeftOut[] = [],
): Explanation {
  return compose(
    {
      title,
      value: unknown === null ? { kind: 'count', value: counted.length } : null,
      ...(unknown === null ? {} : { unknown }),
      rules,
      parts: counted.map((outcome) =>
        outcomePart(outcome, { until: outcome.finish?.at ?? null, note: noteOf(outcome) }),
      ),
      adds: true,
      denominator: { counted: counted.length, of: outcomes.length },
      excluded,
    },
    provenance,
    asOf,
  );
}

/** Explains a figure of durations by that of each issue (null: it has none), of all that could have one; `until` is its end. */
function explainDurations(
  {
    title,
    value,
    rules,
  }: {
    readonly title: string;
    readonly value: (durations: readonly number[]) => number | null;
    readonly rules: readonly string[];
  },
  outcomes: readonly IssueOutcome[],
  durationOf: (
    outcome: IssueOutcome,
  ) => { readonly countedMs: number; readonly until?: Instant | null } | null,
  { provenance, asOf }: Pick<ExplainedOutcomes, 'provenance' | 'asOf'>,
  excluded: readonly LeftOut[],
): Explanation {
  const measured = outcomes.flatMap((outcome) => {
    const duration = durationOf(outcome);
    return duration === null ? [] : [{ outcome, duration }];
  });
  const figure = value(measured.map(({ duration }) => duration.countedMs));
  return compose(
    {
      title,
      value: figure === null ? null : { kind: 'duration', value: figure },
      rules,
      parts: longestFirst(measured.map(({ outcome, duration }) => outcomePart(outcome, duration))),
      adds: false,
      denominator: { counted: measured.length, of: outcomes.length },
      excluded,
    },
    provenance,
    asOf,
  );
}

function figureOf(which: string | undefined) {
  switch (which) {
    case 'averageMs':
      return {
        title: 'Average',
        rule: averageRule,
        value: (ms: readonly number[]) => durationFigures([ms]).averageMs,
      };
    case 'medianMs':
      return {
        title: 'Median',
        rule: percentileRule(50),
        value: (ms: readonly number[]) => durationFigures([ms]).medianMs,
      };
    case 'p85Ms':
      return {
        title: 'p85',
        rule: percentileRule(85),
        value: (ms: readonly number[]) => durationFigures([ms]).p85Ms,
      };
    default:
      throw unknownFigure();
  }
}

/** An issue as a part of a figure. */
export function outcomePart(
  { facts: { key, link }, summary }: IssueOutcome,
  part: Partial<ExplainedPart>,
): ExplainedPart {
  return partOf({ label: `${key} ${summary}`.trim(), link, ...part });
}

function noteOf({ finish }: IssueOutcome): string | null {
  return finish === null || finish.unknown === null
    ? null
    : `since when is unknown: ${finish.unknown.reason}`;
}

/** Issues that may be finished, or are since an unknown time, and why. */
export function doubtful(outcomes: readonly DoubtfulIssue[]): readonly LeftOut[] {
  const { doneSinceUnknown: sinceUnknown, unclear } = doubtsOf(outcomes);
  return [
    ...sinceUnknown.map(({ key, reason }) => ({
      key,
      reason: `done, but since when is unknown: ${reason}`,
    })),
    ...unclear.map(({ key, reason }) => ({ key, reason: `it is unknown whether it is done: ${reason}` })),
  ];
}
