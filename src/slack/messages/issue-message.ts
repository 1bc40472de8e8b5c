import type { RawTextElement, TableBlock } from '@slack/types';
import type { IssueStory } from '../../api/tell-issue.ts';
import { durationWords } from '../../formats/duration-text.ts';
import { type HistoryWording, historyText } from '../../formats/history-text.ts';
import type { Message } from '../message.ts';
import { button } from './button.ts';
import { context, dateMark, escapeMrkdwn, percentText, section, utcText } from './mrkdwn.ts';
import { provenanceText } from './provenance-text.ts';
import { shorten } from './shorten.ts';

/** A table takes 100 rows; beyond this many statuses the shortest stays are told as one. */
const STATUS_ROWS = 90;

/** Names of trackers are short; these lengths keep a message whole within Slack's limits when one is not. */
const NAME_LENGTH = 80;
const SUMMARY_LENGTH = 300;

/** The text is escaped as a whole. */
const plain: HistoryWording = { date: utcText, words: (text) => text };
const marked: HistoryWording = { date: dateMark, words: escapeMrkdwn };

interface Line {
  readonly status: string;
  readonly visits: string;
  readonly time: string;
  readonly share: string;
}

/** One issue: what it is doing now and since when, where its time went, and how far the figures can be trusted. */
export function issueMessage(told: IssueStory): Message {
  const story = withShortNames(told);
  const lines = storyLines(story);
  const warning = historyWarning(story, plain);
  const markedWarning = historyWarning(story, marked);
  const table = story.statuses.length > 0 ? [tableOf(lines)] : [];
  const sentences = [
    `${story.key} ${story.summary}`.trim(),
    nowText(story, utcText),
    warning,
    story.statuses.length === 0 ? null : lines.map(lineText).join('; '),
    footText(story, plain),
  ];
  return {
    text: escapeMrkdwn(
      sentences
        .filter((sentence) => sentence !== null)
        .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
        .join(' '),
    ),
    blocks: [
      section(`*${linked(story)}* ${escapeMrkdwn(story.summary)}\n${nowText(story, dateMark, bold)}`),
      ...(markedWarning === null ? [] : [section(`:warning: ${markedWarning}`)]),
      ...table,
      context(footText(story, marked)),
      { type: 'actions', elements: [button('Export', 'export-issue', story.key)] },
    ],
  };
}

function withShortNames(story: IssueStory): IssueStory {
  const { summary, assignee, statusNow, current, statuses } = story;
  return {
    ...story,
    summary: shorten(summary, SUMMARY_LENGTH),
    assignee: assignee === null ? null : shorten(assignee, NAME_LENGTH),
    statusNow: statusNow === null ? null : shorten(statusNow, NAME_LENGTH),
    current: current === null ? null : { ...current, title: shorten(current.title, NAME_LENGTH) },
    statuses: statuses.map((time) => ({ ...time, status: shorten(time.status, NAME_LENGTH) || '(no name)' })),
  };
}

function linked({ key, link }: IssueStory): string {
  return link === null ? escapeMrkdwn(key) : `<${link}|${escapeMrkdwn(key)}>`;
}

function bold(text: string): string {
  return `*${escapeMrkdwn(text)}*`;
}

/** What the issue is doing now and since when, with dates and emphasis as the place allows. */
function nowText(
  { current, statusNow, assignee }: IssueStory,
  date: (at: number) => string,
  strong: (text: string) => string = (text) => text,
): string {
  const who = assignee === null ? 'nobody assigned' : `with ${strong(assignee)}`;
  if (current !== null && current.forMs !== null && current.since !== null) {
    return `${strong(current.title)} for ${strong(durationWords(current.forMs))}, since ${date(current.since)}, ${who}.`;
  }
  return statusNow === null
    ? `Its status now is not known, ${who}.`
    : `${strong(statusNow)}, since when is not known, ${who}.`;
}

function historyWarning(story: IssueStory, wording: HistoryWording): string | null {
  if (story.history.complete && story.contradictions === 0) return null;
  return `History ${historyText(story, wording)}`;
}

function footText({ provenance, history }: IssueStory, wording: HistoryWording): string {
  const foot = provenanceText({ ...provenance, complete: history.complete }, wording);
  return `${foot.charAt(0).toUpperCase()}${foot.slice(1)}`;
}

function storyLines(story: IssueStory): Line[] {
  const longest = [...story.statuses].sort((a, b) => b.ms - a.ms).slice(0, STATUS_ROWS);
  const rest = story.statuses.filter((time) => !longest.includes(time) && !time.now);
  const shown = story.statuses
    .filter((time) => !rest.includes(time))
    .map(({ status, visits, ms, share, now }) => ({
      status: now ? `${status} (now)` : status,
      visits: String(visits),
      time: durationWords(ms),
      share: percentText(share),
    }));
  const others = {
    status: `${rest.length} more statuses`,
    visits: String(rest.reduce((sum, one) => sum + one.visits, 0)),
    time: durationWords(rest.reduce((sum, one) => sum + one.ms, 0)),
    share: percentText(rest.reduce((sum, one) => sum + one.share, 0)),
  };
  const { unknown } = story;
  const unknownLine =
    unknown === null
      ? []
      : [
          {
            status: 'Unknown',
            visits: '–',
            time: durationWords(unknown.ms),
            share: percentText(unknown.share),
          },
        ];
  // In order of time, as the statuses are.
  const unknownFirst = unknown !== null && unknown.from <= story.created;
  return [
    ...(unknownFirst ? unknownLine : []),
    ...shown,
    ...(rest.length > 0 ? [others] : []),
    ...(unknownFirst ? [] : unknownLine),
    {
      status: 'Total',
      visits: String(story.statuses.reduce((sum, one) => sum + one.visits, 0)),
      time: durationWords(story.totalMs),
      share: percentText(story.totalMs === 0 ? 0 : 1),
    },
  ];
}

function lineText({ status, visits, time, share }: Line): string {
  return `${status} ${time} (${visits === '1' ? '1 visit' : `${visits} visits`}, ${share})`;
}

function tableOf(lines: readonly Line[]): TableBlock {
  const row = (...texts: string[]): RawTextElement[] => texts.map((text) => ({ type: 'raw_text', text }));
  return {
    type: 'table',
    column_settings: [{ is_wrapped: true }, { align: 'right' }, { align: 'right' }, { align: 'right' }],
    rows: [
      row('Status', 'Visits', 'Time', 'Share'),
      ...lines.map(({ status, visits, time, share }) => row(status, visits, time, share)),
    ],
  };
}
