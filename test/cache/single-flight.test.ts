import { expect, test } from '#jest';
import { createNamespace, singleFlight } from '../../src/cache/namespace.ts';
import { sharedTask, withTaskContext, yieldToOthers } from '../../src/concurrency/cooperative-yield.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

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
    ...{ name: 'shared', ttlMs: 100, most: 10, now: () => 0, share: sharedTask },
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
    const asked = withTaskContext(work, () => values.getOrMake('a', make));
    const outcome = asked.then(String, (error: Error) => error.message);
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
  const values = createNamespace<number>({ name: 'joined', ttlMs: 100, most: 10, now: () => 0 });
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
