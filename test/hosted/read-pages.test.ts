import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { keychainService } from '../../src/hosted/create-keychain-client.ts';
import { readPages } from '../../src/hosted/read-pages.ts';

const service = keychainService('https://jira.dwell.example', { kind: 'bearer', token: 'a-token' });

/** A list of so many entries, in pages of sizes that begin anew when they are used up; what is asked is written down. */
function listOf(
  length: number,
  { sizes, overstated = 0 }: { sizes: readonly number[]; overstated?: number },
) {
  const asked: number[] = [];
  let open = 0;
  let most = 0;
  return {
    asked,
    most: () => most,
    async page(startAt: number) {
      const size = sizes[asked.push(startAt) % sizes.length] ?? 1;
      open++;
      most = Math.max(most, open);
      await Promise.resolve();
      open--;
      const values = Array.from({ length: Math.max(0, Math.min(size, length - startAt)) }, (_, i) => ({
        id: startAt + i,
      }));
      return { values, total: length + overstated };
    },
  };
}

describe('a list in pages', () => {
  test('is read whole and in order, whatever the sizes of its pages, four at a time at most', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 200 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
        fc.nat({ max: 50 }),
        async (length, sizes, overstated) => {
          const { page, most } = listOf(length, { sizes, overstated });
          const entries = await readPages(page, service);
          expect(entries.map(({ id }) => id)).toEqual(Array.from({ length }, (_, id) => id));
          expect(most()).toBeLessThanOrEqual(4);
        },
      ),
    );
  });

  test('is asked for each page once, and for none beyond its total', async () => {
    const { page, asked, most } = listOf(950, { sizes: [100] });
    expect(await readPages(page, service)).toHaveLength(950);
    expect(asked).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    expect(most()).toBe(4);
  });

  test('may have a thousand pages', async () => {
    const { page, asked } = listOf(1000, { sizes: [1] });
    expect(await readPages(page, service)).toHaveLength(1000);
    expect(asked).toHaveLength(1000);
  });

  test('of more pages is no list', async () => {
    const { page, asked } = listOf(1001, { sizes: [1] });
    await expect(readPages(page, service)).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toHaveLength(1000);
  });

  test('has of an entry that comes twice the later word', async () => {
    const page = async (startAt: number) => ({ values: [{ id: Math.min(startAt, 1), startAt }], total: 3 });
    expect(await readPages(page, service)).toEqual([
      { id: 0, startAt: 0 },
      { id: 1, startAt: 2 },
    ]);
  });
});
