import { readDay, type TypedDay } from '../../time/day-words.ts';
import { isoDay, minuteText } from '../../time/iso-dates.ts';

/** What was likely meant where a day stands without its word: the whole line, and the category in it. */
interface DaySuggestion {
  readonly category: string;
  readonly line: string;
}

/** Reads `[CATEGORY] DAY` behind the beginning of a line; null where no day stands there. */
export function suggestDay(
  text: string,
  { beginning, today }: { readonly beginning: string; readonly today: number },
): DaySuggestion | null {
  const words = text.split(' ');
  for (const i of words.keys()) {
    const typed = words.slice(i).join(' ');
    const day = readDay(typed, today);
    if (day === null) continue;
    const category = words.slice(0, i).join(' ');
    // Nobody says "on in 3 days".
    const said = /^in /i.test(typed) ? typedText(day) : typed;
    return { category, line: [beginning, ...words.slice(0, i), 'on', said].join(' ') };
  }
  return null;
}

function typedText({ day, time }: TypedDay): string {
  return time === null ? isoDay(day) : minuteText(day + time);
}
