import { joinAnswers, mergeScopes, reaches } from '../../outcomes/read-table.ts';
import type { QuestionKind } from '../question-kind.ts';
import type { ComparedSide, Comparison } from './compare-answer.ts';
import { compareSchema } from './compare-answer.ts';
import { type CompareQuestion, compareSides } from './compare-sides.ts';
import { compareFigures, explainCompare } from './explain-compare.ts';

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
