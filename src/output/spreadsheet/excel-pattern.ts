import { type PatternPart, patternParts } from '../../time/java-dates.ts';

/** What a letter of Java becomes, by how often it is repeated; null where Excel has nothing that shows the same. */
const codes: Readonly<Record<string, (count: number) => string | null>> = {
  y: (count) => (count === 2 ? 'yy' : count <= 4 ? 'yyyy' : null),
  M: month,
  L: month,
  d: twoAtMost('d'),
  E: (count) => (count < 4 ? 'ddd' : 'dddd'),
  H: twoAtMost('h'),
  // Midnight as 24 or as 0 AM has no code; 0 and 12 AM are the same moment.
  k: twoAtMost('h'),
  h: twoAtMost('h'),
  K: twoAtMost('h'),
  m: twoAtMost('m'),
  s: twoAtMost('s'),
  S: (count) => (count === 3 ? '.000' : null),
  a: () => 'AM/PM',
};

/** A format longer than that is none in any version of Excel. */
const LONGEST_CODE = 255;

/**
 * The number format that shows a date as a Java pattern does; null when there is none. Names of months and days are
 * English everywhere, as Java's are here.
 */
export function excelPattern(pattern: string): string | null {
  const all = patternParts(pattern);
  const letters = all.flatMap(({ letter }, at) => (letter === null ? [] : [at]));
  if (letters.length === 0 || !fits(all)) return null;
  let code = all.some(isWord) ? '[$-409]' : '';
  for (const [at, part] of all.entries()) {
    const { letter, text } = part;
    const own = letter === null ? literal(text, all[at + 1]) : (codes[letter]?.(text.length) ?? null);
    if (own === null || misread(all, letters, at)) return null;
    code += own;
  }
  return code.length > LONGEST_CODE ? null : code;
}

function month(count: number): string {
  return 'm'.repeat(Math.min(count, 4));
}

function twoAtMost(code: string): (count: number) => string | null {
  return (count) => (count > 2 ? null : code.repeat(count));
}

/** With AM/PM Excel counts hours to 12, without it to 24. */
function fits(all: readonly PatternPart[]): boolean {
  const has = (...wanted: string[]) => all.some(({ letter }) => letter !== null && wanted.includes(letter));
  return has('a') ? !has('H', 'k') : !has('h', 'K');
}

function isWord({ letter, text }: PatternPart): boolean {
  return letter === 'a' || letter === 'E' || ((letter === 'M' || letter === 'L') && text.length > 2);
}

/** Excel takes m and mm for minutes right behind hours or before seconds, and for the month everywhere else. */
function misread(all: readonly PatternPart[], letters: readonly number[], at: number): boolean {
  const { letter, text } = all[at] ?? { letter: null, text: '' };
  const place = letters.indexOf(at);
  const before = all[letters[place - 1] ?? -1]?.letter ?? '';
  const after = all[letters[place + 1] ?? -1]?.letter ?? '';
  if (letter === 'S') return !(before === 's' && isDecimalSign(all[at - 1]) && letters[place - 1] === at - 2);
  const asMinutes = /[HkhK]/.test(before) || after === 's';
  if (letter === 'm') return !asMinutes;
  return (letter === 'M' || letter === 'L') && text.length < 3 && asMinutes;
}

function isDecimalSign(part: PatternPart | undefined): boolean {
  return part?.letter === null && (part.text === '.' || part.text === ',');
}

/** The decimal sign of seconds is part of their code, and is the reader's own. */
function literal(text: string, next: PatternPart | undefined): string | null {
  if (next?.letter === 'S' && isDecimalSign({ letter: null, text })) return '';
  if (/\p{Cc}/u.test(text)) return null;
  return text.replaceAll(/[^ :-]+/g, (run) =>
    run.length === 1 || run.includes('"') ? run.replaceAll(/./gu, '\\$&') : `"${run}"`,
  );
}
