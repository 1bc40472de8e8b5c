/**
 * Order of the tracker's ids: numbers written as text by their value, so that 9 comes before 10, and all other
 * texts behind them. A total order, whatever ids are mixed.
 */
export function compareIds(a: string, b: string): number {
  const [numberA, numberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numberA !== numberB) return numberA ? -1 : 1;
  return (numberA ? compareNumbers(a, b) : 0) || compareText(a, b);
}

/** A text whose order by code unit is that of the ids: for sorting, where each id is compared many times. */
export function sortableId(id: string): string {
  if (!/^\d+$/.test(id)) return `b${id}`;
  const plain = id.replace(/^0+/, '');
  // If two numbers are equal, the one with fewer zeros in front comes last, as by code unit.
  return `a${String.fromCharCode(plain.length)}${plain} ${id}`;
}

/** Order of texts by code unit: the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNumbers(a: string, b: string): number {
  const [plainA, plainB] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return plainA.length - plainB.length || compareText(plainA, plainB);
}

/** A name for comparisons: case, blanks around it and the encoding of its accents do not distinguish names. */
export function foldedName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/**
 * A category's name for comparisons: other shapes of the same letters (full width, ligatures) and invisible
 * characters do not distinguish names either. User ids are compared more strictly: some differ in nothing else.
 */
export function foldedCategoryName(name: string): string {
  const seen = name.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return foldedName(seen);
}
