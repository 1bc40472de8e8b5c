import { badRequest } from '../../model/error.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import { indexOfName, weekdays } from '../../time/day-words.ts';

const moving = 'last 7 days, last week, this month and the like, which move along';

/**
 * Refuses what would be the same days each time it is told, where whoever typed it must think that they move: a week by
 * its number, days between two others, and a day that has a name only today. `typed` is the question in words.
 */
export function refuseFixedDays(question: Question, typed: string): void {
  switch (question.kind) {
    case 'weekly':
      if (typeof question.week === 'number') {
        throw badRequest(
          'A digest would tell of that one week each time; allowed: last week, or this week, which move along.',
        );
      }
      return;
    case 'report':
      refuseRange(question.range, typed);
      return;
    case 'compare':
      for (const { range } of question.sides) refuseRange(range, typed);
  }
}

function refuseRange(range: MovingRange | null, typed: string): void {
  if (range?.when.by !== 'dates') return;
  if (range.when.to !== null) {
    throw badRequest(`A digest would tell of the same days between the two each time; allowed: ${moving}.`);
  }
  const [since, day = ''] = /\bsince (?:last )?(today|yesterday|\d+ days? ago|[a-z]+)/i.exec(typed) ?? [];
  const isNamed = /^(today|yesterday|\d.*)$/i.test(day) || indexOfName(weekdays, day) >= 0;
  if (since === undefined || !isNamed) return;
  throw badRequest(
    `'${since}' would stay the day that it is now, each time the digest is told; allowed: ${moving}, or since a date.`,
  );
}
