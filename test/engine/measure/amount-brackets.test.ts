import { expect, test } from '#jest';
import {
  SAMPLING,
  sampledBrackets,
  widerBrackets,
} from '../../../src/engine/measure/kernels/amount-brackets.ts';
import type { KernelFigures } from '../../../src/engine/measure/kernels/join-cells.ts';

/** What a kernel finds of amounts that are all in one cell, with the bracket it was given. */
function figuresOf(amounts: readonly number[], low: number, high: number): KernelFigures {
  const inside = amounts.filter((amount) => amount >= low && amount <= high);
  const none = new Uint32Array();
  return {
    found: {
      ...{ cells: Float64Array.of(0), counts: Uint32Array.of(amounts.length), sums: new Float64Array(1) },
      ...{ lostSums: new Float64Array(1), visits: new Float64Array(1), uncertain: new Uint32Array(1) },
      ...{ observed: new Uint8Array(1), first: new Uint32Array(1), firstStatus: none, firstOther: none },
      ...{ issues: Uint32Array.of(amounts.length), unknown: new Uint32Array(1), fallback: none },
      ...{ others: new Float64Array(), amounts: null },
    },
    amounts: {
      ...{ squares: new Float64Array(4), below: Uint32Array.of(amounts.filter((one) => one < low).length) },
      ...{ inside: Uint32Array.of(inside.length), values: Float64Array.from(inside) },
      ...{
        starts: Float64Array.of(0, inside.length),
        low: Float64Array.of(low),
        high: Float64Array.of(high),
      },
      release() {},
    },
  };
}

test.each([0, 0.01, 50, 99.99, 100])(
  'one pass finds percentile %d, wherever the sample has it',
  async (percent) => {
    // No sample at even distances has the least and the greatest.
    const amounts = Array.from({ length: 50_000 }, (_, i) => (i * 7_919 + 1_234) % 49_999);
    const percents = [percent];
    const rows = { rows: Uint32Array.from(amounts), groups: null };
    const brackets = await sampledBrackets(rows, { percents, sampling: SAMPLING }, async (sample) =>
      figuresOf([...sample.rows], Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    );
    const [low = 0, high = 0] = [brackets.low[0], brackets.high[0]];
    const figures = figuresOf(amounts, low, high);
    expect(widerBrackets(brackets, figures, percents)).toBeNull();
    expect(figures.amounts?.values.length).toBeLessThan(amounts.length / 3);
  },
);
