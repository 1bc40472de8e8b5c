/** How near to the end (px) one reads the end. */
const NEAR_END = 40;
/** Scroll positions are whole pixels on some screens. */
const ROUNDING = 2;

/**
 * Scrolls a list along with its messages while one reads its end. A message that is higher than the list is shown from its
 * first line.
 * @param {{scrollTop: number, scrollHeight: number, clientHeight: number}} scroller
 * @param {(ts: string) => number | undefined} topOf how far below the top of the list's content a message begins
 */
export function followNewest(scroller, topOf) {
  let follows = true;
  let newest;
  let placed;
  return {
    follow,

    /** To the end, whatever was read before. */
    toEnd() {
      follows = true;
      newest = undefined;
      follow();
    },

    /** A new message. One's own, and answers to them, come into view wherever one reads. */
    added(ts, own) {
      follows ||= own;
      if (follows) newest = ts;
      follow();
    },

    /** The list was scrolled: by its reader, unless it is where it was placed. */
    scrolled() {
      if (placed !== undefined && Math.abs(scroller.scrollTop - placed) < ROUNDING) return;
      placed = undefined;
      newest = undefined;
      follows = end() - scroller.scrollTop < NEAR_END;
    },
  };

  /** Charts and pictures are drawn after their message, so this is done again whenever the height changes. */
  function follow() {
    if (!follows) return;
    const top = newest === undefined ? undefined : topOf(newest);
    placed = Math.max(0, Math.floor(Math.min(end(), top ?? end())));
    scroller.scrollTop = placed;
  }

  function end() {
    return scroller.scrollHeight - scroller.clientHeight;
  }
}
