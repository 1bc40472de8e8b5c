import type { ActionsBlock, Button, Overflow } from '@slack/types';
import type { Category, CategoryId } from '../../model/delegation.ts';
import { resumeCommand } from '../../model/digest.ts';
import type { Instant, User } from '../../model/issue.ts';
import { shorten } from '../../output/readable-text.ts';
import { nearestOf } from '../ask/grammar/names-meant.ts';
import { checkBlocks } from '../blocks/check-blocks.ts';
import { limits } from '../blocks/limits.ts';
import { type Message, someOf } from '../blocks/message.ts';
import { actions, button, context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { optionOf } from './form-inputs.ts';
import type { CommandLine } from './handler-types.ts';

/** A short message; the same in the block and in the text. Expects what is not ours to be escaped. */
export function notice(...sentences: string[]): Message {
  const text = sentences.join(' ');
  return { text, blocks: [section(text)] };
}

/** A sentence (mrkdwn), and the buttons that go on from it. */
export function offer(text: string, ...elements: ActionsBlock['elements']): Message {
  return { text, blocks: [section(text), actions(...elements)] };
}

/** That no digest or alert is posted, since the database was restored; an admin reads what to do. Sentences (mrkdwn). */
export function pausedLine(admin: boolean): string {
  const why =
    'Digests and alerts are paused: my database was restored, and another Dwell may still post them.';
  const cure = admin
    ? `If none does, run \`${resumeCommand}\` on the server.`
    : 'The person who runs Dwell can resume them.';
  return `:warning: ${why} ${cure}`;
}

/** A remark in small print at the end of the last message, beside what it has there; on its own where no room is left. */
export function withFootnote(messages: readonly Message[], remark: string): readonly Message[] {
  const last = messages.at(-1);
  const blocks = withSmallPrint(last?.blocks ?? [], remark);
  return last === undefined || checkBlocks(blocks, 'message').length > 0
    ? [...messages, notice(remark)]
    : [...messages.slice(0, -1), { text: `${last.text}\n${remark}`, blocks }];
}

/** The small print of a message is its last block, or the one above its buttons. */
function withSmallPrint(blocks: Message['blocks'], remark: string): Message['blocks'] {
  const at = blocks.findLastIndex(({ type }) => type !== 'actions');
  const print = blocks[at];
  return print?.type === 'context' && print.elements.length < limits.contextElements
    ? blocks.with(at, { ...print, elements: [...print.elements, ...context(remark).elements] })
    : [...blocks, context(remark)];
}

/** A remark in small print before the first message. */
export function withLead(messages: readonly Message[], lead: string): readonly Message[] {
  const [first, ...others] = messages;
  if (first === undefined) return [notice(lead)];
  return [{ text: `${lead} ${first.text}`, blocks: [context(lead), ...first.blocks] }, ...others];
}

const SHOWN = 8;

/** A line of each of the first ones, those that read alike once; the rest is counted. */
export function someLines<One>(all: readonly One[], line: (one: One) => string): readonly string[] {
  const more = all.length - SHOWN;
  return [...new Set(all.slice(0, SHOWN).map(line)), ...(more > 0 ? [`… and ${more} more like these.`] : [])];
}

const NAME_LENGTH = 60;

/** Shortened names of people and categories for a message. */
export interface Names {
  person(id: string): string;
  /** A delegation without categories is of everything. */
  category(id: CategoryId): string;
}

/** Nothing is escaped; a person who is no longer known is called by their id. */
export function shortenedNames(users: ReadonlyMap<string, User>, categories: readonly Category[]): Names {
  const byId = new Map(categories.map(({ id, name }) => [id, name]));
  return {
    person: (id) => shorten(users.get(id)?.name ?? id, NAME_LENGTH),
    category: (id) => (id === null ? 'everything' : shorten(byId.get(id) ?? `category ${id}`, NAME_LENGTH)),
  };
}

/** The words for people, categories and times in a message. */
export interface Words extends Names {
  time(at: Instant): string;
}

/** Escaped, for readers of any zone: their own Slack shows the times. */
export function wordsAnywhere({ person, category }: Names): Words {
  return {
    person: (id) => escapeMrkdwn(person(id)),
    category: (id) => escapeMrkdwn(category(id)),
    time: dateMark,
  };
}

/** The categories of a delegation: `everything`, or the names of the first; the rest is counted. */
export function categoriesText(categoryIds: readonly number[], { category }: Names): string {
  return categoryIds.length === 0 ? category(null) : someOf(categoryIds.map(category));
}

/** The word behind a slash command that was likely meant; null where none is near. */
export function nearWord(typed: string, root: string, commands: readonly CommandLine[]): string | null {
  return nearestOf(
    typed,
    commands.flatMap((one) => (one.root === root && one.word !== null ? [one.word] : [])),
  );
}

/** The `action_id` of a menu whose options each name an action, then a blank and its value. */
export const MORE = 'more';

/** A menu beside a row or behind a row of buttons: at most five entries, each the text and the action with its value. */
export function moreMenu(
  entries: readonly (readonly [text: string, action: string, value: string])[],
): Overflow {
  return {
    type: 'overflow',
    action_id: MORE,
    options: entries.map(([text, action, value]) => optionOf(text, `${action} ${value}`)),
  };
}

/** As many rows as fit in one look. */
export const ROWS = 10;

/** Which rows of a list are shown, from one of them (0 is the first) on, and buttons to the others by an action. */
export function rowsPart(start: number, total: number, action: string): { text: string; turns: Button[] } {
  const end = Math.min(total, start + ROWS);
  const turn = (text: string, from: number) => button(text, `${action}:${from}`, String(from));
  return {
    text: end - start < total ? ` (${start + 1}–${end} of ${total})` : '',
    turns: [
      ...(start > 0 ? [turn('Previous', Math.max(0, start - ROWS))] : []),
      ...(end < total ? [turn('Next', end)] : []),
    ],
  };
}
