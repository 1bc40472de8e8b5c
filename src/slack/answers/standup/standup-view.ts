import { millisecondsInDay } from 'date-fns/constants';
import type {
  AwayPerson,
  BlockedIssue,
  DueIssue,
  Standup,
} from '../../../api/answers/standup/standup-answer.ts';
import { type StandupQuestion, standupKind } from '../../../api/answers/standup/standup-kind.ts';
import type { MovedIssue } from '../../../api/outcomes/outcomes-api.ts';
import type { NamedPerson } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { NudgedVisit } from '../../../model/nudge.ts';
import type { Selection } from '../../../model/request.ts';
import {
  BLOCKED_MARK,
  causesText,
  countOf,
  countWords,
  NEVER,
  timeText,
} from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import { dayMsOf, dayWords, type Wording } from '../../../output/wording.ts';
import { dateText } from '../../../time/date-text.ts';
import { listText, type Message } from '../../blocks/message.ts';
import { nudgeOf } from '../view/aging-rows.ts';
import type { AnswerLine, AnswerPlace, AnswerSheet } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { chartDetail, columnsOf, type FigureCell, PAGE_ROWS, pagedTable } from '../view/figures-drawn.ts';
import { joinedTexts, type Text, wordedText } from '../view/marked-wording.ts';
import { filterQuestion, type QuestionView, type ViewContext } from '../view/question-view.ts';
import { reasonText } from '../view/reason-text.ts';

const NAME_LENGTH = 60;
/** A message of more lines is read by no one. */
const MAX_LINES = 10;
const [MIN_ROWS, MAX_ROWS] = [3, 6];
/** More issues of one line are counted. */
const MAX_NAMED = 5;
const SUMMARY_LENGTH = 60;
const REASON_LENGTH = 80;
const MAX_WAITING = 3;
const MAX_CAUSES = 3;
const MAX_COVERING = 3;
const WEEK_MS = 7 * millisecondsInDay;

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
  { question: { selection }, place }: ViewContext<StandupQuestion>,
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
  return [joinedTexts(lines, '\n')];
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
  const columns = columnsOf('name', 'News', 'Issue', 'Status', 'Assignee', 'Summary');
  return chartDetail(null, pagedTable(columns, rows, { caption: 'Standup', pageRows: PAGE_ROWS }), MEANING);
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

/** The weekday of an instant of the last days, else its date. */
function dayText(at: Instant, { provenance: { asOf, timeZone } }: Standup): string {
  return asOf - at < WEEK_MS ? dateText(at, 'EEEE', timeZone) : dayWords(at, { timeZone, near: asOf });
}

/** A name without line breaks, which would make more lines. */
function oneLine(name: string, length = NAME_LENGTH): string {
  return shorten(name.replace(/\s+/g, ' '), length);
}

/** The key of an issue, as a link where its address is known. */
function keyText({ key, link }: Pick<BlockedIssue, 'key' | 'link'>, wording: Wording): string {
  return wording.key(shorten(key, NAME_LENGTH), link);
}

/** The rows of what is in the way, in turns some of each kind; a last one counts those that are left out. */
function rowsOf(standup: Standup, place: AnswerPlace, limit: number): readonly AnswerLine[] {
  const { blocked, due, away } = standup;
  const kinds: readonly (readonly [rows: readonly AnswerLine[], total: number, called: string])[] = [
    [(blocked?.issues ?? []).map((issue) => blockedRow(issue, standup)), blocked?.count ?? 0, 'blocked'],
    [due.issues.map((issue) => dueRow(issue, standup)), due.count, 'due or beyond target'],
    [away.people.map((person) => awayRow(person, standup, place)), away.count, 'away'],
  ];
  const all = kinds.reduce((sum, [, total]) => sum + total, 0);
  const room = all > limit ? limit - 1 : limit;
  const inTurns = kinds
    .flatMap(([rows], kind) => rows.map((_, turn) => ({ kind, turn })))
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, room);
  const taken = kinds.map((_, kind) => inTurns.filter((one) => one.kind === kind).length);
  const others = kinds.flatMap(([, total, called], i) => {
    const left = total - (taken[i] ?? 0);
    return left > 0 ? [`${countWords(left)} more ${called}`] : [];
  });
  const lastRow = wordedText(() => `… and ${listText(others)}`);
  return [
    ...kinds.flatMap(([rows], i) => rows.slice(0, taken[i])),
    ...(others.length === 0 ? [] : [{ text: lastRow, withoutAccount: lastRow, nudge: null }]),
  ];
}

/** `⛔ WEB-493 blocked for 3d by a flag · In Review · @Bob`, with the latest answer to a nudge. */
function blockedRow(issue: BlockedIssue, standup: Standup): AnswerLine {
  const { status, assignee, blockedMs, blocked, statusSince } = issue;
  const { since, provenance } = standup;
  const forHow = blockedMs === 0 ? '' : ` for ${timeText(blockedMs, dayMsOf(provenance.calendar))}`;
  const isNew = blocked.since !== null && blocked.since >= since ? ' (new)' : '';
  const { causes } = blocked;
  return assignedRow(issue, standup, (wording, person) => {
    const more = causes.length - MAX_CAUSES;
    const by = causesText(causes.slice(0, MAX_CAUSES), ({ name }) => wording.words(oneLine(name)));
    const byWhat = causes.length === 0 ? '' : ` by ${by}${more > 0 ? ` and ${countWords(more)} more` : ''}`;
    return [
      `${BLOCKED_MARK} ${keyText(issue, wording)} blocked${forHow}${byWhat}${isNew}`,
      wording.words(oneLine(status.name)),
      ...(assignee === null ? [] : [person]),
      ...(statusSince === null
        ? []
        : answerOf(issue.key, { statusId: status.id, since: statusSince }, standup, wording)),
    ].join(' · ');
  });
}

/** `⏳ WEB-505 reaches its target of 8d today · In Review · @Carl`; one that missed it says when. */
function dueRow(issue: DueIssue, standup: Standup): AnswerLine {
  const { key, status, assignee, target, since } = issue;
  const { asOf, timeZone, calendar } = standup.provenance;
  const within = target === null ? '' : ` of ${timeText(target.withinMs, dayMsOf(calendar))}`;
  const day = (at: Instant) => dateText(at, 'yyyy-MM-dd', timeZone);
  const dueAt = target?.dueAt ?? asOf;
  const when = day(dueAt) === day(asOf) ? 'today' : `on ${dayText(dueAt, standup)}`;
  const what = target?.isMissed ? `passed its target${within} ${when}` : `reaches its target${within} today`;
  return assignedRow(issue, standup, (wording, person) =>
    [
      `⏳ ${keyText(issue, wording)} ${what}`,
      wording.words(oneLine(status.name)),
      assignee === null ? 'unassigned' : person,
      ...answerOf(key, { statusId: status.id, since }, standup, wording),
    ].join(' · '),
  );
}

/** The latest answer to a nudge about an issue; none where it has moved on since. */
function answerOf(
  key: string,
  visit: NudgedVisit,
  { reasons, provenance: { asOf: near, timeZone } }: Standup,
  wording: Wording,
): readonly string[] {
  const words = (text: string) => wording.words(oneLine(text, REASON_LENGTH));
  const text = reasonText(reasons.get(key), visit, { timeZone, near, words });
  return text === null ? [] : [text];
}

/** A row about an issue, with a button that nudges its assignee, or who covers for them. */
function assignedRow(
  { key, assignee }: Pick<BlockedIssue, 'key' | 'assignee'>,
  { away }: Standup,
  text: (wording: Wording, person: string) => string,
): AnswerLine {
  const isAway = away.people.some(({ person }) => person.id === assignee?.id);
  const note = isAway ? ' (away)' : '';
  const name = oneLine(assignee?.name ?? '');
  return {
    text: wordedText((wording) =>
      text(wording, assignee === null ? '' : `${wording.person(assignee)}${note}`),
    ),
    withoutAccount: wordedText((wording) => text(wording, `${wording.words(name)} (not in Slack)`)),
    nudge: nudgeOf('Nudge', key, assignee),
  };
}

/** `🌴 @Dora is away until Wed · @Bob covers WEB-512 and WEB-514`, or that no one covers and they wait. */
function awayRow(away: AwayPerson, standup: Standup, place: AnswerPlace): AnswerLine {
  const { person, covers, waiting, canBeSet } = away;
  const general = covers.find(({ category }) => category === null);
  const others = covers.filter(({ category }) => category !== null);
  const text = wordedText((wording) => {
    const shown = waiting.issues.slice(0, MAX_WAITING).map((issue) => keyText(issue, wording));
    const left = waiting.count - shown.length;
    const issues = left > 0 ? `${shown.join(', ')} and ${countWords(left)} more` : listText(shown);
    const coverText = (
      delegates: readonly NamedPerson[] | null | undefined,
      work: string,
      isOne: boolean,
    ): string => {
      if (delegates === undefined) return `no one covers, so ${work} ${isOne ? 'waits' : 'wait'}`;
      if (delegates === null) return `who covers is not yours to see · ${work}`;
      const names = delegates.slice(0, MAX_COVERING).map(wording.person);
      const more = delegates.length - names.length;
      const all = more > 0 ? `${names.join(', ')} and ${countWords(more)} more` : listText(names);
      return `${all} ${delegates.length === 1 ? 'covers' : 'cover'} ${work}`;
    };
    return [
      `🌴 ${wording.person(person)} is away${untilText(away, standup, wording)}`,
      coverText(general?.delegates, issues, waiting.count === 1),
      ...others
        .slice(0, MAX_COVERING)
        .map(({ category, delegates }) => coverText(delegates, wording.words(oneLine(category ?? '')), true)),
    ].join(' · ');
  });
  const [first] = waiting.issues;
  const [covering = null] = general?.delegates ?? [];
  const isSet = general === undefined && person.id !== null && (place !== 'private' || canBeSet);
  return {
    text,
    withoutAccount: text,
    nudge:
      covering === null || first === undefined
        ? null
        : nudgeOf(`Nudge about ${first.key}`, first.key, covering),
    ...(isSet && person.id !== null
      ? { action: { title: 'Set cover', line: setLine(person.id, away) } }
      : {}),
  };
}

/** The line that opens the form of a cover until a person is back. */
function setLine(id: string, { lastDay }: AwayPerson): string {
  const who = /\s/.test(id) ? `@"${id}"` : `@${id}`;
  return `/delegates set for ${who} ${lastDay === null ? 'today' : `until ${lastDay}`}`;
}

/** Until which day, that day included, or which time: ` today`, ` until Wed`, ` until Dec 24`. */
function untilText({ until, lastDay }: AwayPerson, { provenance }: Standup, wording: Wording): string {
  const { asOf, timeZone } = provenance;
  const today = dateText(asOf, 'yyyy-MM-dd', timeZone);
  if (lastDay === today) return ' today';
  const isToday = dateText(until, 'yyyy-MM-dd', timeZone) === today;
  if (lastDay === null) return ` until ${isToday ? wording.time(until) : wording.date(until)}`;
  const last = Date.parse(lastDay);
  return ` until ${last - asOf < WEEK_MS - millisecondsInDay ? dateText(last, 'EEE', 'UTC') : dayWords(last, { timeZone: 'UTC', near: asOf })}`;
}
