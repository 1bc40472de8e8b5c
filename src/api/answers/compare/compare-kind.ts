import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import { inStatus } from '../../../output/figure-words.ts';
import { allOutcomes } from '../../outcomes/issue-outcomes.ts';
import { joinAnswers, mergeScopes, reaches } from '../../outcomes/read-table.ts';
import { rangeOf } from '../figures/moving-range.ts';
import type { QuestionKind, ReportingContext } from '../question-kind.ts';
import { cycleChoices, explainOutcomes } from '../why/explain-outcomes.ts';
import { type FigureName, figureId, shortName, unknownFigure } from '../why/explanation.ts';
import {
  type ComparedSide,
  type CompareQuestion,
  type Comparison,
  compareSchema,
  compareSides,
} from './compare-answer.ts';

/** `/tis compare FILTER [RANGE] with FILTER [RANGE] [in CALENDAR]`. */
export const compareKind: QuestionKind<CompareQuestion, Comparison> = {
  kind: 'compare',
  selections: ({ sides }) => sides.map(({ selection }) => selection),
  ranges: ({ sides }) => sides.flatMap(({ range }) => range ?? []),
  async answer(question, context) {
    const value = await compareSides(question, context);
    const [one, other] = value.sides.map(({ provenance }) => provenance.contents ?? null);
    return { value, contents: mergeScopes(one ?? null, other ?? null) };
  },
  isEmpty: ({ sides }) =>
    sides.every(
      ({ issues, provenance }) => issues === 0 && provenance.undecided === 0 && reaches(provenance, null),
    ),
  withProvenance({ sides: [one, other], ...value }, change) {
    const changed = (side: ComparedSide) => ({ ...side, provenance: change(side.provenance) });
    return { ...value, sides: [changed(one), changed(other)] };
  },
  document: {
    schema: compareSchema,
    facts: ({ sides: [one, other] }) => ({
      provenance: joinAnswers(one.provenance, other.provenance),
      until: null,
    }),
  },
  figures: compareFigures,
  explain: explainCompare,
  file: async () => null,
};

/** The figures of each side, those of one thing side by side. The last word is the side: 0 or 1. */
function compareFigures({ sides: both, statuses }: Comparison): readonly FigureChoice[] {
  const ofSides = (choice: (side: 0 | 1) => FigureChoice | null): readonly FigureChoice[] =>
    ([0, 1] as const).flatMap((side) => choice(side) ?? []);
  return [
    ...ofSides((side) => ({
      id: figureId('finished', String(side)),
      title: `Issues finished: ${both[side].title}`,
    })),
    ...cycleChoices.flatMap(({ id, title }) =>
      ofSides((side) =>
        both[side].cycleTime.count === 0
          ? null
          : { id: `${id}:${side}`, title: `${title}: ${both[side].title}` },
      ),
    ),
    ...statuses.flatMap(({ id, ids = [id, id], name: title, sides }) =>
      ofSides((side) =>
        sides[side].count === 0
          ? null
          : {
              id: figureId('averageMs', shortName(ids[side]), String(side)),
              title: `Average time ${inStatus(title)}: ${both[side].title}`,
            },
      ),
    ),
  ];
}

/** Explains a figure of one side by the issues it is made of. */
async function explainCompare(
  { kind, words }: FigureName,
  { sides, calendar, timeZone }: CompareQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<Explanation> {
  const last = words.at(-1);
  if (last !== '0' && last !== '1') throw unknownFigure();
  const { title, selection, range } = last === '0' ? sides[0] : sides[1];
  const dateRange = rangeOf(range, { asOf, timeZone });
  const found = await allOutcomes({ principal, selection, dateRange, asOf, calendar }, reporting);
  await yieldToOthers();
  return explainOutcomes(
    { kind, words: words.slice(0, -1) },
    {
      ...found,
      maybe: found.outcomes.filter(({ unclear }) => unclear !== null),
      asOf,
      called: title,
      finishedCalled: `Issues finished: ${title}`,
    },
  );
}
