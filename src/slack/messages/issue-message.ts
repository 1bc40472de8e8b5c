import type { RawTextElement, TableBlock } from '@slack/types';
import type { IssueStory } from '../../api/tell-issue.ts';
import { durationWords } from '../../formats/duration-text.ts';
import { historyText } from '../../formats/history-text.ts';
import type { Message } from '../message.ts';
import { context, dateMark, escapeMrkdwn, percentText, section, utcText } from './mrkdwn.ts';

/** A table takes 100 rows; beyond this many statuses the shortest stays are told as one. */
const STATUS_ROWS = 90;

interface Line {
  readonly status: string;
  readonly visits: string;
  readonly time: string;
  readonly share: string;
}

/** One issue: what it is doing now and since when, where its time went, and how far the figures can be trusted. */
export function issueMessage(story: IssueStory): Message {
  const lines = storyLines(story);
  const warning = historyWarning(story);
  const table = story.statuses.length > 0 ? [tableOf(lines)] : [];
  return {
    text: [
      `${story.key} ${story.summary}`.trim(),
      nowText(story, utcText),
      ...(warning === null ? [] : [warning]),
      story.statuses.length === 0 ? null : lines.map(lineText).join('; '),
      footText(story, utcText),
    ]
      .filter((part) => part !== null)
      .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
      .join(' '),
    blocks: [
      section(`*${linked(story)}* ${escapeMrkdwn(story.summary)}\n${nowText(story, dateMark, bold)}`),
      ...(warning === null ? [] : [section(`:warning: ${escapeMrkdwn(warning)}`)]),
      ...table,
      context(footText(story, dateMark)),
    ],
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
  if (current !== null) {
    return `In ${strong(current.title)} for ${strong(durationWords(current.forMs))}, since ${date(current.since)}, ${who}.`;
  }
  return statusNow === null
    ? `Its status now is not known, ${who}.`
    : `In ${strong(statusNow)}, since when is not known, ${who}.`;
}

function historyWarning(story: IssueStory): string | null {
  if (story.history.complete && story.contradictions === 0) return null;
  return `History ${historyText(story)}`;
}

function footText({ provenance, history, contradictions }: IssueStory, date: (at: number) => string): string {
  const { calendar, asOf, dataAsOf, tracker } = provenance;
  const hours = calendar.continuous ? '24/7' : calendar.name;
  return [
    `Calendar ${hours}`,
    `as of ${date(asOf)}`,
    ...(dataAsOf === null ? [] : [`data of ${date(dataAsOf)}`]),
    ...(tracker === 'sample' ? ['sample data'] : []),
    history.complete && contradictions === 0 ? 'history complete' : 'history not complete',
  ].join(' · ');
}

function storyLines(story: IssueStory): Line[] {
  const known = story.statuses.map(({ status, visits, ms, share }) => ({
    status: status === story.current?.title ? `${status} (now)` : status,
    visits: String(visits),
    time: durationWords(ms),
    share: percentText(share),
  }));
  const shown = known.slice(0, STATUS_ROWS);
  const rest = story.statuses.slice(STATUS_ROWS);
  const others = {
    status: `${rest.length} more statuses`,
    visits: String(rest.reduce((sum, one) => sum + one.visits, 0)),
    time: durationWords(rest.reduce((sum, one) => sum + one.ms, 0)),
    share: percentText(rest.reduce((sum, one) => sum + one.share, 0)),
  };
  const { unknown } = story;
  return [
    ...shown,
    ...(rest.length > 0 ? [others] : []),
    ...(unknown === null
      ? []
      : [
          {
            status: 'Unknown',
            visits: '–',
            time: durationWords(unknown.ms),
            share: percentText(unknown.share),
          },
        ]),
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
