const SLOTS = 2 ** 20;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Whether a text was asked about before. */
export type MetBefore = (text: string) => boolean;

/**
 * Tells whether a text was asked about before, in bounded memory: now and then it forgets one, and once in some
 * thousand millions it takes one for another. What comes only once need not be remembered for its own sake.
 */
export function createMetBefore(): MetBefore {
  const marks = new Uint32Array(SLOTS);
  return (text) => {
    let hash = FNV_START;
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
    const mark = hash >>> 0 || 1;
    const slot = (mark ^ (mark >>> 12)) & (SLOTS - 1);
    if (marks[slot] === mark) return true;
    marks[slot] = mark;
    return false;
  };
}
