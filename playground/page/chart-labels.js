/** Wider labels are shortened before others are left out. */
const LONGEST = 12;
const LETTER_WIDTH = 7;
const GAP = 6;

/**
 * The labels of an axis that neither run into each other nor over its right end.
 * @param {string[]} categories
 * @param {{band: number, right: number}} axis how wide one category is, and the room right of the last one (px)
 * @param {number} keep the index of the one that is never left out
 * @returns {{index: number, text: string, back: number}[]} `back`: how far left of its middle a label is (px)
 */
export function shownLabels(categories, { band, right }, keep) {
  const longest = Math.max(...categories.map((category) => category.length));
  const wide = Math.min(longest, LONGEST) * LETTER_WIDTH;
  // The last label may have to give way to the left.
  const over = Math.max(0, (wide - band) / 2 - right);
  const step = wide + GAP <= band ? 1 : Math.ceil((wide + GAP + over) / band);
  return categories.flatMap((category, index) => {
    if ((index - keep) % step !== 0) return [];
    const isShortened = category.length > LONGEST && band * step < category.length * LETTER_WIDTH;
    const text = isShortened ? `${category.slice(0, LONGEST - 1)}…` : category;
    const room = band * (categories.length - index - 0.5) + right;
    return [{ index, text, back: Math.max(0, (text.length * LETTER_WIDTH) / 2 - room) }];
  });
}
