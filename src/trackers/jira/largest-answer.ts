/** In bytes, unpacked. */
export const LARGEST_ANSWER = 200_000_000;
