import type { Composed, Said } from './compose.ts';
import type { Found, Slot } from './slots.ts';
import type { Intent } from './vocabulary.ts';

/** Slots whose words a line has used up. */
export type Uses = (slot: Slot) => boolean;

/** Slots that narrow the issues. */
export const narrowKinds: readonly Slot['kind'][] = ['project', 'person', 'sprint', 'value', 'clause'];
/** Slots that are figures, hours and units. */
export const figureKinds: readonly Slot['kind'][] = ['statistic', 'calendar', 'unit'];
/** Slots that are hours and units. */
export const hourKinds: readonly Slot['kind'][] = ['calendar', 'unit'];

/** Intents that change nothing of a line on their own. */
const idle: ReadonlySet<Intent> = new Set([
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

/** Slots of which a line has one: of several the others are not overlooked. */
const single: readonly Slot['kind'][] = ['range', 'sprintWord', 'statistic', 'calendar', 'unit', 'change'];

/** A line, and what was said beside what it uses. `most` is how many times it can have. */
export function composed(
  line: string,
  { all }: Said,
  uses: Uses,
  { assumed = [], most = 1 }: { readonly assumed?: readonly string[]; readonly most?: number } = {},
): Composed {
  const isIdle = (slot: Slot) => slot.kind === 'intent' && idle.has(slot.intent);
  const isMore = ({ slot }: Found) => {
    const same = all.filter((one) => one.slot.kind === slot.kind).map((one) => one.slot);
    return single.includes(slot.kind) && same.indexOf(slot) >= (slot.kind === 'range' ? most : 1);
  };
  return {
    line,
    unused: all.filter((one) => isMore(one) || (!isIdle(one.slot) && !uses(one.slot))),
    assumed,
  };
}

/** The slots of some kinds. */
export function ofKinds(...kinds: readonly Slot['kind'][]): Uses {
  return ({ kind }) => kinds.includes(kind);
}

/** Whether a slot is one of some intents. */
export function isIntent(slot: Slot, ...intents: readonly Intent[]): boolean {
  return slot.kind === 'intent' && intents.includes(slot.intent);
}

/** What asks for a list of finished issues, where nothing else does. */
export const asList: readonly Found[] = (['list', 'finished'] as const).map((intent) => ({
  slot: { kind: 'intent', intent },
  start: 0,
  end: 0,
}));
