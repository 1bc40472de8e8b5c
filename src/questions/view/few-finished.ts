import type { Comparison } from '../../model/answer.ts';
import { type Said, say } from './wording.ts';

/** Of fewer issues, one more would change a median a lot. */
const FEW = 5;

/** What to think of sides with so few cycle times that chance decides; nothing where both have enough, or one has none. */
export function fewFinished({ titles, cycleTime }: Comparison): readonly Said[] {
  if (cycleTime.some(({ count }) => count === 0)) return [];
  const few = titles.filter((_, side) => (cycleTime[side]?.count ?? 0) < FEW);
  if (few.length === 0) return [];
  return [
    say(
      ({ strong }) =>
        `Few to compare: cycle times of fewer than ${FEW} issues of ${few.map(strong).join(' and of ')}. One more could change the median a lot; choose a longer time.`,
    ),
  ];
}
