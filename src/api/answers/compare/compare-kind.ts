import type { Comparison } from '../../../model/answer.ts';
import { mergeScopes, reaches } from '../figures/read-table.ts';
import type { QuestionKind } from '../question-kind.ts';
import { type CompareQuestion, compareSides } from './compare-sides.ts';
import { compareFigures, explainCompare } from './explain-compare.ts';

/** `/tis compare FILTER [RANGE] with FILTER [RANGE] [in CALENDAR]`. */
export const compareKind: QuestionKind<CompareQuestion, Comparison> = {
  kind: 'compare',
  selections: ({ sides }) => sides.map(({ selection }) => selection),
  ranges: ({ sides }) => sides.flatMap(({ range }) => range ?? []),
  async answer(question, { principal, asOf, parts }) {
    const value = await compareSides(question, principal, asOf, parts);
    const [one, other] = value.provenance;
    return { value, contents: mergeScopes(one.contents ?? null, other.contents ?? null) };
  },
  isEmpty: ({ issues, provenance }) =>
    issues.every((count) => count === 0) &&
    provenance.every((one) => one.undecided === 0 && reaches(one, null)),
  withProvenance: (value, change) => ({
    ...value,
    provenance: [change(value.provenance[0]), change(value.provenance[1])],
  }),
  figures: compareFigures,
  explain: (figure, question, { principal, asOf, parts }) =>
    explainCompare(figure, question, principal, asOf, parts.reporting),
  file: async () => null,
};
