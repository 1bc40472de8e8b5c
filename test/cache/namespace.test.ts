import fc from 'fast-check';
import { expect, test } from '#jest';
import { createNamespace, memo, singleFlight } from '../../src/cache/namespace.ts';
import { sharedTask, withTaskContext, yieldToOthers } from '../../src/concurrency/cooperative-yield.ts';

function open<Value>(declared: Partial<Parameters<typeof createNamespace<Value>>[0]> = {}) {
  const clock = { now: 1_000_000 };
  const namespace = createNamespace<Value>({
    ...{ name: 'test', ttlMs: 100, maxEntries: 10, now: () => clock.now },
    ...declared,
  });
  return { clock, namespace };
}

/** A making that is counted and can be ended by hand. */
function counted() {
  const begun: PromiseWithResolvers<number>[] = [];
  const make = () => {
    const one = Promise.withResolvers<number>();
    begun.push(one);
    return one.promise;
  };
  return { begun, make };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a value is good for its time to live, and made again after it', async () => {
  const { clock, namespace } = open<number>();
  let made = 0;
  const next = () => namespace.getOrMake('a', async () => ++made);
  expect(await next()).toBe(1);
  clock.now += 99;
  expect(await next()).toBe(1);
  clock.now += 1;
  expect(await namespace.get('a')).toBeUndefined();
  expect(await next()).toBe(2);
});

test('an entry from the future has expired, and counts again once its time has come', async () => {
  const { clock, namespace } = open<string>();
  await namespace.set('a', 'early');
  clock.now -= 1;
  expect(await namespace.get('a')).toBeUndefined();
  expect(await namespace.getOrMake('b', async () => 'made')).toBe('made');
  clock.now += 1;
  expect(await namespace.get('a')).toBe('early');
});

test('where so declared an entry from the future is good, and grows old all the same', async () => {
  const { clock, namespace } = open<string>({ fromFuture: 'good' });
  expect(await namespace.add('a', 'early')).toBe(true);
  clock.now -= 1_000;
  expect(await namespace.get('a')).toBe('early');
  expect(await namespace.add('a', 'late')).toBe(false);
  clock.now += 1_100;
  expect(await namespace.add('a', 'late')).toBe(true);
});

test('a value in the place of a good one is as old as that, and nothing is put where there is none', async () => {
  const { clock, namespace } = open<string>();
  await namespace.set('a', 'begun');
  clock.now += 60;
  await namespace.replace('a', 'over');
  await namespace.replace('b', 'over');
  expect([await namespace.get('a'), await namespace.get('b')]).toEqual(['over', undefined]);
  clock.now += 40;
  expect(await namespace.get('a')).toBeUndefined();
  await namespace.replace('a', 'over again');
  clock.now -= 40;
  expect(await namespace.get('a')).toBe('over');
});

test('what is good for ever stays so, wherever the clock is set', async () => {
  const { clock, namespace } = open<string>({ ttlMs: null });
  await namespace.set('a', 'chosen');
  clock.now = 0;
  expect(await namespace.get('a')).toBe('chosen');
  clock.now = Number.MAX_SAFE_INTEGER;
  expect(await namespace.get('a')).toBe('chosen');
});

test('a time to live can depend on the value; 0 is not remembered', async () => {
  const { clock, namespace } = open<number>({ ttlMs: (value) => value });
  await namespace.set('short', 10);
  await namespace.set('long', 50);
  expect(await namespace.getOrMake('never', async () => 0)).toBe(0);
  expect(await namespace.get('never')).toBeUndefined();
  clock.now += 10;
  expect(await namespace.get('short')).toBeUndefined();
  expect(await namespace.get('long')).toBe(50);
});

test('a principal may want a younger value, or one that is still right', async () => {
  const { clock, namespace } = open<number>();
  await namespace.set('a', 1);
  clock.now += 20;
  expect(await namespace.getOrMake('a', async () => 2, { youngerThanMs: 21 })).toBe(1);
  expect(await namespace.getOrMake('a', async () => 2, { youngerThanMs: 20 })).toBe(2);
  expect(await namespace.getOrMake('a', async () => 3, { isStill: (value) => value === 2 })).toBe(2);
  expect(await namespace.getOrMake('a', async () => 3, { isStill: (value) => value !== 2 })).toBe(3);
});

test('a value grows older from when it was asked for, or answered where so declared', async () => {
  for (const [ages, good] of [
    ['asked', undefined],
    ['answered', 7],
  ] as const) {
    const { clock, namespace } = open<number>({ ages });
    const { begun, make } = counted();
    const pending = namespace.getOrMake('a', make);
    await settled();
    clock.now += 60;
    begun[0]?.resolve(7);
    await pending;
    clock.now += 60;
    expect(await namespace.get('a')).toBe(good);
  }
});

test('several who ask at once wait for one making', async () => {
  const { namespace } = open<number>();
  const { begun, make } = counted();
  const pending = [1, 2, 3].map(() => namespace.getOrMake('a', make));
  const other = namespace.getOrMake('b', make);
  await settled();
  expect(begun).toHaveLength(2);
  const found = namespace.get('a');
  begun[0]?.resolve(7);
  begun[1]?.resolve(8);
  expect(await Promise.all([...pending, found, other])).toEqual([7, 7, 7, 7, 8]);
});

test('a failure meets everybody who waits for it, and is not remembered', async () => {
  const { namespace } = open<number>();
  const { begun, make } = counted();
  const pending = [1, 2].map(() => namespace.getOrMake('a', make));
  await settled();
  begun[0]?.reject(new Error('no'));
  expect(await Promise.allSettled(pending)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await namespace.getOrMake('a', async () => 2)).toBe(2);
});

test('what is deleted while it is being made is neither joined nor remembered', async () => {
  const { namespace } = open<number>();
  const { begun, make } = counted();
  const before = namespace.getOrMake('a', make);
  await settled();
  await namespace.delete('a');
  const after = namespace.getOrMake('a', make);
  await settled();
  begun[1]?.resolve(2);
  expect(await after).toBe(2);
  begun[0]?.resolve(1);
  expect(await before).toBe(1);
  expect(await namespace.get('a')).toBe(2);
});

test('a stale value is given at once while a new one is made', async () => {
  const { clock, namespace } = open<number>({ freshMs: 50 });
  await namespace.set('a', 1);
  const { begun, make } = counted();
  clock.now += 50;
  expect(await namespace.getOrMake('a', make)).toBe(1);
  expect(await namespace.getOrMake('a', make)).toBe(1);
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(2);
  await settled();
  expect(await namespace.getOrMake('a', make)).toBe(2);
  expect(begun).toHaveLength(1);
});

test('one who comes when it is too old waits for the renewal under way, and a failed one is tried again', async () => {
  const { clock, namespace } = open<number>({ freshMs: 50 });
  await namespace.set('a', 1);
  const { begun, make } = counted();
  clock.now += 60;
  expect(await namespace.getOrMake('a', make)).toBe(1);
  clock.now += 60;
  const waiting = namespace.getOrMake('a', make);
  await settled();
  begun[0]?.reject(new Error('unwell'));
  await expect(waiting).rejects.toThrow('unwell');
  expect(await namespace.getOrMake('a', async () => 3)).toBe(3);
  expect(begun).toHaveLength(1);
});

test('of several who add at once one succeeds, and after its time another may', async () => {
  const { clock, namespace } = open<string>();
  const added = await Promise.all(['a', 'b', 'c'].map((value) => namespace.add('key', value)));
  expect(added.toSorted()).toEqual([false, false, true]);
  expect(await namespace.get('key')).toBe(['a', 'b', 'c'][added.indexOf(true)]);
  clock.now += 100;
  expect(await namespace.add('key', 'd')).toBe(true);
});

test('changes follow one another, and one that fails changes nothing', async () => {
  const { namespace } = open<number>({ ttlMs: null });
  await Promise.all(Array.from({ length: 5 }, () => namespace.change('a', (before = 0) => before + 1)));
  const failing = namespace.change('a', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await namespace.get('a')).toBe(5);
});

test('values in memory stay the same objects', async () => {
  const { namespace } = open<{ readonly set: Set<string> }>();
  const value = { set: new Set(['a']) };
  await namespace.set('a', value);
  expect(await namespace.get('a')).toBe(value);
  expect(await namespace.values()).toEqual([value]);
});

test('whatever happens, no value is given outside its time, and there are never too many', async () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: -150, max: 150 }) }),
    fc.record({ kind: fc.constantFrom('set' as const, 'get' as const, 'delete' as const), key }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, namespace } = open<number>({ maxEntries: 3 });
      const written = new Map<string, number>();
      for (const one of steps) {
        if (one.kind === 'wait') clock.now += one.ms;
        else if (one.kind === 'set') {
          await namespace.set(one.key, clock.now);
          written.delete(one.key);
          written.set(one.key, clock.now);
          for (const oldest of written.keys().take(Math.max(0, written.size - 3))) written.delete(oldest);
        } else if (one.kind === 'delete') {
          await namespace.delete(one.key);
          written.delete(one.key);
        } else {
          const at = written.get(one.key);
          const isGood = at !== undefined && at <= clock.now && clock.now - at < 100;
          expect(await namespace.get(one.key)).toBe(isGood ? at : undefined);
        }
      }
    }),
  );
});

test('a value is made once for an object, and is the same from then on', () => {
  let made = 0;
  const sizeOf = memo((list: readonly string[]) => {
    made += 1;
    return { size: list.length };
  });
  const [one, equal] = [['a'], ['a']];
  expect(sizeOf(one)).toBe(sizeOf(one));
  expect(sizeOf(equal)).not.toBe(sizeOf(one));
  expect(made).toBe(2);
});

test('of other keys those that came last are known, and a value may be undefined', () => {
  const made: string[] = [];
  const nothing = memo((key: string, by: string): undefined => void made.push(`${key} by ${by}`), 2);
  for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) nothing(key, 'me');
  expect(made).toEqual(['a by me', 'b by me', 'c by me', 'a by me']);
});

test('a revision is known until another comes, and what fails is tried again', () => {
  let made = 0;
  const at = memo((revision: number) => {
    made += 1;
    if (made === 1) throw new Error('busy');
    return revision;
  });
  expect(() => at(1)).toThrow('busy');
  expect([at(1), at(1), at(2), at(1)]).toEqual([1, 1, 2, 1]);
  expect(made).toBe(4);
});

test('work is begun once for all who ask while it is under way, and again after that', async () => {
  const flights = singleFlight<number>();
  let begun = 0;
  const work = async () => ++begun;
  expect(flights.joined('a')).toBeNull();
  expect(await Promise.all([flights.run('a', work), flights.run('a', work)])).toEqual([1, 1]);
  expect(flights.joined('a')).toBeNull();
  expect(await flights.run('a', work)).toBe(2);
});

test('work that is dropped ends for those who wait, and knows that it no longer counts', async () => {
  const flights = singleFlight<boolean>();
  const gate = Promise.withResolvers<void>();
  const dropped = flights.run('a', async (isCurrent) => {
    await gate.promise;
    return isCurrent();
  });
  await settled();
  flights.drop('a');
  const other = flights.run('a', async (isCurrent) => isCurrent());
  gate.resolve();
  expect(await Promise.all([dropped, other])).toEqual([false, true]);
});

test('where work is shared by who waits, one who leaves leaves alone, and the last ends it', async () => {
  const values = createNamespace<number>({
    ...{ name: 'shared', ttlMs: 100, maxEntries: 10, now: () => 0, share: sharedTask },
  });
  const gates: PromiseWithResolvers<number>[] = [];
  const make = () => {
    const gate = Promise.withResolvers<number>();
    gates.push(gate);
    return gate.promise;
  };
  const principal = () => {
    const leaving = new AbortController();
    const work = { owner: '', signal: leaving.signal };
    const pending = withTaskContext(work, () => values.getOrMake('a', make));
    const outcome = pending.then(String, (error: Error) => error.message);
    return { outcome, leave: () => leaving.abort(new Error('left')) };
  };
  const [one, other] = [principal(), principal()];
  await settled();
  one.leave();
  expect(await one.outcome).toBe('left');
  gates[0]?.resolve(1);
  expect(await other.outcome).toBe('1');
  expect(await values.get('a')).toBe(1);

  await values.delete('a');
  const last = principal();
  await settled();
  last.leave();
  expect(await last.outcome).toBe('left');
  const next = principal();
  await settled();
  gates[2]?.resolve(3);
  expect(await next.outcome).toBe('3');
});

test('one who asks first and leaves does not fail those who joined', async () => {
  const values = createNamespace<number>({ name: 'joined', ttlMs: 100, maxEntries: 10, now: () => 0 });
  const leaving = new AbortController();
  const make = async () => {
    for (let turn = 0; turn < 10; turn += 1) await yieldToOthers();
    return 5;
  };
  const first = withTaskContext({ signal: leaving.signal }, () => values.getOrMake('a', make));
  const joined = values.getOrMake('a', make);
  await settled();
  leaving.abort(new Error('left'));
  expect(await Promise.allSettled([first, joined])).toMatchObject([{ value: 5 }, { value: 5 }]);
});
