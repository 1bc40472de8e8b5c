import { isDeepStrictEqual } from 'node:util';
import { asLiteral } from '../../../api/reporting/query-text.ts';
import {
  type Composed,
  composed,
  contentOf,
  filterLine,
  hourKinds,
  isComparedStatistic,
  lineOf,
  mayBeName,
  narrowing,
  narrowKinds,
  rangeLine,
  type SentenceContent,
  statusesOf,
  tailsLine,
} from './compose.ts';
import { type Found, isNegated, using } from './slots.ts';

/** Two of one kind that are compared, everything they share, and what differs besides. */
interface Sides {
  readonly sides: readonly [Found, Found];
  readonly shared: readonly Found[];
  readonly others: readonly Found[];
}

/** Two projects, times, people, sprints or values of one field that are said beside a word for comparing. */
export function sidesOf({ all, asks }: SentenceContent): Sides | null {
  if (!asks('compare')) return null;
  const isOfSide = using('range', 'project', 'person', 'sprint', 'value');
  const isSide = ({ slot }: Found) =>
    isOfSide(slot) &&
    !isNegated(slot) &&
    // The times in two statuses are of the same issues.
    !(slot.kind === 'value' && slot.field === 'status');
  const kindOf = ({ slot }: Found) => (slot.kind === 'value' ? `${slot.field}${slot.operator}` : slot.kind);
  const pairs = [...Map.groupBy(all.filter(isSide), kindOf).values()].filter(
    ([one, other, ...more]) =>
      other !== undefined && more.length === 0 && !isDeepStrictEqual(one?.slot, other.slot),
  );
  const at = all.find(({ slot }) => using('compare')(slot))?.start ?? 0;
  const distance = (pair: readonly Found[]) => Math.min(...pair.map(({ start }) => Math.abs(start - at)));
  const [nearest, ...more] = pairs.toSorted((a, b) => distance(a) - distance(b));
  const [one, other] = nearest ?? [];
  if (one === undefined || other === undefined) return null;
  // `WEB and APP` are both on both sides; a bug here and a story there is one each.
  const others = more
    .filter(([first, second]) => first?.slot.kind === 'range' || (second?.start ?? 0) - (first?.end ?? 0) > 1)
    .flat();
  const shared = all.filter((found) => found !== one && found !== other && !others.includes(found));
  return { sides: [one, other], shared, others };
}

/** Two sides beside each other. */
export function compareLine(content: SentenceContent, { sides, shared, others }: Sides): Composed {
  const { context, of, intents } = content;
  const lines = sides.map((side) => {
    const own = contentOf({ found: [...shared, side], context });
    const when = rangeLine(own);
    const issues = filterLine({ intents }, narrowing(own, statusesOf(content)), mayBeName(when, context));
    return lineOf(issues, when);
  });
  const line = measured(content, `compare ${lines.join(' with ')}`, 2, others);
  const isOther = of('statistic').some(({ words }) => !isComparedStatistic(words));
  return isOther ? { ...line, reason: 'Two sides are compared by average, median or p85.' } : line;
}

/** The running or last period that is said to be better than another; null where there is none. */
export function periodOf(content: SentenceContent): string | null {
  const { of, asks } = content;
  const [range, ...others] = of('range');
  const [, period] = /^(?:this|last) (week|month|quarter|year)$/i.exec(range?.words ?? '') ?? [];
  // Several projects, sprints, people or statuses are compared themselves, and not the periods.
  const isOther = [of('project'), of('sprint'), of('person'), statusesOf(content)].some(
    (some) => some.length > 1,
  );
  return asks('better', 'compare') && !isOther && others.length === 0 && period !== undefined
    ? period.toLowerCase()
    : null;
}

/** True if one project is compared with nothing: two months of it are offered. */
export function lacksSide({ of, asks, all }: SentenceContent): boolean {
  return asks('compare') && of('project').length === 1 && all.length === 2;
}

/** The last period beside the running one. */
export function periodsLine(content: SentenceContent, period: string): Composed {
  const issues = filterLine(content, narrowing(content, statusesOf(content)));
  return measured(content, lineOf('compare', issues, `last ${period} with this ${period}`), 1);
}

/** A comparison with what its sides are compared by. `ranges` is how many times it has: two that are named, or a period. */
function measured(
  content: SentenceContent,
  line: string,
  ranges: number,
  others: readonly Found[] = [],
): Composed {
  const [status, ...statuses] = statusesOf(content);
  const statistic = content.of('statistic').find(({ words }) => isComparedStatistic(words));
  const measure = status === undefined ? '' : `time in ${asLiteral(status.value)}`;
  const isUsed = using(
    ...([...narrowKinds, ...hourKinds, 'range', 'compare', 'better', 'cycle', 'trend', 'before'] as const),
    ...(ranges === 2 ? (['sprintWord', 'created', 'updated', 'open'] as const) : []),
  );
  return composed(
    lineOf(line, measure, statistic?.words ?? '', tailsLine(content, ...hourKinds)),
    content,
    (slot) => isUsed(slot) || (slot.kind === 'statistic' && isComparedStatistic(slot.words)),
    { ranges, others: [...others, ...statuses.map(({ at }) => at)] },
  );
}
