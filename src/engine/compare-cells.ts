import { compareIds, compareText } from '../issues/ids-and-names.ts';
import type { Cell } from '../model/table.ts';

/** Order of cells for people: numbers by value, texts without regard to case, absent ones last. A total order. */
export function compareCells(a: Cell | undefined, b: Cell | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a.value === 'number' && typeof b.value === 'number') return a.value - b.value;
  const [textA, textB] = [String(a.value), String(b.value)];
  const [numberA, numberB] = [numberOf(textA), numberOf(textB)];
  if (numberA !== null && numberB !== null && numberA !== numberB) return numberA - numberB;
  return (
    compareIds(textA.toLowerCase(), textB.toLowerCase()) ||
    compareText(textA, textB) ||
    compareText(a.id ?? '', b.id ?? '')
  );
}

/** Plain numbers are told as text, too. */
function numberOf(text: string): number | null {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}
