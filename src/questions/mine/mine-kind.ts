import type { Mine } from '../../model/answer.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import { queryOf } from '../../parameters/rolling-range.ts';
import type { AgingQuestion } from '../aging/aging-view.ts';
import { nothingWaits, openKeys } from '../figures/aging-figures.ts';
import { openTimesOf } from '../figures/list-request.ts';
import type { QuestionKind } from '../kind.ts';
import type { ParserContext, ReadWords } from '../parse/parser-context.ts';
import { filterOrDefault, joinFilters } from '../parse/read-filter.ts';
import { takeTails, unitOf } from '../parse/take-tails.ts';
import { type Word, wordsOf } from '../parse/typed-words.ts';
import { agingFigures, explainAging } from '../why/explain-aging.ts';
import { measureMine, measureOwn } from './assigned-issues.ts';
import { mineView } from './mine-view.ts';

/** `/tis mine [FILTER] [in CALENDAR]`. */
export const mineKind: QuestionKind<MeasuredQuestion, Mine> = {
  kind: 'mine',
  isPersonal: true,
  commands: [
    {
      word: 'mine',
      usage: '/tis mine [FILTER] [in CALENDAR]',
      summary: 'open issues assigned to you, and to people you cover for',
      details: 'With a FILTER, such as a project, only your own issues among those.',
      examples: ['/tis mine', '/tis mine WEB'],
      tries: () => ['/tis link', '/tis mine'],
    },
  ],
  async read(words, context) {
    const { rest, tails } = await takeTails(words, ['calendar', 'unit'], context);
    const { timeZone } = context.hours;
    const measured = { calendar: tails.calendar ?? context.hours.calendar, timeZone, ...unitOf(tails) };
    if (rest.length === 0) return { question: { kind: 'mine', ...measured }, remark: null };
    return ownWithin(rest, measured, context);
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

/** The open issues of a filter that are assigned to the person who asks: they are aged as any others. */
async function ownWithin(
  words: readonly Word[],
  measured: Omit<MeasuredQuestion, 'kind'>,
  context: ParserContext,
): Promise<ReadWords> {
  const within = await filterOrDefault(words, context);
  const own = await filterOrDefault(wordsOf('assignee me'), context);
  const joined = joinFilters([own, within]) ?? own;
  const title = `${own.title.replace(/^issues /, '')} in ${within.title}`;
  const selection = { by: 'jql', jql: queryOf(joined.selection), title } as const;
  const question: AgingQuestion = { kind: 'aging', selection, ...measured, backlog: true };
  await context.check(question);
  return { question, remark: within.remark };
}
