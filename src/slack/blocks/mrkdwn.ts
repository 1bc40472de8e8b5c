import type { ActionsBlock, Button, ContextBlock, SectionBlock } from '@slack/types';
import type { Instant } from '../../model/issue.ts';
import { directionMarks, isolated, settled, shorten } from '../../output/readable-text.ts';
import { utcText, utcTimeText } from '../../output/wording.ts';

/** Slack cuts a section's text at 3,000 characters; ours is cut before, where it can be seen. */
const SECTION_LIMIT = 3000;

/** Text that cannot be mistaken for Slack's own marks, and whose direction changes no text beside it. */
export function escapeMrkdwn(text: string): string {
  return isolated(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * The text that was typed: Slack hands over that of a command escaped. The marks of isolated text may be copied with
 * it.
 */
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

/** A paragraph, with a button or a menu beside it. Names and notes stay as they are: Slack makes links and mentions only of our marks. */
export function section(mrkdwn: string, accessory?: SectionBlock['accessory']): SectionBlock {
  const text = mrkdwn.length > SECTION_LIMIT ? settled(`${mrkdwn.slice(0, SECTION_LIMIT - 1)}…`) : mrkdwn;
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true }, ...(accessory && { accessory }) };
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

const LENGTH = 40;
const LINE_LENGTH = 200;

/**
 * Something that was typed, repeated as code and shortened; a backtick or a line break within would end the mark, and a
 * mention is none there.
 */
export function codeText(typed: string): string {
  return asCode(typed, LENGTH);
}

/** The same of a line that is to be read as a whole. */
export function lineText(line: string): string {
  return asCode(line, LINE_LENGTH);
}

function asCode(typed: string, length: number): string {
  const plain = typed
    .replace(/<@(\w+)(?:\|([^<>]*))?>/g, (_, account: string, name?: string) => `@${name ?? account}`)
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim();
  return `\`${escapeMrkdwn(shorten(plain, length))}\``;
}

/** The members that come back as they were sent, or lead somewhere; no one reads them. */
const unread = new Set([
  ...['value', 'initial_value', 'private_metadata', 'url', 'image_url'],
  ...['callback_id', 'external_id', 'action_id', 'block_id'],
]);

/** A message, a view or options in which no text that people read turns around what is beside it. */
export function settledTexts<Payload>(payload: Payload): Payload {
  if (!hasDirectionMarks(payload)) return payload;
  return JSON.parse(JSON.stringify(payload), (key, value) =>
    typeof value === 'string' && !unread.has(key) ? settled(value) : value,
  );
}

/** Returns true where any text in a value has a direction mark. Looking through the texts one by one is faster than making JSON of them. */
function hasDirectionMarks(value: unknown): boolean {
  if (typeof value === 'string') return directionMarks.test(value);
  if (Array.isArray(value)) return value.some(hasDirectionMarks);
  if (isRecord(value)) for (const name in value) if (hasDirectionMarks(value[name])) return true;
  return false;
}

const shown = ['text', 'title', 'title_link', 'fallback', 'url'];

/** All texts (mrkdwn) of a message, a line each: its own, and those of the blocks and attachments that apps fill. */
export function messageTexts(message: Readonly<Record<string, unknown>>): string {
  const { text, blocks, attachments } = message;
  const texts = [...textsIn({ text }), ...textsIn(blocks), ...textsIn(attachments)];
  return [...new Set(texts)].join('\n').trim();
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'string') return shown.includes(name) ? [member] : [];
    return textsIn(member);
  });
}

/** A button that hands the action `id` its value. */
export function button(text: string, id: string, value: string, style?: Button['style']): Button {
  return {
    type: 'button',
    text: { type: 'plain_text', text },
    action_id: id,
    value,
    ...(style && { style }),
  };
}

/** Buttons and menus in a row. */
export function actions(...elements: ActionsBlock['elements']): ActionsBlock {
  return { type: 'actions', elements };
}

/** True if a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const shownMembers = new Set(['text', 'title', 'caption', 'label', 'name', 'alt_text']);

/** The number of characters that a reader is shown: Slack's limits over whole tables and messages count these. */
export function charactersIn(value: unknown): number {
  let sum = 0;
  if (Array.isArray(value)) for (let i = 0; i < value.length; i += 1) sum += charactersIn(value[i]);
  else if (isRecord(value)) {
    for (const name in value) {
      const member = value[name];
      if (typeof member !== 'string') sum += charactersIn(member);
      else if (shownMembers.has(name)) sum += member.length;
    }
  }
  return sum;
}
