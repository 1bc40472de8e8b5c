import type { Button, KnownBlock, Overflow, PlainTextOption, SectionBlock } from '@slack/types';
import { kindOf } from '../../api/answers/index.ts';
import type { Answer, Part } from '../../model/answer.ts';
import type { User } from '../../model/issue.ts';
import type { Run } from '../../model/question.ts';
import { type Chart, nativeChart } from '../../output/charts/chart.ts';
import { countOf, countWords } from '../../output/figure-words.ts';
import { shorten } from '../../output/readable-text.ts';
import { calendarIn, type Wording } from '../../output/wording.ts';
import { MORE } from '../app/message-texts.ts';
import type { PeopleParts } from '../app/parts.ts';
import { runButton } from '../app/show-failure.ts';
import { limits } from '../blocks/limits.ts';
import type { Message, MessageBlock } from '../blocks/message.ts';
import { actions, button, charactersIn, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { accountsById, withKnownMentions } from '../people/accounts.ts';
import { viewOf } from './index.ts';
import type { AnswerNudge, AnswerPage, AnswerPlace, AnswerSheet } from './view/answer-sheet.ts';
import { joinedTexts, type Text, withMentions, wordedText } from './view/marked-wording.ts';

const NAME_LENGTH = 80;

/** The look of an answer. `run` null: it was not kept, so that no button can come back to it. */
interface Display {
  readonly place: AnswerPlace;
  readonly run: Run | null;
  readonly part: Part;
  /** Nothing can be shared in a conversation with the app. */
  readonly isDirect?: boolean;
  /** The account that shared it; null where no one did. */
  readonly sharedBy: string | null;
  /** The words of that account above it; empty or absent: none. */
  readonly comment?: string;
  /** The zone (IANA) of days that are shown without a time. */
  readonly timeZone: string;
  /** Users of the tracker who have no account here, so that no button nudges them. */
  readonly unreachable?: ReadonlySet<User['id']>;
}

/** An answer as Slack shows it. */
interface AnswerView {
  /** Headline, chart (native, where one fits), table, where the figures come from, buttons. */
  readonly message: Message;
  /** The messages of the thread below, in order; at most five. */
  readonly details: readonly Message[];
  /** The picture that `message` shows natively, for places that must draw it. */
  readonly chart: Chart | null;
}

/**
 * Any answer as others read it: a pure view, within Slack's limits whatever the answer holds. People are named, not
 * mentioned, so that a post notifies no one.
 */
export function answerView(answer: Answer, display: Display): AnswerView {
  const { message, details, chart } = markedView(answer, display);
  const named = (one: Message) => withMentions(one, () => undefined);
  return { message: named(message), details: details.map(named), chart };
}

type PrivateDisplay = Pick<Display, 'run' | 'part' | 'isDirect'>;

/** The message as its principal alone reads it: people whose account is known are mentioned. */
export async function privateMessage(
  answer: Answer,
  display: PrivateDisplay,
  parts: PeopleParts,
): Promise<Message> {
  return withKnownMentions((await privateView(answer, display, parts)).message, parts);
}

/** The details, likewise. */
export async function privateDetails(
  answer: Answer,
  display: PrivateDisplay,
  parts: PeopleParts,
): Promise<readonly Message[]> {
  return withKnownMentions((await privateView(answer, display, parts)).details, parts);
}

/** A picture of an answer by its id, as the person who clicked alone reads it; null where the answer has none. */
export function chartMessage(answer: Answer, id: string): Message | null {
  const sheet = answerSheet(answer, { place: 'private', part: { start: 0, size: 0 } });
  const found = sheet.charts?.find((one) => one.id === id);
  if (found === undefined) return null;
  const { text, chart, table = null } = found;
  return {
    text: escapeMrkdwn([text.plain, chart.alt, ...(table === null ? [] : [`${table.text}.`])].join(' ')),
    blocks: [
      section(text.marked),
      nativeChart(chart) ?? { type: 'drawn_chart', chart },
      ...(table === null ? [] : [table.block]),
      context(sheet.footer.marked),
    ],
  };
}

async function privateView(answer: Answer, display: PrivateDisplay, parts: PeopleParts): Promise<AnswerView> {
  const { timeZone } = answer.question;
  const whole = { ...display, place: 'private', sharedBy: null, timeZone } as const;
  const sheet = answerSheet(answer, whole);
  const unreachable = await withoutAccount(sheet, parts);
  return markedView(answer, { ...whole, unreachable }, sheet);
}

/** The assignees an answer would have buttons to nudge and that have no account. */
export async function unreachableIn(
  answer: Answer,
  display: Pick<Display, 'place' | 'part'>,
  parts: PeopleParts,
): Promise<ReadonlySet<User['id']>> {
  return withoutAccount(answerSheet(answer, display), parts);
}

async function withoutAccount(sheet: AnswerSheet, parts: PeopleParts): Promise<ReadonlySet<User['id']>> {
  const assignees = nudgesIn(sheet).map(({ assignee }) => assignee.id);
  const accounts = await accountsById(assignees, parts);
  return new Set([...accounts].flatMap(([id, account]) => (account === null ? [id] : [])));
}

/** Each issue of an answer whose assignee can be reminded of it. */
function nudgesIn({ nudges = [], attention }: AnswerSheet): readonly AnswerNudge[] {
  return [...nudges, ...(attention?.lines.flatMap((line) => line.nudge ?? []) ?? [])];
}

/** People who are not in Slack have no button that nudges them; the answer says so. */
function withoutUnreachable(
  sheet: AnswerSheet,
  unreachable: ReadonlySet<User['id']> | undefined,
): AnswerSheet {
  const isUnreachable = (nudge: AnswerNudge | null) => nudge !== null && unreachable?.has(nudge.assignee.id);
  const { nudges = [], attention, footer, ...others } = sheet;
  const lines = attention?.lines.map((line) =>
    isUnreachable(line.nudge) ? { ...line, text: line.withoutAccount, nudge: null } : line,
  );
  const reachable = nudges.filter((nudge) => !isUnreachable(nudge));
  const [nudge] = nudges;
  return {
    ...others,
    nudges: reachable,
    ...(attention === undefined || lines === undefined ? {} : { attention: { ...attention, lines } }),
    footer:
      nudge !== undefined && reachable.length === 0
        ? joinedTexts([wordedText((wording) => notInSlack(nudge, wording)), footer], '\n')
        : footer,
  };
}

function notInSlack({ assignee: { name } }: AnswerNudge, { words }: Wording): string {
  return `${words(shorten(name, NAME_LENGTH))} is not in Slack, so there is no one to nudge.`;
}

function markedView(answer: Answer, display: Display, shown = answerSheet(answer, display)): AnswerView {
  const sheet = withoutUnreachable(shown, display.unreachable);
  // With nothing to say, there is nothing to share, to explain or to export either.
  const buttons = answerButtons(sheet, display, answer.isEmpty ? null : display.run);
  return {
    message: reportMessage(sheet, buttons, display),
    details: (sheet.details ?? []).slice(0, 5),
    chart: sheet.chart ?? null,
  };
}

/** The sheet of an answer, in the unit of its question. */
function answerSheet(answer: Answer, { place, part }: Pick<Display, 'place' | 'part'>): AnswerSheet {
  const { question } = answer;
  return viewOf(question).view(valueInUnit(answer), { question, place, part });
}

/** The comment that is proposed to a person who shares an answer, likewise; nothing is escaped. */
export function proposedComment(answer: Answer): string {
  return viewOf(answer.question).comment?.(valueInUnit(answer)) ?? '';
}

function valueInUnit({ value, question }: Answer): unknown {
  const { unit } = question;
  return unit === undefined ? value : kindOf(question).withProvenance(value, (one) => calendarIn(one, unit));
}

/** The run by which a message in a channel is found again, and the account that shared it. */
function tracesOf({ place, run, sharedBy }: Display): string[] {
  return [
    ...(place === 'private' || run === null ? [] : [`run ${escapeMrkdwn(run.id)}`]),
    ...(sharedBy === null ? [] : [`shared by <@${escapeMrkdwn(sharedBy)}>`]),
  ];
}

/** The comment of the person who shares an answer (mrkdwn), which notifies no one; null: there is none. */
function commentOf({ sharedBy, comment = '' }: Display): string | null {
  return sharedBy === null || comment === ''
    ? null
    : `<@${escapeMrkdwn(sharedBy)}>: ${escapeMrkdwn(comment)}`;
}

/** A sheet as a message: comment, headline, figures, picture, table, where they come from, buttons. */
function reportMessage(sheet: AnswerSheet, buttons: AnswerButtons, display: Display): Message {
  const traces = tracesOf(display);
  const comment = commentOf(display);
  const [blocks, text] = [blocksOf(sheet, buttons, traces), textOf(sheet, traces)];
  return comment === null
    ? { text, blocks: withinMessage(blocks) }
    : { text: `${comment}\n${text}`, blocks: withinMessage([section(comment), ...blocks]) };
}

function blocksOf(
  sheet: AnswerSheet,
  { row, turn, nudged, openers }: AnswerButtons,
  traces: readonly string[],
): MessageBlock[] {
  const { headline, warnings, fields = [], summary, chart = null } = sheet;
  const { table = null, remarks = [], attention, page = null } = sheet;
  const drawn = chart === null ? null : nativeChart(chart);
  return [
    section(headline.marked),
    ...warnings.map((warning) => section(`:warning: ${warning.marked}`)),
    ...(fields.length === 0 ? [] : [fieldsBlock(fields)]),
    ...(summary === undefined ? [] : [context(summary.marked)]),
    ...(drawn === null ? [] : [drawn]),
    ...(table === null ? [] : [table.block]),
    ...remarks.map((remark) => section(remark.marked)),
    ...(attention === undefined ? [] : attentionBlocks(attention, nudged)),
    ...(page === null || table === null ? [] : pageBlocks(page, turn)),
    ...(openers.length === 0 ? [] : [actions(...openers)]),
    context([sheet.footer.marked, ...traces].join(' · ')),
    ...(row.length === 0 ? [] : [actions(...row)]),
  ];
}

/** If fields are narrow, a duration stays in one line. */
function fieldsBlock(fields: readonly Text[]): SectionBlock {
  return {
    type: 'section',
    fields: fields
      .slice(0, limits.section.fields)
      .map(({ marked }) => marked.replace(/(?<=\d[dhms]) (?=\d+[hms])/g, '\u00a0'))
      .map((text) => ({ type: 'mrkdwn', text, verbatim: true })),
  };
}

function attentionBlocks(
  { title, lines }: NonNullable<AnswerSheet['attention']>,
  nudged: AnswerButtons['nudged'],
): KnownBlock[] {
  return [
    ...(title === undefined ? [] : [section(title.marked)]),
    ...lines.map(({ text, nudge, action }) => {
      const block = section(text.marked);
      const other = action === undefined ? null : runButton(action.line, action.title);
      const accessory = nudge === null ? other : nudged(nudge);
      return accessory === null ? block : { ...block, accessory };
    }),
  ];
}

/** Nothing where the whole list is there. */
function pageBlocks(page: AnswerPage, turn: SectionBlock['accessory'] | null): KnownBlock[] {
  const { start, end, total } = page;
  if (end - start >= total) return [];
  const block = section(pageText(page));
  return [turn === null || turn === undefined ? block : { ...block, accessory: turn }];
}

function pageText({ start, end, total }: AnswerPage): string {
  if (end <= start) return `Nothing on this page: the list has ${countOf(total, 'issue')}.`;
  const shown = end - start === 1 ? `Issue ${end}` : `Issues ${start + 1}–${end}`;
  return `${shown} of ${countWords(total)}.`;
}

function textOf(
  { headline, warnings, fields = [], summary, footer, ...sheet }: AnswerSheet,
  traces: readonly string[],
): string {
  const { table = null, remarks = [], attention, page = null } = sheet;
  const isPart = page !== null && page.end - page.start < page.total;
  const sentences = [
    headline.plain,
    ...warnings.map((warning) => warning.plain),
    ...fields.map((field) => field.plain),
    ...(summary === undefined ? [] : [summary.plain]),
    ...(table === null ? [] : [table.text]),
    ...remarks.map((remark) => remark.plain),
    ...[attention?.title ?? [], attention?.lines.map(({ text }) => text) ?? []]
      .flat()
      .map(({ plain }) => plain),
    ...(isPart ? [pageText(page)] : []),
    footer.plain,
  ];
  const text = sentences
    .flatMap((sentence) => sentence.split('\n'))
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ');
  const last = traces.map((trace) => ` ${trace.charAt(0).toUpperCase()}${trace.slice(1)}.`);
  return `${escapeMrkdwn(text)}${last.join('')}`;
}

/** Each part is small; should they be too much together, the picture goes first, then the table: `text` says the same. */
function withinMessage(blocks: readonly MessageBlock[]): MessageBlock[] {
  const droppable: readonly string[] = ['data_visualization', 'table'];
  let left = [...blocks];
  for (const type of droppable) {
    if (charactersIn(left) <= limits.messageCharacters) break;
    left = left.filter((block) => block.type !== type);
  }
  return left;
}

/** Buttons below an answer, beside the line that says which part of a list is shown, and beside an issue that waits. */
interface AnswerButtons {
  readonly row: readonly (Button | Overflow)[];
  readonly turn: Button | null;
  readonly nudged: (nudge: AnswerNudge) => Button | null;
  readonly openers: readonly Button[];
}

/** A row of more buttons is read by no one; the others are in a menu. */
const MAX_BUTTONS = 4;
/** Slack takes no more in a menu. */
const MAX_OPTIONS = 5;

/**
 * The buttons for the next steps with an answer that was stored; each carries no more than its run. Only its principal
 * alone is offered to take it elsewhere.
 */
function answerButtons(
  {
    page = null,
    hasFile,
    details = [],
    nudges: [nudge] = [],
    followUps = [],
    openers = [],
    charts = [],
  }: AnswerSheet,
  { place, isDirect = false }: Display,
  run: Run | null,
): AnswerButtons {
  if (run === null) return { row: [], turn: null, nudged: () => null, openers: [] };
  const { id } = run;
  const isPrivate = place === 'private';
  const [before, after] = turns(page, id);
  // Slack takes an action's id once a block, so one of the two is beside the line about the part.
  const turn = after ?? before;
  const nudgeButton = ({ title, key }: AnswerNudge) =>
    button(shorten(title, limits.button.text), 'nudge-assignee', `${id} ${key}`);
  const share = button('Share', 'share-answer', id, 'primary');
  const buttons = [
    ...(before === null || before === turn ? [] : [before]),
    ...(nudge === undefined ? [] : [nudgeButton(nudge)]),
    ...(isPrivate && details.length > 0 ? [button('Details', 'answer-details', id)] : []),
    ...(isPrivate && !isDirect && !kindOf(run.question).isPersonal ? [share] : []),
    button('Why?', 'why-answer', id),
    ...(isPrivate && hasFile !== false ? [button('Export', 'export-answer', id)] : []),
  ];
  const options = [
    ...buttons
      .slice(MAX_BUTTONS)
      .map(({ text, action_id, value }) => menuOption(text.text, `${action_id} ${value}`)),
    ...(isPrivate && viewOf(run.question).builderTitle !== undefined
      ? [menuOption('Change', `open-builder run ${id}`)]
      : []),
    ...(isPrivate ? followUps.map(({ title, line }) => menuOption(title, `run-line ${line}`)) : []),
  ].filter(({ value = '' }) => value.length <= limits.option.value);
  const menu: Overflow = { type: 'overflow', action_id: MORE, options: options.slice(0, MAX_OPTIONS) };
  return {
    turn,
    nudged: nudgeButton,
    openers: [
      ...openers.map(({ title, line }, i) => runButton(line, title, i)),
      ...charts.map((one) => button(one.title, `answer-chart:${one.id}`, `${id} ${one.id}`)),
    ],
    row: [...buttons.slice(0, MAX_BUTTONS), ...(options.length === 0 ? [] : [menu])],
  };
}

function menuOption(text: string, value: string): PlainTextOption {
  return { text: { type: 'plain_text', text: shorten(text, limits.option.text) }, value };
}

function turns(page: AnswerPage | null, run: string): readonly [Button | null, Button | null] {
  if (page === null) return [null, null];
  const { start, end, total } = page;
  const size = Math.max(1, end - start);
  const back = Math.max(0, start - Math.max(size, 10));
  return [
    start > 0 ? button('Previous', 'turn-page', `${run} ${back} ${total}`) : null,
    end < total ? button('Next', 'turn-page', `${run} ${end} ${total}`) : null,
  ];
}
