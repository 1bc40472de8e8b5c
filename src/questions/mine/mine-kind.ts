import type { Mine } from '../../model/answer.ts';
import { badRequest } from '../../model/error.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import { nothingWaits, openKeys } from '../figures/aging-figures.ts';
import { openTimesOf } from '../figures/list-request.ts';
import type { QuestionKind } from '../kind.ts';
import { refuseLeftover } from '../parse/refuse-leftover.ts';
import { takeTails, unitOf } from '../parse/take-tails.ts';
import { oneOf, plainText } from '../parse/typed-words.ts';
import { agingFigures, explainAging } from '../why/explain-aging.ts';
import { measureMine, measureOwn } from './assigned-issues.ts';
import { mineView } from './mine-view.ts';

/** `/tis mine [in CALENDAR]`. */
export const mineKind: QuestionKind<MeasuredQuestion, Mine> = {
  kind: 'mine',
  isPersonal: true,
  commands: [
    {
      word: 'mine',
      usage: '/tis mine [in CALENDAR]',
      summary: 'open issues assigned to you, and to people you cover for',
      tries: () => ['/tis link', '/tis mine'],
    },
  ],
  async read(words, context) {
    const { rest, tails } = await takeTails(words, ['calendar', 'unit'], context);
    if (rest.length > 1 && oneOf(['in'], rest[0]?.plain) !== undefined)
      throw await refuseLeftover(rest, context);
    if (rest.length > 0) {
      throw badRequest(
        `I don't know what "${plainText(rest)}" means after mine. Try: /tis mine, or /tis mine in CALENDAR.`,
      );
    }
    const { calendar, timeZone } = context.hours;
    const question = { kind: 'mine', calendar: tails.calendar ?? calendar, timeZone, ...unitOf(tails) };
    return { question, remark: null };
  },
  selections: () => [],
  ranges: () => [],
  async answer(question, { principal, asOf, parts }) {
    const { mine, contents } = await measureMine(question, principal, asOf, parts);
    return { value: mine, contents };
  },
  isEmpty: ({ own, covered }) => nothingWaits(own) && covered.every(({ aging }) => nothingWaits(aging)),
  withProvenance: ({ own, covered }, change) => ({
    own: { ...own, provenance: change(own.provenance) },
    covered: covered.map((one) => ({
      ...one,
      aging: { ...one.aging, provenance: change(one.aging.provenance) },
    })),
  }),
  listLength: ({ own, covered }) => covered.reduce((sum, { aging }) => sum + aging.count, own.count),
  title: () => 'issues assigned to the owner',
  view: mineView,
  figures: ({ own, covered }) => [own, ...covered.map(({ aging }) => aging)].flatMap(agingFigures),
  explain: (figure, question, { principal, asOf, parts }) =>
    explainAging(figure, question, principal, asOf, parts),
  async file(question, context) {
    const { principal, asOf, parts } = context;
    const keys = await openKeys(await measureOwn(question, principal, asOf, parts));
    return openTimesOf(keys, question, context);
  },
};
