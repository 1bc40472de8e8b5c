import { kindOf } from '../../api/answers/index.ts';
import type { DigestPlace } from '../../model/digest.ts';
import { badRequest } from '../../model/error.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import { shorten } from '../../output/readable-text.ts';
import { titleWithoutQuery } from '../../output/subject-words.ts';
import { isoDay, weekdays } from '../../time/date-text.ts';
import { indexOfName } from '../../time/day-words.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { viewOf } from '../answers/index.ts';

const LENGTH = 100;

/**
 * What a digest is called where nobody gave it a name: what was asked, as it was typed. A query is shown to its owner
 * only, for it may name what others in the channel may not know of.
 */
export function digestTitle(
  { title, question: typed }: { readonly title: string | null; readonly question: string },
  question: Question,
  { kind }: DigestPlace,
): string {
  if (title !== null) return shorten(title, LENGTH);
  const selections = kind === 'owner' ? [] : kindOf(question).selections(question);
  return shorten(
    selections.reduce(
      (text, selection) =>
        selection.by === 'jql' ? titleWithoutQuery(text, selection.jql, 'of a filter') : text,
      typed,
    ),
    LENGTH,
  );
}

/** That each answer begins with the same day, and what moves along instead (mrkdwn); none where it moves. */
export function fixedBeginning(question: Question): readonly string[] {
  const isFixed = kindOf(question)
    .ranges(question)
    .some(({ when }) => when.by === 'dates');
  return isFixed
    ? [
        'It always starts on the same day, so it covers more days each time. For a time that moves, use `last 30 days`, `last week` or `this month`.',
      ]
    : [];
}

const moving = 'a time that moves (last 7 days, last week, this month)';

/**
 * Refuses what would be about the same days each time it is posted, where whoever typed it must think that they move: a week
 * by its number, days between two others, and a day that has a name only today. `typed` is the question in words.
 */
export function assertMovingDays(question: Question, typed: string): void {
  const kind = kindOf(question);
  const why = viewOf(question).fixedProblem?.(question) ?? null;
  if (why !== null) throw badRequest(why);
  for (const range of kind.ranges(question)) assertMovingRange(range, typed, question.timeZone);
}

function assertMovingRange({ when }: MovingRange, typed: string, timeZone: string): void {
  if (when.by !== 'dates') return;
  if (when.to !== null) {
    throw badRequest(`A digest would cover the same days each time. Try: ${moving}.`);
  }
  const [since, day = ''] = /\bsince (?:last )?(today|yesterday|\d+ days? ago|[a-z]+)/i.exec(typed) ?? [];
  const isNamed = /^(today|yesterday|\d.*)$/i.test(day) || indexOfName(weekdays, day) >= 0;
  if (since === undefined || !isNamed || when.from === null) return;
  const date = isoDay(dayAt(when.from, timeZone));
  throw badRequest(
    `"${since}" would be the same day each time the digest is posted. Try: ${moving}, or a fixed date (since ${date}).`,
  );
}
