import type { ContextBlock, SectionBlock } from '@slack/types';
import type { Instant } from '../model/issue.ts';
import { isolated, settled } from '../output/text-direction.ts';
import { minuteText, timeOfDayText } from '../time/iso-dates.ts';

/** Slack cuts a section's text at 3,000 characters; ours is cut before, where it can be seen. */
const SECTION_LIMIT = 3000;

/** Text that cannot be mistaken for Slack's own marks, and that moves nothing that stands beside it. */
export function escapeMrkdwn(text: string): string {
  return isolated(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What was typed: Slack hands over the text of a command escaped. What we keep apart may be copied with its marks. */
export function unescapeMrkdwn(text: string): string {
  return text
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** An instant in the reader's own zone and language; clients that cannot show it fall back to UTC. */
export function dateMark(at: Instant): string {
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty} at {time}|${utcText(at)}>`;
}

/** Its time of day alone, likewise. */
export function timeMark(at: Instant): string {
  return `<!date^${Math.floor(at / 1000)}^{time}|${utcTimeText(at)}>`;
}

/** An instant as plain text: `2026-11-20 14:02 UTC`. */
export function utcText(at: Instant): string {
  return `${minuteText(at)} UTC`;
}

/** Its time of day as plain text: `14:02 UTC`. */
export function utcTimeText(at: Instant): string {
  return `${timeOfDayText(at)} UTC`;
}

/** Names and notes are told as they are: Slack makes links and mentions only of what we mark. */
export function section(mrkdwn: string): SectionBlock {
  const text = mrkdwn.length > SECTION_LIMIT ? settled(`${mrkdwn.slice(0, SECTION_LIMIT - 1)}…`) : mrkdwn;
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

/** Text in which nothing is a mark. */
export function plainSection(text: string): SectionBlock {
  const shown = settled(text.length > SECTION_LIMIT ? `${text.slice(0, SECTION_LIMIT - 1)}…` : text);
  return { type: 'section', text: { type: 'plain_text', text: shown, emoji: false } };
}

/** Small print; likewise. */
export function context(mrkdwn: string): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: mrkdwn, verbatim: true }] };
}

/** A part of a whole as people say it; what rounds to nothing is still something, and to everything not all. */
export function percentText(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return '<1%';
  if (percent === 100 && share < 1) return '>99%';
  return `${percent}%`;
}
