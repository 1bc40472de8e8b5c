import type { Sign } from './values.ts';

/** Whether a comparison holds; `order` is negative, 0 or positive as the left side is less, equal or greater. */
export function holds(sign: Sign, order: number): boolean {
  switch (sign) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}
