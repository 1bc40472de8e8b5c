import type { KnownBlock } from '@slack/types';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { AgingIssue } from '../../model/answer.ts';
import { durationWords } from '../../output/duration-text.ts';
import type { IssueSummary } from '../../questions/issue/issue-summary.ts';
import { dayMsOf } from '../../questions/view/day-length.ts';
import { provenanceText } from '../../questions/view/foot-text.ts';
import { marked } from '../../questions/view/wording.ts';

const SUMMARY_LENGTH = 150;
const NAME_LENGTH = 40;

/** More statuses no line holds. */
const SHOWN = 5;

/** What a link to an issue shows: what it is doing since when, where its time went, and how that is against what is usual. */
export function unfurlBlocks(story: IssueSummary, aging: AgingIssue | null): KnownBlock[] {
  return [
    section(
      [titleText(story), nowText(story, aging), timesText(story)].filter((line) => line !== '').join('\n'),
    ),
    context(provenanceText({ ...story.provenance, complete: story.history.complete }, marked)),
  ];
}

function titleText({ key, link, summary }: IssueSummary): string {
  return `*${marked.key(key, link)}* ${escapeMrkdwn(shorten(summary, SUMMARY_LENGTH))}`.trim();
}

function nowText(story: IssueSummary, aging: AgingIssue | null): string {
  const { current, statusNow } = story;
  if (current === null || current.since === null || current.forMs === null) {
    return statusNow === null ? '' : `*${nameText(statusNow)}*, since when is not known.`;
  }
  const dayMs = dayMsOf(story.provenance.calendar);
  const since = `*${nameText(current.title)}* for *${durationWords(current.forMs, dayMs)}*, since ${marked.date(current.since)}`;
  const usual = aging?.baseline ?? null;
  if (usual === null) return `${since}.`;
  const most = durationWords(usual.p85, dayMs);
  return current.forMs > usual.p85
    ? `${since}: longer than usual there (85 % take no more than ${most}).`
    : `${since}; usual there: up to ${most}.`;
}

function timesText({ statuses, provenance }: IssueSummary): string {
  const dayMs = dayMsOf(provenance.calendar);
  const longest = statuses.filter(({ ms }) => ms > 0).toSorted((a, b) => b.ms - a.ms);
  const shown = longest.slice(0, SHOWN);
  const times = statuses
    .filter((time) => shown.includes(time))
    .map(({ status, ms }) => `${nameText(status)} ${durationWords(ms, dayMs)}`);
  const more = longest.length - shown.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  return times.length === 0 ? '' : `${times.join(' · ')}${rest}`;
}

function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, NAME_LENGTH));
}
