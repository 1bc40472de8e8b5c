import { expect, test } from '#jest';
import { createReadiness } from '../../src/compose/readiness.ts';

test('a store that does not answer is a reason to wait, and is asked once at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  let probes = 0;
  const { waitingFor } = createReadiness({
    now: () => 0,
    aheadMs: () => 0,
    probe() {
      probes += 1;
      return promise;
    },
    wait: async () => {},
  });
  expect(await Promise.all([waitingFor(), waitingFor()])).toEqual(
    Array(2).fill('the store, which does not answer in time'),
  );
  resolve(null);
  await new Promise(setImmediate);
  expect(await waitingFor()).toBeNull();
  expect(probes).toBe(1);
});
