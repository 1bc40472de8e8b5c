import fc from 'fast-check';

const [FIRST_HALF, HALVES, LAST] = [0xd800, 0x800, 0x10ffff];

/**
 * Any code point but halves of surrogate pairs, as the unit of a text: fast-check's own `binary`, without the list of all
 * million of them, which costs each process more than a second and 90 MB.
 */
export const anyCharacter = fc.nat(LAST - HALVES).map(
  (place) => String.fromCodePoint(place < FIRST_HALF ? place : place + HALVES),
  (character) => {
    const [point = -1, ...more] = [...String(character)].map((one) => one.codePointAt(0) ?? -1);
    const isHalf = point >= FIRST_HALF && point < FIRST_HALF + HALVES;
    if (typeof character !== 'string' || point < 0 || isHalf || more.length > 0)
      throw new Error('not a character');
    return point < FIRST_HALF ? point : point - HALVES;
  },
);
