import { shorten } from '../../block-kit/mrkdwn.ts';
import type { Aging } from '../../model/answer.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import type { ViewContext } from '../kind.ts';
import { agingTable, assigneeText, nudgeOf } from '../view/aging-rows.ts';
import type { AnswerPlace, Sheet } from '../view/answer-sheet.ts';
import { agingWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { chartDetail } from '../view/chart-detail.ts';
import { countOf, countWords, timeText } from '../view/figure-words.ts';
import { agingChart } from '../view/figures-drawn.ts';
import { selectionWords } from '../view/subject-words.ts';
import { dayMsOf, say, type Wording } from '../view/wording.ts';

/** Open issues that have been in their status longer than usual. */
export interface AgingQuestion extends MeasuredQuestion {
  readonly kind: 'aging';
  readonly selection: Selection;
  /** Issues that are not started count as well. */
  readonly backlog?: true;
}

const MEANING =
  '"Usual" is the 85th percentile of the last 90 days in that status and project (5 stays or more).';

/** Issues by how far they are beyond what is usual: how many are, a row each, and what is not started; a bar each in the details. */
export function agingView(
  aging: Aging,
  { question, part: { start, size }, place }: ViewContext & { readonly question: AgingQuestion },
): Sheet {
  const { issues, count, notStarted, provenance } = aging;
  const { selection, backlog } = question;
  const dayMs = dayMsOf(provenance.calendar);
  const shown = issues.slice(start, start + size);
  const nudges = place === 'private' && start === 0 ? shown.flatMap((one) => nudgeOf(one, dayMs) ?? []) : [];
  const hasMore = backlog === undefined && notStarted.count > 0;
  const command = typedFilter(selection, place);
  const foot = (wording: Wording) => footText(historiesOf(provenance), wording, queryText(selection, place));
  return {
    headline: say((wording) => headText(aging, question, wording)),
    warnings: agingWarnings([{ aging, of: null }]),
    fields: [],
    chart: null,
    table: agingTable(
      shown.map((issue) => ({ ...issue, person: assigneeText(issue) })),
      { title: 'Assignee', dayMs },
    ),
    remarks: [],
    nudges,
    ...(hasMore && command !== null
      ? { followUps: [{ title: 'With backlog', line: withBacklog(command, provenance.calendar) }] }
      : {}),
    page: { start, end: start + shown.length, total: count },
    foot: say((wording) =>
      [...(hasMore ? [backlogText(notStarted, command, dayMs, wording)] : []), foot(wording)].join('\n'),
    ),
    details: chartDetail(agingChart(shown), null, MEANING),
    hasFile: true,
    isPersonal: false,
  };
}

function headText(aging: Aging, { selection, backlog }: AgingQuestion, wording: Wording): string {
  const { count, beyond, withBaseline } = aging;
  const { bold } = wording;
  const which = selectionWords(selection, wording);
  const kind = backlog === undefined ? 'started issue' : 'open issue';
  if (count === 0) return nothingText(aging, kind, which, wording);
  if (beyond > 0) {
    const some = beyond < count ? `${countWords(beyond)} of ${countOf(count, kind)}` : allOf(count, kind);
    return bold(
      `${some}${which} ${beyond === 1 ? 'has been in its' : 'have been in their'} status longer than usual`,
    );
  }
  const all = `${countOf(count, kind)}${which}`;
  if (withBaseline === 0) return `${bold(all)} · not enough history yet to say what is usual`;
  const without = count - withBaseline;
  const others = without === 0 ? '' : `, ${countWords(without)} with nothing to compare with`;
  return `${bold(`No ${kind}${which} has been in its status longer than usual`)} · ${countWords(count)} ${backlog === undefined ? 'started' : 'open'}${others}`;
}

function allOf(count: number, kind: string): string {
  return count === 1 ? `The one ${kind}` : `All ${countOf(count, kind)}`;
}

/** No issue has an age: there is none, or it is unknown. */
function nothingText(
  { unknown, doubts, notStarted, provenance }: Aging,
  kind: string,
  which: string,
  { bold }: Wording,
): string {
  if (unknown.length > 0)
    return `${bold(`${countOf(unknown.length, kind)}${which}`)} · when ${unknown.length === 1 ? 'it' : 'they'} entered the status is unknown`;
  if (doubts.unclear.length + provenance.undecided > 0)
    return `${bold(`No ${kind} found${which}`)}, but some issues could not be checked.`;
  if (notStarted.count > 0) return bold(`No ${kind}s${which}`);
  return `${bold(`No open issues${which}`)} that you can see. Try other issues, or see what was finished: \`/tis weekly\``;
}

/** `63 issues are not started (oldest 512d): /tis aging WEB with backlog`. */
function backlogText(
  { count, oldestMs }: Aging['notStarted'],
  command: string | null,
  dayMs: number,
  { words }: Wording,
): string {
  const are = count === 1 ? 'issue is' : 'issues are';
  const oldest = oldestMs === null ? '' : ` (${count === 1 ? '' : 'oldest '}${timeText(oldestMs, dayMs)})`;
  const line = command === null ? 'with backlog' : `/tis aging ${command} with backlog`;
  const how = `\`${words(shorten(line.replaceAll('`', ''), LINE_LENGTH))}\``;
  return `${countWords(count)} ${are} not started${oldest}: ${command === null ? `add ${how} to see them` : how}`;
}

function withBacklog(command: string, { continuous, name }: Aging['provenance']['calendar']): string {
  return `/tis aging ${command} with backlog in ${continuous ? '24/7' : name}`;
}

const FEW_KEYS = 3;
const LINE_LENGTH = 200;
const QUERY_LENGTH = 80;

/** The filter as it is typed; null where it is too long, or not for everyone who reads it. */
function typedFilter(selection: Selection, place: AnswerPlace): string | null {
  if (selection.by === 'project') return selection.project;
  if (selection.by === 'keys') return selection.keys.length > FEW_KEYS ? null : selection.keys.join(' ');
  const query = queryText(selection, place);
  return query === null || query.length > QUERY_LENGTH ? null : `jql ${query}`;
}
