/**
 * Order of the tracker's ids: numbers written as text by their value, so that 9 comes before 10, and all other
 * texts behind them. A total order, whatever ids are mixed.
 */
export function compareIds(a: string, b: string): number {
  const [numberA, numberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numberA !== numberB) return numberA ? -1 : 1;
  return (numberA ? compareNumbers(a, b) : 0) || compareText(a, b);
}

/** Order of texts by code unit: the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNumbers(a: string, b: string): number {
  const [plainA, plainB] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return plainA.length - plainB.length || compareText(plainA, plainB);
}
