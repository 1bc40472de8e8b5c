import { millisecondsInDay } from 'date-fns/constants';
import type { StandupQuestion } from '../../../api/answers/standup/measure-standup.ts';
import type {
  AwayPerson,
  BlockedIssue,
  DueIssue,
  Standup,
} from '../../../api/answers/standup/standup-answer.ts';
import { standupKind } from '../../../api/answers/standup/standup-kind.ts';
import type { MovedIssue } from '../../../api/outcomes/outcomes-api.ts';
import type { NamedPerson } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Selection } from '../../../model/request.ts';
import { BLOCKED_MARK, causesText } from '../../../output/blocked-words.ts';
import { countOf, countWords, timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import { dayMsOf, dayWords, type Wording } from '../../../output/wording.ts';
import { dateText } from '../../../time/date-text.ts';
import { parseOptions, unitOf } from '../../ask/grammar/parse-options.ts';
import { filterOrDefault } from '../../ask/grammar/read-filter.ts';
import { listText, someOf } from '../../blocks/message.ts';
import type { AnswerLine, AnswerNudge, AnswerSheet } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { reasonText } from '../view/reason-text.ts';

const NAME_LENGTH = 60;
const REASON_LENGTH = 80;
/** A message of more lines is read by no one. */
const MAX_LINES = 10;
const [MIN_ROWS, MAX_ROWS] = [3, 6];
/** More issues of one line are counted. */
const MAX_NAMED = 5;
const MAX_WAITING = 3;

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
  async read(words, context) {
    const { rest, tails } = await parseOptions(words, ['calendar', 'unit'], context);
    const { selection, remark } = await filterOrDefault(rest, context);
    const { calendar, timeZone } = context.hours;
    const question: StandupQuestion = {
      kind: 'standup',
      selection,
      calendar: tails.calendar ?? calendar,
      timeZone,
      ...unitOf(tails),
    };
    await context.check(question);
    return { question, remark };
  },
  builder: ({ selection, calendar }) => ({ report: 'standup', filter: selection, calendar }),
  ofBuilder: ({ filter: { selection }, calendar, timeZone }): StandupQuestion => ({
    kind: 'standup',
    selection,
    calendar,
    timeZone,
  }),
  title: ({ selection }) => `the standup of ${issuesText(selection)}`,
  view: standupSheet,
};

/** The news in a few lines, and a row with a button for each issue or person in the way; at most ten lines. */
function standupSheet(
  standup: Standup,
  { question: { selection }, place }: ViewContext & { readonly question: StandupQuestion },
): AnswerSheet {
  const { provenance, seesAllCover } = standup;
  const warnings = finishedWarnings(provenance, standup, null, 'now');
  const news = wordedText((wording) => newsLines(standup, wording).join('\n'));
  const newsCount = news.plain === '' ? 0 : news.plain.split('\n').length;
  const lines = rowsOf(standup, Math.max(MIN_ROWS, MAX_LINES - 2 - newsCount - warnings.length));
  const hiddenCover =
    place === 'private'
      ? 'You can view only your own cover, so others may be away.'
      : 'Who is away is not shown: not everyone here can view all cover.';
  return {
    headline: wordedText((wording) => headText(standup, selection, wording)),
    warnings,
    ...(newsCount === 0 ? {} : { remarks: [news] }),
    ...(lines.length === 0 ? {} : { attention: { lines } }),
    footer: wordedText((wording) =>
      [
        footText(historiesOf(provenance), wording, queryText(selection, place)),
        ...(seesAllCover ? [] : [hiddenCover]),
      ].join('\n'),
    ),
    hasFile: false,
  };
}

/** `WEB · since Friday · 3 finished · 1 blocked`, or that nothing moved. */
function headText(standup: Standup, selection: Selection, wording: Wording): string {
  const { finished, started, moved, blocked, due, missed } = standup;
  const since = `since ${sinceText(standup)}`;
  const which = selectionWords(selection, wording);
  const isStill = finished.count + started.count + moved.count === 0;
  if (isStill && (blocked?.count ?? 0) + due.count === 0)
    return `${wording.bold(`Nothing moved${which} ${since}`)}. ${trackText(standup)}`;
  const title =
    selection.by === 'project'
      ? wording.strong(`${shorten(selection.project, NAME_LENGTH)} · ${since}`)
      : `${wording.strong(`Standup ${since}`)} · issues${which}`;
  const counts: readonly (readonly [number, string])[] = [
    [finished.count, 'finished'],
    [started.count, 'started'],
    [moved.count, 'moved on'],
    [blocked?.count ?? 0, 'blocked'],
    [due.count, 'due today'],
    [missed, 'beyond target'],
  ];
  return [
    title,
    ...(isStill ? ['nothing moved'] : []),
    ...counts.flatMap(([count, what]) => (count === 0 ? [] : [`${countWords(count)} ${what}`])),
  ].join(' · ');
}

/** `6 issues are on track, 2 have missed their target.` */
function trackText({ inProgress, missed }: Standup): string {
  if (inProgress === 0) return 'Nothing is in progress.';
  const onTrack = inProgress - missed;
  const late = `${countWords(missed)} ${missed === 1 ? 'has missed its target' : 'have missed their target'}`;
  if (onTrack === 0) return `${countOf(missed, 'issue')} in progress: ${late}.`;
  const track = `${countOf(onTrack, 'issue')} ${onTrack === 1 ? 'is' : 'are'} on track`;
  return missed === 0 ? `${track}.` : `${track}, ${late}.`;
}

/** The weekday, where that is not far, else the date. */
function sinceText({ since, provenance: { asOf, timeZone } }: Standup): string {
  return asOf - since < WEEK_MS
    ? dateText(since, 'EEEE', timeZone)
    : dayWords(since, { timeZone, near: asOf });
}
const WEEK_MS = 7 * millisecondsInDay;

/** A line each for what was finished, started and moved on. */
function newsLines({ finished, started, moved, provenance }: Standup, wording: Wording): readonly string[] {
  const dayMs = dayMsOf(provenance.calendar);
  const name = ({ key, link }: Pick<MovedIssue, 'key' | 'link'>) =>
    wording.key(shorten(key, NAME_LENGTH), link);
  const line = <Issue>(
    { count, issues }: { readonly count: number; readonly issues: readonly Issue[] },
    text: (issue: Issue) => string,
  ) => {
    const more = count - Math.min(issues.length, MAX_NAMED);
    return (
      issues.slice(0, MAX_NAMED).map(text).join(', ') + (more > 0 ? ` and ${countWords(more)} more` : '')
    );
  };
  const assigned = ({ assignee }: MovedIssue) => (assignee === null ? '' : ` (${wording.person(assignee)})`);
  return [
    ...(finished.count === 0
      ? []
      : [
          `✅ Finished: ${line(finished, (issue) => `${name(issue)}${issue.cycleMs === null ? '' : ` (${timeText(issue.cycleMs, dayMs)})`}`)}`,
        ]),
    ...(started.count === 0
      ? []
      : [`▶️ Started: ${line(started, (issue) => `${name(issue)}${assigned(issue)}`)}`]),
    ...(moved.count === 0
      ? []
      : [
          `🔀 Moved: ${line(moved, (issue) => `${name(issue)} to ${wording.words(shorten(issue.to.name, NAME_LENGTH))}${assigned(issue)}`)}`,
        ]),
  ];
}

/** The rows of what is in the way, some of each kind; the last one of a kind counts those that are left out. */
function rowsOf(standup: Standup, limit: number): readonly AnswerLine[] {
  const { blocked, due, away } = standup;
  const kinds: readonly Rows[] = [
    {
      total: blocked?.count ?? 0,
      called: 'blocked',
      rows: blocked?.issues.map((issue) => (more) => blockedRow(issue, standup, more)) ?? [],
    },
    {
      total: due.count,
      called: 'due today',
      rows: due.issues.map((issue) => (more) => dueRow(issue, standup, more)),
    },
    {
      total: away.length,
      called: 'away',
      rows: away.map((person) => (more) => awayRow(person, standup, more)),
    },
  ];
  const taken = kinds.map(() => 0);
  for (let left = Math.min(limit, MAX_ROWS); left > 0; ) {
    const next = kinds.flatMap(({ rows }, i) => ((taken[i] ?? 0) < rows.length ? [i] : []));
    if (next.length === 0) break;
    for (const i of next.slice(0, left)) taken[i] = (taken[i] ?? 0) + 1;
    left -= Math.min(left, next.length);
  }
  return kinds.flatMap(({ total, called, rows }, i) => {
    const own = rows.slice(0, taken[i]);
    const left = total - own.length;
    return own.map((row, at) =>
      row(left > 0 && at === own.length - 1 ? ` · and ${countWords(left)} more ${called}` : ''),
    );
  });
}

/** The rows of one kind; each is given what follows its text. */
interface Rows {
  readonly total: number;
  readonly called: string;
  readonly rows: readonly ((more: string) => AnswerLine)[];
}

/** `⛔ WEB-493 blocked for 3d by a flag · In Review · @Bob`, with the latest answer to a nudge. */
function blockedRow(issue: BlockedIssue, { reasons, provenance }: Standup, more: string): AnswerLine {
  const { key, link, status, assignee, blockedMs, blocked, statusSince } = issue;
  const { asOf: near, timeZone, calendar } = provenance;
  const forHow = timeText(blockedMs, dayMsOf(calendar));
  return assignedRow(issue, (wording, person) => {
    const words = (text: string) => wording.words(shorten(text, REASON_LENGTH));
    const reason =
      statusSince === null
        ? null
        : reasonText(
            reasons.get(key),
            { statusId: status.id, since: statusSince },
            { timeZone, near, words },
          );
    const causes = causesText(blocked.causes, ({ name }) => words(name));
    return (
      [
        `${BLOCKED_MARK} ${wording.key(shorten(key, NAME_LENGTH), link)} blocked for ${forHow} by ${causes}`,
        wording.words(shorten(status.name, NAME_LENGTH)),
        ...(assignee === null ? [] : [person]),
        ...(reason === null ? [] : [reason]),
      ].join(' · ') + more
    );
  });
}

/** `⏳ WEB-505 reaches its target of 8d today · In Review · @Carl`. */
function dueRow(issue: DueIssue, { provenance }: Standup, more: string): AnswerLine {
  const { key, link, status, assignee, target } = issue;
  const within = target === null ? '' : ` of ${timeText(target.withinMs, dayMsOf(provenance.calendar))}`;
  const reaches = target?.isMissed ? 'passed' : 'reaches';
  return assignedRow(
    issue,
    (wording, person) =>
      [
        `⏳ ${wording.key(shorten(key, NAME_LENGTH), link)} ${reaches} its target${within} today`,
        wording.words(shorten(status.name, NAME_LENGTH)),
        assignee === null ? 'unassigned' : person,
      ].join(' · ') + more,
  );
}

/** A row about an issue, with a button that nudges its assignee. */
function assignedRow(
  { key, assignee }: Pick<BlockedIssue, 'key' | 'assignee'>,
  text: (wording: Wording, person: string) => string,
): AnswerLine {
  const name = shorten(assignee?.name ?? '', NAME_LENGTH);
  return {
    text: wordedText((wording) => text(wording, assignee === null ? '' : wording.person(assignee))),
    withoutAccount: wordedText((wording) => text(wording, `${wording.words(name)} (not in Slack)`)),
    nudge: nudgeOf(key, assignee),
  };
}

function nudgeOf(key: string, assignee: NamedPerson | null): AnswerNudge | null {
  if (assignee === null || assignee.id === null) return null;
  return { title: 'Nudge', key, assignee: { id: assignee.id, name: assignee.name } };
}

/** `🌴 @Dora is away until Wed · @Bob covers Expense · WEB-512 and WEB-514 wait`. */
function awayRow(away: AwayPerson, { provenance }: Standup, more: string): AnswerLine {
  const { person, until, covers, waiting } = away;
  const isCovered = covers.some(({ category }) => category === null);
  const text = wordedText((wording) => {
    const shown = waiting.issues.slice(0, MAX_WAITING);
    const keys = shown.map(({ key, link }) => wording.key(shorten(key, NAME_LENGTH), link));
    const others = waiting.count - shown.length;
    const wait = others > 0 ? `${keys.join(', ')} and ${countWords(others)} more` : listText(keys);
    const covering = covers.map(({ category, delegates }) => {
      const names = someOf(delegates.map(wording.person), 2);
      const work = category === null ? '' : ` ${wording.words(shorten(category, NAME_LENGTH))}`;
      return `${names} ${delegates.length === 1 ? 'covers' : 'cover'}${work}`;
    });
    return (
      [
        `🌴 ${wording.person(person)} is away${untilText(until, provenance)}`,
        covers.length === 0 ? 'no one covers' : someOf(covering, 2),
        `${wait} ${waiting.count === 1 ? 'waits' : 'wait'}`,
      ].join(' · ') + more
    );
  });
  const { id } = person;
  const [first] = waiting.issues;
  return {
    text,
    withoutAccount: text,
    nudge: isCovered && first !== undefined ? nudgeOf(first.key, person) : null,
    ...(isCovered || id === null
      ? {}
      : { action: { title: 'Set cover', line: setLine(id, until, provenance) } }),
  };
}

/** The line that opens the form of a cover until a person is back. */
function setLine(id: string, until: Instant, { timeZone }: Standup['provenance']): string {
  const who = /\s/.test(id) ? `@"${id}"` : `@${id}`;
  return `/delegates set for ${who} until ${dateText(until - 1, 'yyyy-MM-dd', timeZone)}`;
}

/** Until which day, that day included: ` today`, ` until Wed`, ` until Dec 24`. */
function untilText(until: Instant, { asOf, timeZone }: Standup['provenance']): string {
  const last = until - 1;
  const day = (at: Instant) => dateText(at, 'yyyy-MM-dd', timeZone);
  if (day(last) === day(asOf)) return ' today';
  return ` until ${last - asOf < WEEK_MS - millisecondsInDay ? dateText(last, 'EEE', timeZone) : dayWords(last, { timeZone, near: asOf })}`;
}
