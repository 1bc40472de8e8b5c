import type { Composed, Said } from './compose.ts';
import type { Slot } from './slots.ts';
import type { Wish } from './vocabulary.ts';

/** Slots whose words a line has used up. */
export type Uses = (slot: Slot) => boolean;

/** Slots that narrow the issues. */
export const narrowKinds: readonly Slot['kind'][] = ['project', 'person', 'sprint', 'value', 'clause'];
/** Slots that are figures, hours and units. */
export const figureKinds: readonly Slot['kind'][] = ['statistic', 'calendar', 'unit'];
/** Slots that are hours and units. */
export const hourKinds: readonly Slot['kind'][] = ['calendar', 'unit'];

/** Wishes that change nothing of a line on their own. */
const idle: ReadonlySet<Wish> = new Set([
  'how',
  'list',
  'count',
  'time',
  'take',
  'now',
  'everywhere',
  'finished',
  'people',
]);

/** A line, and what was said beside what it uses. */
export function composed(line: string, { all }: Said, uses: Uses, assumed: readonly string[] = []): Composed {
  const isIdle = (slot: Slot) => slot.kind === 'wish' && idle.has(slot.wish);
  return { line, unused: all.filter(({ slot }) => !isIdle(slot) && !uses(slot)), assumed };
}

/** The slots of some kinds. */
export function ofKinds(...kinds: readonly Slot['kind'][]): Uses {
  return ({ kind }) => kinds.includes(kind);
}

/** Whether a slot is one of some wishes. */
export function isWish(slot: Slot, ...wishes: readonly Wish[]): boolean {
  return slot.kind === 'wish' && wishes.includes(slot.wish);
}
