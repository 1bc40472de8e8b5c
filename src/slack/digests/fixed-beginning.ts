import type { Question } from '../../model/question.ts';

/** That what is told begins with the same day each time, and what moves along instead (mrkdwn); none where it moves. */
export function fixedBeginning(question: Question): readonly string[] {
  switch (question.kind) {
    case 'report':
      return question.range?.when.by === 'dates' ? [sentence] : [];
    case 'compare':
      return question.sides.some(({ range }) => range?.when.by === 'dates') ? [sentence] : [];
    default:
      return [];
  }
}

const sentence =
  'The day it begins with stays, so each time it tells of more days. `last 30 days`, `last week` or `this month` in its place move along.';
