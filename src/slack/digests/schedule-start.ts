import { indexOfName, weekdays } from '../../time/day-words.ts';

/** Words that begin a schedule wherever they stand. */
const begins = /^(every|cron|daily|hourly|(week|work|mon|tues|wednes|thurs|fri|satur|sun)days)$/;

const order = /^(first|second|third|fourth|last|1st|2nd|3rd|4th)$/;

/**
 * Where a schedule begins in a line that ends with it, of words in lower case; -1 where none does. What is asked stands
 * before it, and may hold such words too: the last ones count.
 */
export function scheduleStart(words: readonly string[]): number {
  const plain = words.findLastIndex((word, i) => begins.test(word) && !endsMonths(words, i));
  const ordered = words.findLastIndex((_, i) => isDayOfMonth(words, i));
  const between = words.slice(plain + 1, Math.max(plain + 1, ordered)).join(' ');
  const isOne = plain >= 0 && /^(month,?( on)?( the)?)?$/.test(between);
  const begin = isOne ? plain : Math.max(plain, ordered);
  if (begin >= 0) return withLeadBefore(words, begin);
  return words.findLastIndex(
    (word, i) => word === 'on' && words[i + 1] === 'the' && words[i + 2] !== undefined,
  );
}

/** The `every` of `of every month`. */
function endsMonths(words: readonly string[], at: number): boolean {
  return words[at] === 'every' && words[at + 1] === 'month' && /^(of|in)$/.test(words[at - 1] ?? '');
}

/** `first monday of`, `last day of` */
function isDayOfMonth(words: readonly string[], at: number): boolean {
  const [which = '', day = '', of = ''] = words.slice(at, at + 3);
  return order.test(which) && /^(of|in)$/.test(of) && (day === 'day' || indexOfName(weekdays, day) >= 0);
}

/** `on the` belongs to what follows it. */
function withLeadBefore(words: readonly string[], begin: number): number {
  const article = words[begin - 1] === 'the' ? begin - 1 : begin;
  return words[article - 1] === 'on' ? article - 1 : article;
}
