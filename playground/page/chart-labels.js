/** Wider labels are shortened before others are left out. */
const LONGEST = 12;
const LETTER_WIDTH = 6.5;
const GAP = 6;

/**
 * The labels of an axis that neither run into each other nor over its right end.
 * @param {string[]} categories
 * @param {{band: number, right: number}} axis how wide one category is, and the room right of the last one (px)
 * @param {number} keep the index of the one that is never left out
 * @returns {{index: number, text: string, middle: number}[]} `middle` is counted from the start of the axis (px)
 */
export function shownLabels(categories, { band, right }, keep) {
  const end = band * categories.length + right;
  const longest = Math.max(...categories.map((category) => category.length));
  const step = Math.max(1, Math.ceil((Math.min(longest, LONGEST) * LETTER_WIDTH + GAP) / band));
  const all = categories.map((category, index) => {
    const isShortened = category.length > LONGEST && band * step < category.length * LETTER_WIDTH;
    const text = isShortened ? `${category.slice(0, LONGEST - 1)}…` : category;
    const half = (text.length * LETTER_WIDTH) / 2;
    return { index, text, half, middle: Math.min(band * (index + 0.5), end - half) };
  });
  const shown = [all[keep]];
  for (const label of all.slice(keep + 1)) if (fits(shown.at(-1), label)) shown.push(label);
  for (const label of all.slice(0, keep).reverse()) if (fits(label, shown[0])) shown.unshift(label);
  return shown.map(({ index, text, middle }) => ({ index, text, middle }));
}

function fits(before, after) {
  return after.middle - after.half - (before.middle + before.half) >= GAP;
}
