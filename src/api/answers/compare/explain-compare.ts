import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type { Comparison, Explanation, FigureChoice } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Principal } from '../../../model/request.ts';
import { inStatus } from '../../../output/figure-words.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { finishedIssues } from '../figures/issue-lives.ts';
import { rangeOf } from '../figures/moving-range.ts';
import { cycleTitles, explainLives } from '../why/explain-lives.ts';
import { type FigureName, figureId, shortName, unknownFigure } from '../why/explanation.ts';
import type { CompareQuestion } from './compare-sides.ts';

/** The figures of each side, those of one thing side by side. The last word is the side: 0 or 1. */
export function compareFigures({ titles, cycleTime, statuses }: Comparison): readonly FigureChoice[] {
  const ofSides = (choice: (side: 0 | 1) => FigureChoice | null): readonly FigureChoice[] =>
    ([0, 1] as const).flatMap((side) => choice(side) ?? []);
  return [
    ...ofSides((side) => ({
      id: figureId('finished', String(side)),
      title: `Issues finished: ${titles[side]}`,
    })),
    ...(['average', 'median', 'p85'] as const).flatMap((which) =>
      ofSides((side) =>
        cycleTime[side].count === 0
          ? null
          : { id: figureId('cycle', which, String(side)), title: `${cycleTitles[which]}: ${titles[side]}` },
      ),
    ),
    ...statuses.flatMap(({ id, ids = [id, id], title, sides }) =>
      ofSides((side) =>
        sides[side].count === 0
          ? null
          : {
              id: figureId('average', shortName(ids[side]), String(side)),
              title: `Average time ${inStatus(title)}: ${titles[side]}`,
            },
      ),
    ),
  ];
}

/** Which issues a figure of one side is made of. */
export async function explainCompare(
  { kind, words }: FigureName,
  { sides, calendar, timeZone }: CompareQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<Explanation> {
  const last = words.at(-1);
  if (last !== '0' && last !== '1') throw unknownFigure();
  const { title, selection, range } = last === '0' ? sides[0] : sides[1];
  const dateRange = rangeOf(range, { asOf, timeZone });
  const found = await finishedIssues({ principal, selection, dateRange, asOf, calendar }, reporting);
  await yieldToOthers();
  return explainLives(
    { kind, words: words.slice(0, -1) },
    {
      ...found,
      maybe: found.lives.filter(({ unclear }) => unclear !== null),
      asOf,
      called: title,
      finishedCalled: `Issues finished: ${title}`,
    },
  );
}
