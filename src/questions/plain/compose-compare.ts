import { asLiteral } from '../parse/typed-words.ts';
import {
  type Composed,
  filterLine,
  isComparedStatistic,
  lineOf,
  mayBeName,
  rangeLine,
  type Said,
  saidIn,
} from './compose.ts';
import { type Found, isNegated } from './slots.ts';
import { composed, hourKinds, isIntent, narrowKinds, ofKinds } from './used-slots.ts';

/** Two of one kind that are compared, and everything they share. */
interface Sides {
  readonly sides: readonly [Found, Found];
  readonly shared: readonly Found[];
}

/** Two projects, times, people, sprints or values of one field that are said beside a word for comparing. */
export function sidesOf({ all, intents }: Said): Sides | null {
  if (!intents.has('compare')) return null;
  const isSide = ({ slot }: Found) =>
    ofKinds('range', 'project', 'person', 'sprint', 'value')(slot) &&
    !isNegated(slot) &&
    // The times in two statuses are of the same issues.
    !(slot.kind === 'value' && slot.field === 'status');
  const kindOf = ({ slot }: Found) => (slot.kind === 'value' ? `${slot.field}${slot.operator}` : slot.kind);
  const pairs = [...Map.groupBy(all.filter(isSide), kindOf).values()].filter((group) => group.length === 2);
  const at = all.find(({ slot }) => isIntent(slot, 'compare'))?.start ?? 0;
  const distance = (pair: readonly Found[]) => Math.min(...pair.map(({ start }) => Math.abs(start - at)));
  const [nearest] = pairs.toSorted((a, b) => distance(a) - distance(b));
  const [one, other] = nearest ?? [];
  return one === undefined || other === undefined
    ? null
    : { sides: [one, other], shared: all.filter((found) => found !== one && found !== other) };
}

/** Two sides beside each other. */
export function compareLine(said: Said, { sides, shared }: Sides): Composed {
  const { context, of, intents } = said;
  const status = of('value').find(({ field, operator }) => field === 'status' && operator === '=');
  const sideLine = (side: Found) => {
    const own = [...shared, side].filter(({ slot }) => slot !== status?.at.slot);
    const narrowing = own.flatMap(({ slot }) => (ofKinds(...narrowKinds)(slot) ? [slot] : []));
    const when = rangeLine(saidIn({ found: own, context }));
    return lineOf(filterLine(narrowing, mayBeName(when, context)), when);
  };
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  const measure = measureLine(said, status?.value);
  const everywhere = intents.has('everywhere') ? 'jql project is not EMPTY' : '';
  const [one, other] = sides.map((side) => lineOf(sideLine(side) || everywhere));
  const line = composed(
    lineOf('compare', one ?? '', 'with', other ?? '', measure, ...hours),
    said,
    (slot) =>
      ofKinds(...narrowKinds, ...hourKinds, 'range', 'sprintWord')(slot) ||
      (slot.kind === 'statistic' && isComparedStatistic(slot.words)) ||
      isIntent(slot, 'compare', 'better', 'cycle', 'trend', 'created', 'updated', 'open'),
    { most: 2 },
  );
  const isOther = of('statistic').some(({ words }) => !isComparedStatistic(words));
  return isOther ? { ...line, reason: 'Two sides are compared by average, median or p85.' } : line;
}

/** What two sides are compared by, as it is typed after them; empty where nothing is said of it. */
function measureLine({ of }: Said, status: string | undefined): string {
  const [statistic] = of('statistic').filter(({ words }) => isComparedStatistic(words));
  return lineOf(
    status === undefined ? '' : `time in ${asLiteral(status)}`,
    statistic === undefined ? '' : statistic.words,
  );
}

/** The running or last period that is said to be better than another; null where there is none. */
export function periodOf({ of, intents }: Said): string | null {
  const [range, ...others] = of('range');
  const [, period] = /^(?:this|last) (week|month|quarter|year)$/i.exec(range?.words ?? '') ?? [];
  const isCompared = intents.has('better') || intents.has('compare');
  // Of several of another kind it is them that are compared.
  const isOther =
    (['project', 'sprint', 'person'] as const).some((kind) => of(kind).length > 1) ||
    of('value').filter(({ field }) => field === 'status').length > 1;
  return isCompared && !isOther && others.length === 0 && period !== undefined ? period.toLowerCase() : null;
}

/** Whether one project is compared with nothing: two months of it are offered. */
export function lacksSide({ of, intents, all }: Said): boolean {
  return intents.has('compare') && of('project').length === 1 && all.length === 2;
}

/** The last period beside the running one. */
export function periodsLine(said: Said, period: string): Composed {
  const { of } = said;
  const status = of('value').find(({ field, operator }) => field === 'status' && operator === '=');
  const narrowing = said.all.flatMap(({ slot }) =>
    ofKinds(...narrowKinds)(slot) && slot !== status?.at.slot ? [slot] : [],
  );
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  const measure = measureLine(said, status?.value);
  return composed(
    lineOf('compare', filterLine(narrowing), `last ${period} with this ${period}`, measure, ...hours),
    said,
    (slot) =>
      ofKinds(...narrowKinds, ...hourKinds, 'range')(slot) ||
      (slot.kind === 'statistic' && isComparedStatistic(slot.words)) ||
      isIntent(slot, 'better', 'compare', 'cycle', 'trend', 'before'),
  );
}
