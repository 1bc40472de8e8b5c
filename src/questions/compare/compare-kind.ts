import { shorten } from '../../block-kit/mrkdwn.ts';
import type { Comparison } from '../../model/answer.ts';
import { mergeScopes, reaches } from '../figures/read-table.ts';
import type { QuestionKind } from '../kind.ts';
import { type CompareQuestion, compareSides } from './compare-sides.ts';
import { compareView } from './compare-view.ts';
import { compareFigures, explainCompare } from './explain-compare.ts';
import { readCompare } from './read-compare.ts';

const NAME_LENGTH = 80;

/** `/tis compare FILTER [RANGE] with FILTER [RANGE] [in CALENDAR]`. */
export const compareKind: QuestionKind<CompareQuestion, Comparison> = {
  kind: 'compare',
  commands: [
    {
      word: 'compare',
      usage: '/tis compare FILTER [RANGE] with FILTER [RANGE] [in CALENDAR]',
      summary: 'two projects or filters side by side, or two periods of one',
      examples: [
        '/tis compare WEB with APP last 30 days',
        '/tis compare WEB resolved last month with resolved this month',
      ],
      details:
        'A side without a filter or a time takes it from the other side. At the end, `time in QA` and median, p85 or average are what the sides are compared by; without them it is the median cycle time.',
      tries: ({ project }) => [`/tis compare ${project} last month with this month`],
    },
  ],
  read: readCompare,
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
  title: ({ sides }) => sides.map(({ title }) => shorten(title, NAME_LENGTH)).join(' vs. '),
  view: compareView,
  figures: compareFigures,
  explain: (figure, question, { principal, asOf, parts }) =>
    explainCompare(figure, question, principal, asOf, parts.reporting),
  file: async () => null,
};
