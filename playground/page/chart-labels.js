/** Wider labels are shortened before others are left out. */
const LONGEST = 12;
const LETTER_WIDTH = 7;
const GAP = 6;

/**
 * The labels of an axis that do not run into each other.
 * @param {string[]} categories
 * @param {number} band how wide one category is (px)
 * @param {number} keep the index of the one that is never left out
 * @returns {{index: number, text: string}[]}
 */
export function shownLabels(categories, band, keep) {
  const longest = Math.max(...categories.map((category) => category.length));
  const step = Math.max(1, Math.ceil((Math.min(longest, LONGEST) * LETTER_WIDTH + GAP) / band));
  return categories.flatMap((category, index) => {
    if ((index - keep) % step !== 0) return [];
    const isShortened = category.length > LONGEST && band * step < category.length * LETTER_WIDTH;
    return [{ index, text: isShortened ? `${category.slice(0, LONGEST - 1)}…` : category }];
  });
}
