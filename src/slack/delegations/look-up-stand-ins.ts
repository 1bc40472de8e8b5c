import { lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { GENERAL } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import { allowedDays, whenText } from '../../questions/parse/read-range.ts';
import { spanOfDay } from '../../time/day-words.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { lookUpMessage } from '../messages/look-up-message.ts';
import { namesOf } from '../messages/names.ts';
import { notice } from '../messages/notice.ts';
import { withZone } from '../messages/with-zone.ts';
import { wordsIn } from '../messages/words.ts';
import type { DelegationParts } from '../parts.ts';
import type { Member } from '../people/member.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { splitQuestion } from './read-question.ts';
import { beginningOf, type StandInSubject } from './stand-in-subject.ts';
import { suggestDay } from './suggest-day.ts';

/**
 * The answer to `[CATEGORY] [on DAY TIME]` from the two look-ups alone, which know one category and one instant and
 * tell names only. Without a category `general` is meant.
 */
export async function lookUpStandIns(
  { principal, timeZone }: Member,
  subject: StandInSubject,
  { delegations, people, now }: DelegationParts,
): Promise<Message> {
  const { direction, person, rest } = subject;
  const today = dayAt(now(), timeZone);
  const { name, day } = splitQuestion(rest, today);
  if (day !== null && day.time === null) {
    return notice(
      'This delegation service tells no whole days.',
      'Type a time behind the day, such as `on 2026-12-24 14:00`, or no day for now.',
    );
  }
  const category = name === '' ? GENERAL : name;
  const asOf = day === null ? null : spanOfDay(day, now(), timeZone).from;
  const question = { principal, person: person.id, category, asOf };
  try {
    const found =
      direction === 'delegates'
        ? await delegations.delegatesOf(question)
        : await delegations.delegatorsOf(question);
    const names = namesOf(await people.users(), []);
    const told = lookUpMessage({
      direction,
      person: person.id,
      category: escapeMrkdwn(found.category),
      when: whenText(day, today, timeZone),
      others: found.others,
      isGeneral: name === '',
      words: wordsIn(timeZone, now(), names),
    });
    return withZone(told, timeZone);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
    const beginning = beginningOf(subject, await people.users());
    return (
      oneAtATime(name, beginning) ??
      notice(escapeMrkdwn(error.message), ...hintFor(name, { today, beginning }))
    );
  }
}

/** No list tells which categories there are, so that a day without its word, or misspelt, is taken for one. */
function hintFor(
  name: string,
  context: { readonly today: number; readonly beginning: string },
): readonly string[] {
  const suggested = suggestDay(name, context);
  if (suggested !== null) {
    // No whole days are told here.
    const line = /\d:\d\d$/.test(suggested.line) ? suggested.line : `${suggested.line} 12:00`;
    return [`Did you mean ${lineText(line)}?`];
  }
  return /(?:^|\s)on\s/i.test(name) ? [`A day is ${allowedDays}.`] : [];
}
