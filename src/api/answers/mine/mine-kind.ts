import type { MeasuredQuestion } from '../../../model/question.ts';
import { joinAnswers } from '../../outcomes/read-table.ts';
import type { Mine } from '../aging/aging-answer.ts';
import { mineSchema } from '../aging/aging-answer.ts';
import { hasNoneOpen, openKeys } from '../figures/aging-figures.ts';
import { openTimesOf } from '../figures/list-request.ts';
import type { QuestionKind } from '../question-kind.ts';
import { agingFigures, explainAging } from '../why/explain-aging.ts';
import { measureMine, measureOwn } from './assigned-issues.ts';

/** `/tis mine [FILTER] [in CALENDAR]`. */
export const mineKind: QuestionKind<MeasuredQuestion, Mine> = {
  kind: 'mine',
  isPersonal: true,
  selections: () => [],
  ranges: () => [],
  async answer(question, { principal, asOf, parts }) {
    const { mine, contents } = await measureMine(question, principal, asOf, parts);
    return { value: mine, contents };
  },
  isEmpty: ({ own, covered }) => hasNoneOpen(own) && covered.every(({ aging }) => hasNoneOpen(aging)),
  withProvenance: ({ own, covered }, change) => ({
    own: { ...own, provenance: change(own.provenance) },
    covered: covered.map((one) => ({
      ...one,
      aging: { ...one.aging, provenance: change(one.aging.provenance) },
    })),
  }),
  listLength: ({ own, covered }) => covered.reduce((sum, { aging }) => sum + aging.total, own.total),
  document: {
    schema: mineSchema,
    facts: ({ own, covered }) => ({
      provenance: covered.map(({ aging }) => aging.provenance).reduce(joinAnswers, own.provenance),
      until: null,
    }),
  },
  figures: ({ own, covered }) => [own, ...covered.map(({ aging }) => aging)].flatMap(agingFigures),
  explain: (figure, question, { principal, asOf, parts }) =>
    explainAging(figure, question, principal, asOf, parts),
  async file(question, context) {
    const { principal, asOf, parts } = context;
    const keys = await openKeys(await measureOwn(question, principal, asOf, parts));
    return openTimesOf(keys, question, context);
  },
};
