const LONGEST_NAME = 31;

/**
 * Gives out names of sheets as Excel allows them, each once whatever its case: 31 UTF-16 units, none of []:*?/\ and no
 * control characters, no apostrophe at either end, and not "History", which Excel keeps for itself.
 */
export function createSheetNames(): (wanted: string) => string {
  const taken = new Set(['history']);
  return (wanted) => {
    const plain = wanted.toWellFormed().replaceAll(/[[\]:*?/\\\p{Cc}]+/gu, ' ');
    const base = plain.replaceAll(/^[\s']+|[\s']+$/g, '') || 'Sheet';
    let name = cut(base, LONGEST_NAME);
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) {
      name = `${cut(base, LONGEST_NAME - 1 - String(number).length)} ${number}`;
    }
    taken.add(name.toLowerCase());
    return name;
  };
}

function cut(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/[\s']+$/, '');
}
