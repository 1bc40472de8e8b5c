import { type IssuesAnswer, type IssuesQuestion, issuesKind } from '../../../api/answers/issue/issue-kind.ts';
import type { IssueAnswer } from '../../../api/answers/issue/issue-summary.ts';
import { badRequest } from '../../../model/error.ts';
import { countOf, paceMark, timesUsual } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { dayMsOf, plain } from '../../../output/wording.ts';
import { hoursOf, parseOptions } from '../../ask/grammar/parse-options.ts';
import { readIssueKeys } from '../../ask/grammar/typed-words.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { footText } from '../view/answer-warnings.ts';
import { columnsOf, type FigureCell, figureTable } from '../view/figures-drawn.ts';
import { wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { paceOf } from './issue-state.ts';
/** The number of issues that can be side by side. */
export const SIDE_BY_SIDE = 10;

const SUMMARY_LENGTH = 60;

const columns = [
  ...columnsOf('text', 'Issue'),
  ...columnsOf('name', 'Status'),
  ...columnsOf('figure', 'For', '× usual', 'Took'),
];

/** `/tis WEB-350 APP-12 [in CALENDAR] [in hours]`. */
export const issuesView: QuestionView<IssuesQuestion, IssuesAnswer> = {
  of: issuesKind,
  commands: [],
  title: ({ keys }) => `the time of ${keys.join(', ')}`,
  /** Reads two keys or more, and `[in CALENDAR] [in hours]`; null where other words are among them. */
  async read(words, context) {
    const { left, tails } = await parseOptions(words, ['calendar', 'unit'], context);
    const { keys, others } = readIssueKeys(left.map(({ plain: word }) => word));
    if (keys.length < 2 || others.length > 0) return null;
    if (keys.length > SIDE_BY_SIDE) {
      throw badRequest(
        `${keys.length} issues are more than I can show side by side. Try: up to ${SIDE_BY_SIDE}.`,
      );
    }
    const question: IssuesQuestion = { kind: 'issues', keys, ...hoursOf(tails, context) };
    return { question, remark: null };
  },
  view: issuesSheet,
};

function issuesSheet({ issues, missing, provenance }: IssuesAnswer, { place }: ViewContext): AnswerSheet {
  const done = issues.filter(({ finish }) => finish !== null).length;
  const all = issues.length === 1 ? '' : 'all ';
  const lines = issues.map((issue) => ({ title: issue.key, line: `/tis ${issue.key}` }));
  return {
    headline: wordedText(
      ({ strong }) =>
        `${strong(countOf(issues.length, 'issue'))}${done === 0 ? '' : `, ${done === issues.length ? all : `${done} `}finished`}`,
    ),
    warnings: [
      ...(missing.length === 0
        ? []
        : [
            wordedText(({ words }) => `I can't find ${words(missing.join(', '))}, or you don't have access.`),
          ]),
    ],
    table: figureTable(columns, issues.map(rowOf)),
    footer: wordedText((wording) => footText(provenance, wording)),
    ...(place === 'private' ? { openers: lines } : {}),
  };
}

function rowOf(issue: IssueAnswer): FigureCell[] {
  const { key, link, summary, current, finish, startedAt: begun, tookMs, usual, provenance } = issue;
  const dayMs = dayMsOf(provenance.calendar);
  const isDone = current?.kind === 'done';
  const pace = paceOf(
    isDone ? (finish === null || begun === null ? null : tookMs) : (current?.forMs ?? null),
    usual,
  );
  const mark = isDone ? '' : paceMark(pace);
  const forMs = isDone ? null : (current?.forMs ?? null);
  return [
    { text: `${key} ${shorten(plain.words(summary), SUMMARY_LENGTH)}`.trim(), link },
    { text: current?.name ?? 'unknown' },
    { text: forMs === null ? '–' : durationWords(forMs, dayMs) },
    { text: pace === null ? '–' : `${mark === '' ? '' : `${mark} `}${timesUsual(pace)}` },
    { text: finish === null || begun === null ? '–' : durationWords(tookMs, dayMs) },
  ];
}
