import { readdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from '#jest';
import { type BlobStore, MIN_READ_MS, type OpenBlob } from '../../src/store/blobs.ts';
import { closeShelves, kinds, onTable, PART, remoteKinds } from '../support/blob-shelves.ts';
import { runs } from '../support/soak.ts';

afterAll(closeShelves);

/** Writes a draft and puts it. */
async function put(blobs: BlobStore, name: string, content: string): Promise<void> {
  const draft = await blobs.draft(`${name}-${crypto.randomUUID()}`);
  writeFileSync(draft, content);
  await blobs.put(name, draft);
}

async function textOf(blob: OpenBlob, from = 0, to = blob.bytes): Promise<string> {
  const bytes = new Uint8Array(to - from);
  await blob.read(bytes, from);
  return Buffer.from(bytes).toString();
}

async function contentOf(blobs: BlobStore, name: string): Promise<string | null> {
  const blob = await blobs.open(name);
  if (blob === null) return null;
  try {
    return await textOf(blob);
  } finally {
    await blob.close();
  }
}

const noDraft = () => false;

describe.each(kinds)('blobs in $kind', ({ open }) => {
  test('have the content that was put, by name, and their drafts are gone', async () => {
    const { blobs, others, foreign, drafts } = await open();
    expect(await blobs.open('a-1.csv')).toBeNull();
    expect(await blobs.names()).toEqual([]);
    await put(blobs, 'a-1.csv', 'some rows that take more than a part');
    await put(blobs, 'empty', '');
    await put(others, 'b & <c>.xlsx', '12345678');
    expect(await contentOf(others, 'a-1.csv')).toBe('some rows that take more than a part');
    expect(await contentOf(blobs, 'empty')).toBe('');
    expect(await contentOf(blobs, 'b & <c>.xlsx')).toBe('12345678');
    expect([...(await others.names())].sort()).toEqual(['a-1.csv', 'b & <c>.xlsx', 'empty']);
    expect(await foreign.names()).toEqual([]);
    expect(await foreign.open('a-1.csv')).toBeNull();
    expect(readdirSync(drafts).filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('are read from any position, and fail where they end before', async () => {
    const { blobs } = await open();
    await put(blobs, 'a', '0123456789abcdefghij');
    const blob = await blobs.open('a');
    if (blob === null) throw new Error('It is there.');
    expect(blob.bytes).toBe(20);
    for (const [from, to] of [
      [7, 9],
      [0, 20],
      [19, 20],
      [8, 16],
      [3, 3],
    ] as const)
      expect(await textOf(blob, from, to)).toBe('0123456789abcdefghij'.slice(from, to));
    await expect(textOf(blob, 15, 21)).rejects.toThrow('ends too early');
    await blob.close();
  });

  test('that are open can be read to their end once they were replaced or removed', async () => {
    const { blobs, others, clock } = await open();
    await put(blobs, 'a', 'the first content of a');
    const first = await blobs.open('a');
    await put(others, 'a', 'the second');
    const second = await others.open('a');
    await others.remove('a');
    await others.remove('a');
    clock.now += MIN_READ_MS - 60_000;
    await others.sweepDrafts(noDraft);
    expect(await blobs.names()).toEqual([]);
    expect(await blobs.open('a')).toBeNull();
    if (first === null || second === null) throw new Error('Both were there.');
    expect(await textOf(first)).toBe('the first content of a');
    expect(await textOf(second)).toBe('the second');
    await first.close();
    await second.close();
  });

  test('are one of two that are put under a name at once', async () => {
    const { blobs, others } = await open();
    const contents = ['what one process has made', 'what the other one has made, which is longer'];
    await Promise.all([put(blobs, 'a', contents[0] ?? ''), put(others, 'a', contents[1] ?? '')]);
    expect(contents).toContain(await contentOf(blobs, 'a'));
    expect(await blobs.names()).toEqual(['a']);
  });

  test('have drafts that are discarded and swept by name and age', async () => {
    const { blobs, drafts } = await open();
    const [one, other] = [await blobs.draft('one'), await blobs.draft('other')];
    for (const path of [one, `${one}.beside`, other]) writeFileSync(path, 'x');
    await blobs.discard(one);
    expect(readdirSync(drafts)).toEqual(['other.part']);
    const seen: string[] = [];
    await blobs.sweepDrafts((name, ageMs) => seen.push(`${name} ${ageMs < 60_000}`) > 0);
    expect(seen).toEqual(['other true']);
    expect(readdirSync(drafts)).toEqual([]);
  });
});

describe.each(remoteKinds)('blobs in $kind', ({ open }) => {
  test('leave nothing of what was replaced, removed or killed an hour before', async () => {
    const { blobs, others, clock, stored, breakAfter, openUploads } = await open();
    const content = 'x'.repeat(5 * PART);
    await put(blobs, 'a', content);
    await put(blobs, 'a', 'the second');
    await put(blobs, 'b', content);
    await blobs.remove('b');
    for (let writes = 0; writes < 12; writes += 1) {
      breakAfter(writes);
      await put(blobs, 'killed', content).catch(() => {});
      breakAfter(null);
      expect([null, content]).toContain(await contentOf(others, 'killed'));
    }
    await others.remove('killed');
    // What was put long before it was replaced goes as well.
    clock.now += 2 * MIN_READ_MS;
    await others.sweepDrafts(noDraft);
    await put(blobs, 'a', 'the third');
    // What is left of uploads goes after a day.
    for (const ms of [MIN_READ_MS + 1, 86_400_000, 86_400_000]) {
      clock.now += ms;
      await others.sweepDrafts(noDraft);
    }
    expect(await stored()).toBe(1);
    expect(await contentOf(others, 'a')).toBe('the third');
    expect(openUploads()).toBe(0);
  });

  test('are whole, or the put fails, when its process sleeps for hours', async () => {
    const { blobs, others, clock, stored, interruptAfter } = await open();
    const content = 'y'.repeat(3 * PART);
    let refused = 0;
    for (let writes = 0; writes < 9; writes += 1) {
      const name = `slept-${writes}`;
      interruptAfter(writes, async () => {
        for (let sweeps = 0; sweeps < 3; sweeps += 1) {
          clock.now += 2 * MIN_READ_MS;
          await others.sweepDrafts(noDraft);
        }
      });
      const isPut = await put(blobs, name, content).then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ reason: 'store-unavailable' });
          return false;
        },
      );
      expect(await contentOf(others, name)).toBe(isPut ? content : null);
      expect((await others.names()).includes(name)).toBe(isPut);
      if (!isPut) refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
    for (const name of await others.names()) await others.remove(name);
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      clock.now += 2 * MIN_READ_MS;
      await others.sweepDrafts(noDraft);
    }
    expect(await stored()).toBe(0);
  });

  test('say where they were, when their bytes are gone', async () => {
    const { blobs, loseBytes } = await open();
    await put(blobs, 'a', 'some content');
    const blob = await blobs.open('a');
    await loseBytes();
    await expect(blob && textOf(blob)).rejects.toMatchObject({
      reason: 'store-unavailable',
      message: expect.stringMatching(/a.* was removed .*more than an hour ago\.$/),
    });
  });
});

test('a put that sleeps until a part of it was swept is refused', async () => {
  const { blobs, others, clock, interruptAfter } = await onTable();
  // A sweep is bounded: it does not take all of it.
  const parts = 300;
  interruptAfter(parts + 1, async () => {
    clock.now += 2 * MIN_READ_MS;
    await others.sweepDrafts(noDraft);
  });
  await expect(put(blobs, 'a', 'z'.repeat(parts * PART))).rejects.toMatchObject({
    reason: 'store-unavailable',
    message: 'A file was not stored: writing it stopped for more than an hour.',
  });
  expect(await others.names()).toEqual([]);
});

const steps = fc.array(
  fc.record({
    step: fc.constantFrom('put', 'put', 'open', 'read', 'remove', 'kill', 'rest', 'sweep'),
    name: fc.constantFrom('a', 'b', 'c'),
    length: fc.nat({ max: 4 * PART }),
    from: fc.nat({ max: 4 * PART }),
    nth: fc.nat({ max: 4 }),
    writes: fc.nat({ max: 9 }),
    isOther: fc.boolean(),
  }),
  { maxLength: 25 },
);

test.each(kinds)('whatever is done to blobs in $kind, each has what was put last', async ({ open }) => {
  await fc.assert(
    fc.asyncProperty(steps, async (done) => {
      const { blobs, others, clock, stored, breakAfter } = await open();
      const model = new Map<string, string>();
      const opened: { blob: OpenBlob; content: string; until: number }[] = [];
      let puts = 0;
      const newContent = (length: number) => {
        puts += 1;
        return String.fromCharCode(64 + puts).repeat(length);
      };
      for (const { step, name, length, from, nth, writes, isOther } of done) {
        const its = isOther ? others : blobs;
        if (step === 'put') {
          const content = newContent(length);
          await put(its, name, content);
          model.set(name, content);
        } else if (step === 'kill') {
          const content = newContent(length);
          breakAfter(writes);
          await put(blobs, name, content).catch(() => {});
          breakAfter(null);
          const left = await contentOf(others, name);
          expect([model.get(name) ?? null, content]).toContain(left);
          if (left !== null) model.set(name, left);
        } else if (step === 'open') {
          const blob = await its.open(name);
          expect(blob?.bytes).toBe(model.get(name)?.length);
          const content = model.get(name) ?? '';
          if (blob !== null) opened.push({ blob, content, until: clock.now + MIN_READ_MS });
        } else if (step === 'read') {
          const one = opened[nth];
          if (one === undefined || clock.now > one.until) continue;
          const start = Math.min(from, one.content.length);
          expect(await textOf(one.blob, start)).toBe(one.content.slice(start));
        } else if (step === 'remove') {
          await its.remove(name);
          model.delete(name);
        } else if (step === 'rest') clock.now += writes * 600_000;
        else await its.sweepDrafts(noDraft);
        expect([...(await its.names())].sort()).toEqual([...model.keys()].sort());
      }
      for (const { blob } of opened) await blob.close();
      for (const ms of [MIN_READ_MS + 1, 86_400_000, 86_400_000]) {
        clock.now += ms;
        await others.sweepDrafts(noDraft);
      }
      for (const [name, content] of model) expect(await contentOf(blobs, name)).toBe(content);
      const left = await stored();
      if (left !== null) expect(left).toBe(model.size);
    }),
    { numRuns: runs(12) },
  );
});
