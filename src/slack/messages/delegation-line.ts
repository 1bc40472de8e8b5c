import { lineText } from '../../block-kit/code-text.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { someOf } from '../../block-kit/some-of.ts';
import type { Delegation, TimeSpan } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { categoriesText, type Names } from './names.ts';
import type { Words } from './words.ts';

const NOTES_LENGTH = 200;
/** What Slack would take for a mark; there is no way to escape one. */
const MARKS = /([*_~`]).+\1/;

/** Several people, bold, in order; the rest is counted. */
export function peopleText(ids: readonly string[], { person }: Names): string {
  return someOf(ids.map((id) => `*${person(id)}*`));
}

/** From when until when. */
export function spanText({ from, until }: TimeSpan, { time }: Words): string {
  return `from ${time(from)} until ${time(until)}`;
}

/** Until when, and from when where that lies ahead of an instant. */
export function periodText(
  { start, end }: Pick<Delegation, 'start' | 'end'>,
  at: Instant,
  words: Words,
): string {
  return start > at ? spanText({ from: start, until: end }, words) : `until ${words.time(end)}`;
}

/** What somebody wrote for people to read, in one line as they wrote it; empty where nothing was written. */
export function notesLine(notes: string): string {
  const plain = notes.replace(/\s+/g, ' ').trim();
  if (plain === '') return '';
  return MARKS.test(plain) ? lineText(plain) : `“${escapeMrkdwn(shorten(plain, NOTES_LENGTH))}”`;
}

/** The same behind a line. */
export function notesText(notes: string): string {
  const line = notesLine(notes);
  return line === '' ? '' : ` · ${line}`;
}

/** A whole delegation in one line: `Bob for Ada: Expense, until tomorrow`. Expects escaped words. */
export function delegationLine(delegation: Delegation, at: Instant, words: Words): string {
  const { delegator, delegates, categoryIds, notes } = delegation;
  return `${peopleText(delegates, words)} for *${words.person(delegator)}*: ${categoriesText(categoryIds, words)}, ${periodText(delegation, at, words)}${notesText(notes)}`;
}
