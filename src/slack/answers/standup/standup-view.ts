import type { Standup } from '../../../api/answers/standup/standup-answer.ts';
import { type StandupQuestion, standupKind } from '../../../api/answers/standup/standup-kind.ts';
import type { MovedIssue } from '../../../api/outcomes/outcomes-api.ts';
import type { NamedPerson } from '../../../model/answer.ts';
import type { Selection } from '../../../model/request.ts';
import { countOf, countWords, NEVER, timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import type { Message } from '../../blocks/message.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { type FigureCell, figureTable } from '../view/figures-drawn.ts';
import { filterQuestion } from '../view/filter-question.ts';
import { type Text, wordedText } from '../view/marked-wording.ts';
import { chartDetail, PAGE_ROWS, pagedTable } from '../view/paged-table.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { dayText, keyText, oneLine, rowsOf } from './standup-rows.ts';

const NAME_LENGTH = 60;
/** A message of more lines is read by no one. */
const MAX_LINES = 10;
const [MIN_ROWS, MAX_ROWS] = [3, 6];
/** More issues of one line are counted. */
const MAX_NAMED = 5;
const SUMMARY_LENGTH = 60;

/** `/tis standup [FILTER] [in CALENDAR]`. */
export const standupView: QuestionView<StandupQuestion, Standup> = {
  of: standupKind,
  builderTitle: 'Standup: news since the last working day',
  commands: [
    {
      word: 'standup',
      usage: '/tis standup [FILTER] [in CALENDAR]',
      summary: 'what moved since the last working day, what is blocked or due today, and who is away',
      examples: ['/tis standup WEB', '/tis digest standup WEB every weekday at 9:00 on working days'],
      details:
        'As a digest it posts nothing on a day without news. People who are away are shown to those who can view all cover, and in a channel where everyone can. Without a FILTER it uses the default projects of this channel, else the project with most of your issues.',
      tries: ({ project }) => [`/tis standup ${project}`],
    },
  ],
  ...filterQuestion('standup'),
  title: ({ selection }) => `the standup of ${issuesText(selection)}`,
  view: standupSheet,
};

/** The news in a few lines, and a row with a button for each issue or person in the way; at most ten lines. */
function standupSheet(
  standup: Standup,
  { question: { selection }, place }: ViewContext & { readonly question: StandupQuestion },
): AnswerSheet {
  const { provenance, blocked, coverShown } = standup;
  const warnings = finishedWarnings(provenance, standup, null, 'now');
  const news = newsLines(standup);
  const taken = [...warnings, ...news].reduce((sum, { plain }) => sum + plain.split('\n').length, 2);
  const lines = rowsOf(standup, place, Math.min(MAX_ROWS, Math.max(MIN_ROWS, MAX_LINES - taken)));
  const doubts = [...(blocked === null ? ['blocked work is unknown'] : []), ...coverDoubts[coverShown]];
  return {
    headline: wordedText((wording) => headText(standup, selection, wording)),
    warnings,
    remarks: together(news),
    ...(lines.length === 0 ? {} : { attention: { lines } }),
    footer: wordedText((wording) =>
      [footText(historiesOf(provenance), wording, queryText(selection, place)), ...doubts].join(' · '),
    ),
    details: standupDetails(standup),
    hasFile: false,
  };
}

/** Doubts about who is away, by whose delegations are shown. */
const coverDoubts: Readonly<Record<Standup['coverShown'], readonly string[]>> = {
  all: [],
  own: ['others may be away: you can see only your own cover'],
  unknown: ['who is away is unknown: the register of delegations does not say'],
  withheld: ['who is away is not shown: not everyone here can view all cover'],
};

/** A section cannot be longer; a mention takes more room than the name it is made of. */
const MAX_TOGETHER = 1_500;

/** Short lines as one text; long ones each by itself. */
function together(lines: readonly Text[]): readonly Text[] {
  if (lines.reduce((sum, { marked }) => sum + marked.length, 0) > MAX_TOGETHER || lines.length === 0)
    return lines;
  return [
    {
      plain: lines.map(({ plain }) => plain).join('\n'),
      marked: lines.map(({ marked }) => marked).join('\n'),
    },
  ];
}

/** `WEB · since Friday · 3 finished · 1 blocked`, or that nothing moved. */
function headText(standup: Standup, selection: Selection, wording: Wording): string {
  const { finished, started, moved, blocked, due, dueToday, missed } = standup;
  const since = `since ${dayText(standup.since, standup)}`;
  const which = selectionWords(selection, wording);
  const isStill = finished.count + started.count + moved.count === 0;
  if (isStill && (blocked?.count ?? 0) + due.count === 0)
    return `${wording.bold(`Nothing${which} moved ${since}`)}. ${progressText(standup)}`;
  const title =
    selection.by === 'project'
      ? wording.strong(`${shorten(selection.project, NAME_LENGTH)} · ${since}`)
      : `${wording.strong(`Standup ${since}`)} · issues${which}`;
  const counts: readonly (readonly [number, string])[] = [
    [finished.count, 'finished'],
    [started.count, 'started'],
    [moved.count, 'moved'],
    [blocked?.count ?? 0, 'blocked'],
    [dueToday, 'due today'],
    [missed, 'beyond target'],
  ];
  return [
    title,
    ...(isStill ? ['nothing moved'] : []),
    ...counts.flatMap(([count, what]) => (count === 0 ? [] : [`${countWords(count)} ${what}`])),
  ].join(' · ');
}

/** `6 issues are in progress, none of them blocked or beyond its target.` */
function progressText({ inProgress, missed, blocked }: Standup): string {
  if (inProgress === 0) return 'Nothing is in progress.';
  const all = `${countOf(inProgress, 'issue')} ${inProgress === 1 ? 'is' : 'are'} in progress`;
  if (missed > 0)
    return `${all}, ${countWords(missed)} beyond ${missed === 1 ? 'its target' : 'their target'}.`;
  return blocked === null ? `${all}.` : `${all}, none blocked or beyond target.`;
}

/** A line each for what was finished, started and moved. */
function newsLines({ finished, started, moved, provenance }: Standup): readonly Text[] {
  const dayMs = dayMsOf(provenance.calendar);
  const line = <Issue extends Pick<MovedIssue, 'key' | 'link'>>(
    lead: string,
    { count, issues }: { readonly count: number; readonly issues: readonly Issue[] },
    more: (issue: Issue, wording: Wording) => string,
  ): readonly Text[] => {
    if (count === 0) return [];
    const shown = issues.slice(0, MAX_NAMED);
    const others = count - shown.length;
    return [
      wordedText((wording) => {
        const texts = shown.map((issue) => `${keyText(issue, wording)}${more(issue, wording)}`);
        return `${lead}: ${texts.join(', ')}${others > 0 ? ` and ${countWords(others)} more` : ''}`;
      }),
    ];
  };
  const assigned = ({ assignee }: MovedIssue, { person }: Wording) =>
    assignee === null ? '' : ` (${person(assignee)})`;
  return [
    ...line('✅ Finished', finished, ({ cycleMs }) =>
      cycleMs === null || cycleMs === 0 ? '' : ` (${timeText(cycleMs, dayMs)})`,
    ),
    ...line('▶️ Started', started, assigned),
    ...line('🔀 Moved', moved, (issue, wording) => {
      const from = issue.from === null ? '' : `${wording.words(oneLine(issue.from.name))} → `;
      return ` ${from}${wording.words(oneLine(issue.to.name))}${assigned(issue, wording)}`;
    }),
  ];
}

/** All issues that are listed, with their titles. */
function standupDetails(standup: Standup): readonly Message[] {
  const { finished, started, moved, blocked, due, away } = standup;
  const rows = [
    ...finished.issues.map((issue) => row('Finished', issue, null, null)),
    ...started.issues.map((issue) => row('Started', issue, issue.to.name, issue.assignee)),
    ...moved.issues.map((issue) => row('Moved', issue, issue.to.name, issue.assignee)),
    ...(blocked?.issues ?? []).map((issue) => row('Blocked', issue, issue.status.name, issue.assignee)),
    ...due.issues.map((issue) =>
      row(issue.target?.isMissed ? 'Beyond target' : 'Due today', issue, issue.status.name, issue.assignee),
    ),
    ...away.people.flatMap(({ person, waiting }) =>
      waiting.issues.map((issue) => row('Assignee away', issue, null, person)),
    ),
  ];
  const table = figureTable(
    [
      { title: 'News', holds: 'name' },
      { title: 'Issue', holds: 'name' },
      { title: 'Status', holds: 'name' },
      { title: 'Assignee', holds: 'name' },
      { title: 'Summary', holds: 'name' },
    ],
    rows,
  );
  return table === null
    ? []
    : chartDetail(null, pagedTable(table, rows, { caption: 'Standup', pageRows: PAGE_ROWS }), MEANING);
}

const MEANING =
  '"Started" is for the first time. "Blocked" is by a flag, a status or a link, or by the latest answer to a nudge. "Target" is the time from start to done that the flow of the project sets, else the 85th percentile of the last 90 days. "Away" is who has delegated all of their work.';

function row(
  news: string,
  { key, link, summary }: Pick<MovedIssue, 'key' | 'link' | 'summary'>,
  status: string | null,
  assignee: NamedPerson | null,
): readonly FigureCell[] {
  return [
    { text: news },
    { text: key, link },
    { text: status === null ? NEVER : oneLine(status) },
    { text: assignee === null ? NEVER : oneLine(assignee.name) },
    { text: oneLine(summary, SUMMARY_LENGTH) },
  ];
}
