import type { MeasuredQuestion } from '../../../model/question.ts';
import { joinAnswers } from '../../outcomes/read-table.ts';
import type { Aging, Mine } from '../aging/aging-answer.ts';
import { mineSchema } from '../aging/aging-answer.ts';
import { hasNoneOpen, openKeys } from '../figures/aging-figures.ts';
import { openTimesOf } from '../figures/list-request.ts';
import { withReasons } from '../figures/with-reasons.ts';
import type { QuestionKind } from '../question-kind.ts';
import { agingFigures, explainAging } from '../why/explain-aging.ts';
import { countMine, measureOwn } from './assigned-issues.ts';

/** `/tis mine [FILTER] [in CALENDAR]`. */
export const mineKind: QuestionKind<MeasuredQuestion, Mine> = {
  kind: 'mine',
  isPersonal: true,
  selections: () => [],
  ranges: () => [],
  async answer(question, context) {
    const { value, contents } = await (await countMine(question, context)).withBaseline();
    const reasoned = async (aging: Aging) => ({ ...aging, issues: await withReasons(aging.issues, context) });
    const covered = value.covered.map(async (one) => ({ ...one, aging: await reasoned(one.aging) }));
    return { value: { own: await reasoned(value.own), covered: await Promise.all(covered) }, contents };
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
  figures: (mine) => agesOf(mine).flatMap(agingFigures),
  explain: (figure, question, context) =>
    // Issues that are no work of their flow are listed here, and in no other answer about ages.
    explainAging(figure, question, context, async (key) => {
      const { value } = await (await countMine(question, context)).withBaseline();
      return agesOf(value)
        .flatMap(({ issues, provenance }) => issues.map((issue) => ({ issue, provenance })))
        .find(({ issue }) => issue.key === key);
    }),
  async file(question, context) {
    return openTimesOf(await openKeys(await measureOwn(question, context)), question, context);
  },
};

/** The person's own ages, and those of the people they cover for. */
function agesOf({ own, covered }: Mine): readonly Aging[] {
  return [own, ...covered.map(({ aging }) => aging)];
}
