import { nearestOf } from './nearest-of.ts';

/** More suggestions nobody weighs against each other. */
const MOST = 5;
/** Shorter texts are part of too much. */
const SHORTEST = 3;

/** The one name that a text is part of, whatever its case; null where none or several are. */
export function onlyMeant(typed: string, names: readonly string[]): string | null {
  const [only, ...others] = namesWith(typed, names);
  return only === undefined || others.length > 0 ? null : only;
}

/** What may have been meant by a text that is no name: those it is part of, else the nearest; at most five. */
export function namesMeant(typed: string, names: readonly string[]): readonly string[] {
  const found = namesWith(typed, names);
  if (found.length > 0) return found.slice(0, MOST);
  const near = nearestOf(typed, names);
  return near === null ? [] : [near];
}

/** Asks whether one of some names was meant, in at most one sentence. */
export function didYouMean(typed: string, names: readonly string[]): readonly string[] {
  const meant = namesMeant(typed, names).map((name) => `'${name}'`);
  return meant.length === 0 ? [] : [`Did you mean ${inWords(meant)}?`];
}

function inWords(quoted: readonly string[]): string {
  const last = quoted.at(-1) ?? '';
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${last}` : last;
}

/** Whole words come first: `Sprint 1` does not mean `WEB Sprint 10`. */
function namesWith(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted.length < SHORTEST) return [];
  const parted = [...new Set(names)].filter((name) => name.toLowerCase().includes(wanted));
  const whole = parted.filter((name) => holdsWords(name.toLowerCase(), wanted));
  return whole.length > 0 ? whole : parted;
}

function holdsWords(name: string, wanted: string): boolean {
  const inWord = /[\p{L}\p{N}]/u;
  for (let at = name.indexOf(wanted); at >= 0; at = name.indexOf(wanted, at + 1)) {
    const [before, behind] = [name[at - 1] ?? ' ', name[at + wanted.length] ?? ' '];
    if (!inWord.test(before) && !inWord.test(behind)) return true;
  }
  return false;
}
