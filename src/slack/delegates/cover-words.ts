import { lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { someOf } from '../../block-kit/some-of.ts';
import type { Delegation, DelegationRight, TimeSpan } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import type { Person } from '../app/handler-types.ts';
import { categoriesText, type Names, notice, type Words } from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import type { Member } from '../people/accounts.ts';
import { identify } from '../people/identify.ts';

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

/** Whether somebody may ask about others. */
export function seesAll(right: DelegationRight): boolean {
  return right === 'all' || right === 'edit';
}

/**
 * Who can change what somebody may do. Admins, and all where there are none, are told the command line that does: its
 * plus keeps the rights of others.
 */
export function askAdmin(
  { typedAs, hasAdmins, principal }: Member,
  option: '--view' | '--view-all' | '--edit-all',
): string {
  if (hasAdmins && principal.rights !== 'admin') return 'Ask an admin to change that.';
  return `That is changed on the command line: \`npm run --silent dwell -- delegates ${option} +${escapeMrkdwn(typedAs)}\`.`;
}

/**
 * Why somebody gets no answer about others, the same whether there is such a person or not. `hints` are escaped sentences
 * about what may have been meant.
 */
export function refuseOthers(member: Member, hints: readonly string[] = []): Message {
  return notice(
    'You do not have permission to query delegations of other users.',
    ...hints,
    'Your own are told by `/delegates mine`.',
    askAdmin(member, '--view-all'),
  );
}

/** Who asks about delegations, and how much of them they may know and change. */
export interface Admitted {
  readonly member: Member;
  readonly right: DelegationRight;
}

/** Who asks; where nobody knows that, or where they may know nothing, what they read instead. */
export async function admit(
  person: Person,
  parts: DelegationParts,
): Promise<Admitted | { readonly refusal: Message }> {
  const identified = await identify(person, parts);
  if ('refusal' in identified) return identified;
  const { member } = identified;
  const right = await parts.delegations.rightOf(member.principal);
  if (right !== 'none') return { member, right };
  return { refusal: notice('You do not have permission to view delegations.', askAdmin(member, '--view')) };
}
