import type { Aging, Mine } from '../../../api/answers/aging/aging-answer.ts';
import type { AgingQuestion } from '../../../api/answers/aging/aging-kind.ts';
import { mineKind } from '../../../api/answers/mine/mine-kind.ts';
import { queryOf } from '../../../api/parameters/rolling-range.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { countOf, countWords } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import type { Wording } from '../../../output/wording.ts';
import { hoursOf, parseOptions } from '../../ask/grammar/parse-options.ts';
import type { ParserContext, ReadWords } from '../../ask/grammar/parser-context.ts';
import { filterOrDefault, joinFilters } from '../../ask/grammar/read-filter.ts';
import { type Word, wordsOf } from '../../ask/grammar/typed-words.ts';
import { agingTable, targetsText } from '../view/aging-rows.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { agingWarnings, footText, historiesOf } from '../view/answer-warnings.ts';
import { wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';

const NAME_LENGTH = 80;
/** More people are counted, not named. */
const PEOPLE = 5;

/** `/tis mine [FILTER] [in CALENDAR]`. */
export const mineView: QuestionView<MeasuredQuestion, Mine> = {
  of: mineKind,
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
    const { left, tails } = await parseOptions(words, ['calendar', 'unit'], context);
    const measured = hoursOf(tails, context);
    if (left.length === 0) return { question: { kind: 'mine', ...measured }, remark: null };
    return ownWithin(left, measured, context);
  },
  title: () => 'issues assigned to the owner',
  view: mineSheet,
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

/** The issues assigned to a person: first their own, then those of the people they cover for. */
function mineSheet(mine: Mine, { part: { start, size } }: Pick<ViewContext, 'part'>): AnswerSheet {
  const { own, covered } = mine;
  const rows = [
    ...own.issues.map((issue) => ({ ...issue, person: 'you' })),
    ...covered.flatMap(({ person, aging }) =>
      aging.issues.map((issue) => ({ ...issue, person: `@${person.name}` })),
    ),
  ];
  const shown = rows.slice(start, start + size);
  const { provenance } = own;
  return {
    headline: wordedText((wording) => headText(mine, wording)),
    warnings: agingWarnings(
      [{ aging: own, of: null }, ...covered.map(({ person, aging }) => ({ aging, of: person.name }))],
      { reasons: true },
    ),
    table: agingTable(shown, { title: covered.length > 0 ? 'Assigned to' : null, provenance }),
    page: {
      start,
      end: start + shown.length,
      total: covered.reduce((sum, { aging }) => sum + aging.total, own.total),
    },
    footer: wordedText((wording) => footText(historiesOf(provenance), wording)),
    hasFile: false,
  };
}

function headText({ own, covered }: Mine, wording: Wording): string {
  const others = covered.filter(({ aging }) => openCount(aging) > 0);
  const named = others
    .slice(0, PEOPLE)
    .map(
      ({ person, aging }) =>
        `${wording.words(shorten(person.name, NAME_LENGTH))}: ${countOf(openCount(aging), 'issue')}`,
    );
  const more = others.length - named.length;
  const ownTargets = targetsText(own);
  const unnamed = more > 0 ? ` and ${countWords(more)} more ${more === 1 ? 'person' : 'people'}` : '';
  return [
    ownText(own, wording),
    ...(ownTargets === null ? [] : [ownTargets]),
    ...(named.length === 0 ? [] : [`Covering for ${named.join(', ')}${unnamed}`]),
  ].join('\n');
}

/** `5 open issues assigned to you · 3 not started · 2 longer than usual`. */
function ownText(own: Aging, { strong }: Wording): string {
  const all = openCount(own);
  if (all === 0) {
    const isUnknown = own.unclear.length + own.provenance.undecided > 0;
    return isUnknown
      ? `${strong('No open issue found that is assigned to you')}, but some issues could not be checked.`
      : `${strong('No open issues assigned to you')} · they show up here once you have some`;
  }
  return [
    strong(`${countOf(all, 'open issue')} assigned to you`),
    ...(own.notStarted.count === 0 ? [] : [`${countWords(own.notStarted.count)} not started`]),
    ...(own.beyondUsual === 0 ? [] : [`${countWords(own.beyondUsual)} longer than usual`]),
  ].join(' · ');
}

function openCount({ total: count, ageUnknown: unknown }: Aging): number {
  return count + unknown.length;
}
