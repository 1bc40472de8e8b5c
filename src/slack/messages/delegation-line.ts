import type { Delegation, TimeSpan } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { dateMark, escapeMrkdwn } from './mrkdwn.ts';
import { categoriesText, type Names } from './names.ts';
import { shorten } from './shorten.ts';
import { someOf } from './some-of.ts';

const NOTES_LENGTH = 200;

/** Several people, bold, in order; the rest is counted. */
export function peopleText(ids: readonly string[], { person }: Names): string {
  return someOf(ids.map((id) => `*${person(id)}*`));
}

/** From when until when, in the reader's zone. */
export function spanText({ from, until }: TimeSpan): string {
  return `from ${dateMark(from)} until ${dateMark(until)}`;
}

/** Until when, and from when where that lies ahead of an instant. */
export function periodText({ start, end }: Pick<Delegation, 'start' | 'end'>, at: Instant): string {
  return start > at ? spanText({ from: start, until: end }) : `until ${dateMark(end)}`;
}

/** What somebody wrote for people to read, in one line; empty where nothing was written. */
export function notesLine(notes: string): string {
  const plain = notes.replace(/\s+/g, ' ').trim();
  return plain === '' ? '' : `“${escapeMrkdwn(shorten(plain, NOTES_LENGTH))}”`;
}

/** The same behind a line. */
export function notesText(notes: string): string {
  const line = notesLine(notes);
  return line === '' ? '' : ` · ${line}`;
}

/** A whole delegation in one line: `Bob for Ada: Expense, until tomorrow`. Expects escaped names. */
export function delegationLine(delegation: Delegation, at: Instant, names: Names): string {
  const { delegator, delegates, categoryIds, notes } = delegation;
  return `${peopleText(delegates, names)} for *${names.person(delegator)}*: ${categoriesText(categoryIds, names)}, ${periodText(delegation, at)}${notesText(notes)}`;
}
