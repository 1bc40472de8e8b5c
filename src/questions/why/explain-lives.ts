import { durationFigures } from '../../engine/statistics.ts';
import type { ExplainedPart, Explanation, LeftOut } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import { doubtsOf, type IssueLife, type IssueLives } from '../figures/issue-lives.ts';
import { compose, longestFirst, partOf } from './compose.ts';
import { type FigureName, shortName, unknownFigure } from './figure-id.ts';
import { averageRule, percentileRule } from './rules.ts';

/** Issues, what they and the finished ones among them are called in titles, and the statuses their time went to. */
interface ExplainedLives extends Pick<IssueLives, 'statuses' | 'provenance'> {
  readonly lives: readonly IssueLife[];
  /** Issues that may be finished as well, for all anybody knows. */
  readonly maybe: readonly IssueLife[];
  /** Why nobody knows how many are finished; null where it is known, or where nobody doubts what is. */
  readonly unknown?: string | null;
  readonly called: string;
  readonly finishedCalled: string;
  readonly asOf: Instant;
}

const finishRule =
  'An issue is finished when it is in a status of category Done; it finished when it last left another status. One that was reopened is not finished.';

/** How many of the issues are finished, and which. */
function explainFinished({
  lives,
  maybe,
  unknown = null,
  finishedCalled,
  provenance,
  asOf,
}: ExplainedLives): Explanation {
  const finished = lives.filter(({ finish }) => finish !== null);
  return compose(
    {
      title: finishedCalled,
      value: unknown === null ? { kind: 'count', value: finished.length } : null,
      ...(unknown === null ? {} : { unknown }),
      rules: [finishRule],
      parts: finished
        .toSorted((a, b) => (b.finish?.at ?? 0) - (a.finish?.at ?? 0))
        .map((life) =>
          partOf({
            ...lifeName(life),
            until: life.finish?.at ?? null,
            note: noteOf(life),
          }),
        ),
      adds: true,
      denominator: { counted: finished.length, of: lives.length },
      excluded: doubtful(maybe),
    },
    provenance,
    asOf,
  );
}

/** The average, the median or the 85th percentile (`words` says which) of the cycle times of the finished ones. */
function explainCycle(which: string | undefined, explained: ExplainedLives): Explanation {
  const { lives, maybe, called, provenance, asOf } = explained;
  const finished = lives.filter(({ finish }) => finish !== null);
  const measured = finished.flatMap((life) =>
    life.finish !== null && 'ms' in life.finish.cycle ? [{ life, ms: life.finish.cycle.ms }] : [],
  );
  const figure = spreadFigure(
    which,
    measured.map(({ ms }) => ms),
  );
  return compose(
    {
      title: `${figure.title} cycle time of ${called}`,
      value: figure.value,
      rules: [
        'Cycle time runs from the first entry into a status of category In Progress to the finish.',
        finishRule,
        figure.rule,
      ],
      parts: longestFirst(
        measured.map(({ life, ms }) =>
          partOf({ ...lifeName(life), until: life.finish?.at ?? null, countedMs: ms }),
        ),
      ),
      adds: false,
      denominator: { counted: measured.length, of: finished.length },
      excluded: [
        ...finished.flatMap(({ facts, finish }) =>
          finish !== null && 'reason' in finish.cycle
            ? [{ key: facts.key, reason: finish.cycle.reason }]
            : [],
        ),
        ...doubtful(maybe),
      ],
    },
    provenance,
    asOf,
  );
}

/** The average time that the issues spent in a status, whole, over those of them that were in it. */
function explainAverage(name: string | undefined, explained: ExplainedLives): Explanation {
  const { lives, statuses, called, provenance, asOf } = explained;
  const status = statuses.find(({ id }) => shortName(id) === name);
  if (status === undefined) throw unknownFigure();
  const measured = lives.flatMap((life) => {
    const ms = life.times?.get(status.id);
    return ms === undefined ? [] : [{ life, ms }];
  });
  const figure = spreadFigure(
    'average',
    measured.map(({ ms }) => ms),
  );
  return compose(
    {
      title: `Average time in ${status.title} of ${called}`,
      value: figure.value,
      rules: [
        'All visits of an issue to the status are added up, whole, whenever they were; one that still lasts counts as far as it came.',
        figure.rule,
      ],
      parts: longestFirst(measured.map(({ life, ms }) => partOf({ ...lifeName(life), countedMs: ms }))),
      adds: false,
      denominator: { counted: measured.length, of: lives.length },
      excluded: lives.flatMap(({ facts, times }) =>
        times === null
          ? [{ key: facts.key, reason: 'its history is not complete' }]
          : times.has(status.id)
            ? []
            : [{ key: facts.key, reason: 'it was never in this status' }],
      ),
    },
    provenance,
    asOf,
  );
}

/** Explains what lives tell; `not-found` for any other figure. */
export function explainLives({ kind, words }: FigureName, explained: ExplainedLives): Explanation {
  const [which] = words;
  switch (kind) {
    case 'finished':
      return explainFinished(explained);
    case 'cycle':
      return explainCycle(which, explained);
    case 'average':
      return explainAverage(which, explained);
    default:
      throw unknownFigure();
  }
}

function spreadFigure(
  which: string | undefined,
  durations: readonly number[],
): { readonly title: string; readonly rule: string; readonly value: Explanation['value'] } {
  const spread = durationFigures([durations]);
  const of = (value: number | null) => (value === null ? null : ({ kind: 'duration', value } as const));
  switch (which) {
    case 'average':
      return { title: 'Average', rule: averageRule, value: of(spread.average) };
    case 'median':
      return { title: 'Median', rule: percentileRule(50), value: of(spread.median) };
    case 'p85':
      return { title: '85th percentile of the', rule: percentileRule(85), value: of(spread.p85) };
    default:
      throw unknownFigure();
  }
}

function noteOf({ finish }: IssueLife): string | null {
  return finish === null || finish.untold === null
    ? null
    : `nobody knows since when: ${finish.untold.reason}`;
}

/** Those of which nobody can tell, and why. */
function doubtful(lives: readonly IssueLife[]): readonly LeftOut[] {
  const { sinceUnknown, unclear } = doubtsOf(lives);
  return [
    ...sinceUnknown.map(({ key, reason }) => ({
      key,
      reason: `it is done, but nobody knows since when: ${reason}`,
    })),
    ...unclear.map(({ key, reason }) => ({ key, reason: `nobody can tell whether it is done: ${reason}` })),
  ];
}

/** How an issue is called, and where it is found. */
export function lifeName({
  facts: { key, link },
  summary,
}: IssueLife): Pick<ExplainedPart, 'label' | 'link'> {
  return { label: `${key} ${summary}`.trim(), link };
}
