import { expect, test } from '#jest';
import { createPageSize, type Portion } from '../../../src/trackers/jira/issues-by-id.ts';
import { JiraOverload } from '../../../src/trackers/jira/jira-failures.ts';

/** Asks of a Jira that can bear so much; tells the sizes it was asked for. */
function asking(largest: number) {
  const portions = createPageSize(largest);
  const sizes: number[] = [];
  return {
    sizes,
    async ask(bears: number, atMost = largest): Promise<Portion> {
      return portions(atMost, async (portion) => {
        sizes.push(portion.size);
        if (portion.size > bears) throw new JiraOverload('Too much.');
        return portion;
      });
    },
  };
}

test('what is too much for Jira is halved until it is not, and that is remembered', async () => {
  const { ask, sizes } = asking(100);
  await ask(30);
  await ask(30);
  expect(sizes).toEqual([100, 50, 25, 25]);
});

test('ten good answers in a row let it grow again, to what it was at the most', async () => {
  const { ask, sizes } = asking(100);
  await ask(60);
  for (let i = 0; i < 20; i += 1) await ask(1000);
  expect(sizes.slice(1)).toEqual([
    ...Array.from({ length: 10 }, () => 50),
    ...Array.from({ length: 11 }, () => 100),
  ]);
});

test('a single one is asked for patiently, and its failure is told', async () => {
  const { ask, sizes } = asking(4);
  await expect(ask(0)).rejects.toThrow('Too much.');
  expect(sizes).toEqual([4, 2, 1]);
  expect(await ask(1)).toEqual({ size: 1, tries: undefined });
  expect(await asking(4).ask(4)).toEqual({ size: 4, tries: 'few' });
});

test('after a failure of even a single one it begins with as much as at first', async () => {
  const { ask, sizes } = asking(4);
  await expect(ask(0)).rejects.toThrow('Too much.');
  await ask(4);
  expect(sizes).toEqual([4, 2, 1, 4]);
});

test('fewer than it would dare are halved from what they are', async () => {
  const { ask, sizes } = asking(100);
  await ask(2, 5);
  expect(sizes).toEqual([5, 2]);
});

test('any other failure is told at once', async () => {
  const portions = createPageSize(100);
  const failing = portions(100, async () => {
    throw new Error('No.');
  });
  await expect(failing).rejects.toThrow('No.');
});
