import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
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
import { doubtsOf, withoutCycleTime } from '../../outcomes/issue-outcomes.ts';
import type {
  DoubtfulIssue,
  FinishedSpans,
  IssueOutcome,
  IssueOutcomes,
} from '../../outcomes/outcomes-api.ts';
import {
  averageRule,
  compose,
  cycleRule,
  type FigureName,
  figureId,
  longestFirst,
  partOf,
  percentileRule,
  type Reasons,
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

/** The statistics of durations, by the member of their figures. */
const statistics = [
  { member: 'averageMs', title: 'Average', rule: averageRule },
  { member: 'medianMs', title: 'Median', rule: percentileRule(50) },
  { member: 'p85Ms', title: 'p85', rule: percentileRule(85) },
] as const;

/** The figures of cycle times. */
export const cycleChoices: readonly FigureChoice[] = statistics.map(({ member, title }) => ({
  id: figureId('cycleTime', member),
  title: `Cycle time, ${title.toLowerCase()}`,
}));

/** The figures of cycle time that can be explained; none where no issue has one. */
export function cycleFigures({ count }: Pick<DurationFigures, 'count'>): readonly FigureChoice[] {
  return count === 0 ? [] : cycleChoices;
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

/** Explains a figure of the issues finished in the first of some spans; `when` follows "finished". */
export async function explainFinished(
  figure: FigureName,
  { spans: [span], doubtful: maybe, statuses, provenance }: FinishedSpans,
  { when, asOf, unknown = null }: { readonly when: string } & Pick<ExplainedOutcomes, 'asOf' | 'unknown'>,
): Promise<Explanation> {
  const outcomes = (await span?.outcomes()) ?? [];
  await yieldToOthers();
  const called = { called: `issues finished ${when}`, finishedCalled: `Finished ${when}` };
  return explainOutcomes(figure, { outcomes, maybe, unknown, statuses, provenance, asOf, ...called });
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
    case 'cycleTime':
      return explainDurations(
        which,
        {
          titleOf: (statistic) => `${statistic} cycle time of ${called}`,
          rules: [cycleRule, finishRule],
          parts: cycleTimeParts(finished),
          of: finished.length,
          excluded: [...withoutCycleTime(finished), ...doubtful(maybe)],
        },
        explained,
      );
    case 'averageMs': {
      const status = explained.statuses.find(({ id }) => shortName(id) === which);
      if (status === undefined) throw unknownFigure();
      return explainDurations(
        'averageMs',
        {
          titleOf: () => `Average time ${inStatus(status.name)} of ${called}`,
          rules: [
            'All time of an issue in this status counts, whenever it was; a stay that is still running counts up to now.',
          ],
          parts: outcomes.flatMap((outcome) => {
            const countedMs = outcome.times?.get(status.id);
            return countedMs === undefined ? [] : [outcomePart(outcome, { countedMs })];
          }),
          of: outcomes.length,
          excluded: outcomes.flatMap(({ facts: { key }, times }) =>
            times === null
              ? [{ key, reason: 'its history is not complete' }]
              : times.has(status.id)
                ? []
                : [{ key, reason: 'never in this status' }],
          ),
        },
        explained,
      );
    }
    default:
      throw unknownFigure();
  }
}

/** Explains a figure that counts issues by these, of all that could count. */
export function explainCount(
  { title, rules, unknown = null }: Pick<Reasons, 'title' | 'rules'> & { readonly unknown?: string | null },
  counted: readonly IssueOutcome[],
  { outcomes, provenance, asOf }: Pick<ExplainedOutcomes, 'outcomes' | 'provenance' | 'asOf'>,
  excluded: readonly LeftOut[] = [],
): Explanation {
  return compose({
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
    provenance,
    asOf,
  });
}

/** Explains a statistic of durations by those of the issues that have one, `of` all that could. */
function explainDurations(
  which: string | undefined,
  {
    titleOf,
    rules,
    parts,
    of,
    excluded,
  }: Required<Pick<Reasons, 'rules' | 'parts' | 'excluded'>> & {
    readonly titleOf: (statistic: string) => string;
    readonly of: number;
  },
  { provenance, asOf }: Pick<ExplainedOutcomes, 'provenance' | 'asOf'>,
): Explanation {
  const statistic = statistics.find(({ member }) => member === which);
  if (statistic === undefined) throw unknownFigure();
  const figure = durationFigures([parts.map(({ countedMs }) => countedMs ?? 0)])[statistic.member];
  return compose({
    title: titleOf(statistic.title),
    value: figure === null ? null : { kind: 'duration', value: figure },
    rules: [...rules, statistic.rule],
    parts: longestFirst(parts),
    adds: false,
    denominator: { counted: parts.length, of },
    excluded,
    provenance,
    asOf,
  });
}

/** Issues by their cycle times, those that have one. */
export function cycleTimeParts(
  outcomes: readonly IssueOutcome[],
  noteOn: (outcome: IssueOutcome, ms: number) => string | null = () => null,
): readonly ExplainedPart[] {
  return outcomes.flatMap((outcome) => {
    const { finish } = outcome;
    if (finish === null || 'reason' in finish.cycle) return [];
    const { ms } = finish.cycle;
    return [outcomePart(outcome, { countedMs: ms, until: finish.at, note: noteOn(outcome, ms) })];
  });
}

/** An issue as a part of a figure. */
function outcomePart(
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
  const { doneSinceUnknown, unclear } = doubtsOf(outcomes);
  return [
    ...doneSinceUnknown.map(({ key, reason }) => ({
      key,
      reason: `done, but since when is unknown: ${reason}`,
    })),
    ...unclear.map(({ key, reason }) => ({ key, reason: `it is unknown whether it is done: ${reason}` })),
  ];
}
