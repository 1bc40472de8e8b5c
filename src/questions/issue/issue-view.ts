import type { RawTextElement, TableBlock } from '@slack/types';
import { percentText } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { durationWords } from '../../output/duration-text.ts';
import { historyText } from '../../output/table-records.ts';
import { isolated } from '../../output/text-direction.ts';
import { issueChart } from '../view/answer-charts.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { dayMsOf } from '../view/day-length.ts';
import { doneLeftOut } from '../view/done-left-out.ts';
import { footText } from '../view/foot-text.ts';
import { say, type Wording } from '../view/wording.ts';
import type { IssueSummary } from './issue-summary.ts';

/** A table takes 100 rows; beyond this many statuses the shortest stays are told as one. */
const STATUS_ROWS = 60;

/** Names of trackers are short; these lengths keep a message whole within Slack's limits when one is not. */
const NAME_LENGTH = 80;
const SUMMARY_LENGTH = 300;

interface Line {
  readonly status: string;
  readonly visits: string;
  readonly time: string;
  readonly share: string;
}

/** One issue: what it is doing now and since when, where its time went, and how far the figures can be trusted. */
export function issueView(summary: IssueSummary): Sheet {
  const story = withShortNames(summary);
  const lines = storyLines(story);
  const chart = issueChart(story);
  const isWhole = story.history.complete && story.contradictions === 0;
  return {
    headline: say((wording) => `${titleText(story, wording)}\n${nowText(story, wording)}`),
    warnings: isWhole ? [] : [say((wording) => `History ${historyText(story, wording)}`)],
    fields: [],
    chart,
    table:
      story.statuses.length === 0 ? null : { block: tableOf(lines), text: lines.map(lineText).join('; ') },
    remarks: chart === null ? [] : doneLeftOut(story),
    page: null,
    foot: say((wording) => footText({ ...story.provenance, complete: story.history.complete }, wording)),
    details: [],
    hasFile: true,
    isPersonal: false,
  };
}

function withShortNames(story: IssueSummary): IssueSummary {
  const { summary, assignee, statusNow, current } = story;
  return {
    ...story,
    summary: shorten(summary, SUMMARY_LENGTH),
    assignee: assignee === null ? null : shorten(assignee, NAME_LENGTH),
    statusNow: statusNow === null ? null : shorten(statusNow, NAME_LENGTH),
    current: current === null ? null : { ...current, title: shorten(current.title, NAME_LENGTH) },
  };
}

function titleText({ key, summary, link }: IssueSummary, { bold, words, key: keyText }: Wording): string {
  return `${bold(keyText(key, link))} ${words(summary)}`.trim();
}

/** What the issue is doing now and since when. */
function nowText({ current, statusNow, assignee, provenance }: IssueSummary, wording: Wording): string {
  const { date, strong } = wording;
  const who = assignee === null ? 'nobody assigned' : `with ${strong(assignee)}`;
  if (current !== null && current.forMs !== null && current.since !== null) {
    const time = durationWords(current.forMs, dayMsOf(provenance.calendar));
    return `${strong(current.title)} for ${strong(time)}, since ${date(current.since)}, ${who}.`;
  }
  return statusNow === null
    ? `Its status now is not known, ${who}.`
    : `${strong(statusNow)}, since when is not known, ${who}.`;
}

function storyLines(story: IssueSummary): Line[] {
  const dayMs = dayMsOf(story.provenance.calendar);
  const longest = [...story.statuses].sort((a, b) => b.ms - a.ms).slice(0, STATUS_ROWS);
  const rest = story.statuses.filter((time) => !longest.includes(time) && !time.now);
  const shown = story.statuses
    .filter((time) => !rest.includes(time))
    .map(({ status, visits, ms, share, now }) => ({
      status: `${shorten(status, NAME_LENGTH) || '(no name)'}${now ? ' (now)' : ''}`,
      visits: String(visits),
      time: durationWords(ms, dayMs),
      share: percentText(share),
    }));
  const others = {
    status: `${rest.length} more statuses`,
    visits: String(rest.reduce((sum, one) => sum + one.visits, 0)),
    time: durationWords(
      rest.reduce((sum, one) => sum + one.ms, 0),
      dayMs,
    ),
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
            time: durationWords(unknown.ms, dayMs),
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
      time: durationWords(story.totalMs, dayMs),
      share: percentText(story.totalMs === 0 ? 0 : 1),
    },
  ];
}

function lineText({ status, visits, time, share }: Line): string {
  return `${isolated(status)} ${time} (${visits === '1' ? '1 visit' : `${visits} visits`}, ${share})`;
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
