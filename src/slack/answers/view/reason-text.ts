import { countsIn, type IssueReason } from '../../../api/nudges/nudges-api.ts';
import type { Instant } from '../../../model/issue.ts';
import type { GivenAnswer, NudgedVisit } from '../../../model/nudge.ts';
import { shorten } from '../../../output/readable-text.ts';
import { dayWords, type Wording } from '../../../output/wording.ts';

const NAME_LENGTH = 60;

/** `On it`, `Blocked: waiting for the bank`, `Snoozed until Nov 12`; `date` writes an instant. */
export function givenText(
  answer: GivenAnswer,
  { words, date }: Pick<Wording, 'words'> & { readonly date: (at: Instant) => string },
): string {
  switch (answer.kind) {
    case 'onIt':
      return 'On it';
    case 'blocked':
      return `Blocked: ${words(answer.reason)}`;
    case 'snoozed':
      return `Snoozed until ${date(answer.until)}`;
  }
}

/**
 * The latest answer about an issue, the person and the day: `Blocked: waiting for the bank · Bob, Nov 12`; null where there
 * is none, or the issue has moved on since. Days are those of the zone.
 */
export function reasonText(
  reason: IssueReason | null | undefined,
  visit: NudgedVisit,
  { timeZone, near, words }: Pick<Wording, 'words'> & { readonly timeZone: string; readonly near: Instant },
): string | null {
  if (!reason || !countsIn(reason, visit, near)) return null;
  const date = (at: Instant) => dayWords(at, { timeZone, near });
  const name = words(shorten(reason.person.name, NAME_LENGTH));
  return `${givenText(reason, { words, date })} · ${name}, ${date(reason.at)}`;
}
