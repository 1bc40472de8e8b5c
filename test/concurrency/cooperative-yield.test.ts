import { beforeEach, describe, expect, test } from '#jest';
import {
  endUrgency,
  sharedTask,
  urgently,
  withTaskContext,
  yieldToOthers,
} from '../../src/concurrency/cooperative-yield.ts';

test('those who wait go on one after the other, first come first served', async () => {
  const went: number[] = [];
  await Promise.all([1, 2, 3].map(async (i) => yieldToOthers().then(() => went.push(i))));
  expect(went).toEqual([1, 2, 3]);
});

test('what comes in meanwhile is heard between two of those who wait', async () => {
  const heard: string[] = [];
  const waiting = ['one', 'two', 'three'].map(async (name) => {
    await yieldToOthers();
    heard.push(name);
    // Heard in the next turn of the loop, as an acknowledgement that waits to be sent is.
    if (name === 'one') setImmediate(() => heard.push('a command'));
  });
  await Promise.all(waiting);
  expect(heard.indexOf('a command')).toBeLessThan(heard.indexOf('three'));
});

test('whoever comes when nobody waits any more goes on as well', async () => {
  await yieldToOthers();
  await expect(yieldToOthers()).resolves.toBeUndefined();
});

test('owners take turns: one piece of work of another does not wait for all of one', async () => {
  const went: string[] = [];
  const work = (owner: string, name: string) =>
    withTaskContext({ owner }, async () => {
      await yieldToOthers();
      went.push(name);
    });
  await Promise.all([...[1, 2, 3, 4].map((i) => work('ada', `ada ${i}`)), work('bob', 'bob')]);
  expect(went.indexOf('bob')).toBeLessThan(2);
  expect(went.filter((name) => name !== 'bob')).toEqual(['ada 1', 'ada 2', 'ada 3', 'ada 4']);
});

test('work ends at its next turn once nobody waits for it, and only that work', async () => {
  const leaving = new AbortController();
  const gone = new Error('gone');
  const left = withTaskContext({ signal: leaving.signal }, () => yieldToOthers());
  const staying = yieldToOthers();
  leaving.abort(gone);
  await expect(left).rejects.toBe(gone);
  await expect(staying).resolves.toBeUndefined();
});

/** Whether a task that wants to go on does so before other input and output is heard. */
async function goesOnAtOnce(): Promise<boolean> {
  let isOn = false;
  const task = yieldToOthers().then(() => {
    isOn = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  const was = isOn;
  await task;
  return was;
}

describe('what is urgent', () => {
  /** What an earlier test let rest has had its turn. */
  const afterRest = () => new Promise((resolve) => setTimeout(resolve, 10));
  beforeEach(afterRest);

  test('lets other tasks rest until it is done', async () => {
    let hasRested = false;
    // It is not urgent for long, whatever else the machine does.
    for (let tries = 0; tries < 10 && !hasRested; tries += 1) {
      const end = Promise.withResolvers<void>();
      const urgent = urgently(() => end.promise);
      hasRested = !(await goesOnAtOnce());
      end.resolve();
      await urgent;
      await afterRest();
    }
    expect([hasRested, await goesOnAtOnce()]).toEqual([true, true]);
  });

  test('is so no longer once it takes long, as far as it goes', async () => {
    const end = Promise.withResolvers<void>();
    const urgent = urgently(async () => {
      await withTaskContext({ owner: 'ada' }, async () => endUrgency());
      await end.promise;
    });
    expect(await goesOnAtOnce()).toBe(true);
    end.resolve();
    await urgent;
    endUrgency();
  });

  test('goes on before others who came earlier', async () => {
    const went: string[] = [];
    const goThrice = async (name: string) => {
      for (let turn = 0; turn < 3; turn += 1) {
        await yieldToOthers();
        went.push(name);
      }
    };
    // As above.
    for (let tries = 0; tries < 10 && went[0] !== 'urgent'; tries += 1) {
      went.length = 0;
      await Promise.all([goThrice('task'), urgently(() => goThrice('urgent'))]);
      expect(went.toSorted()).toEqual(['task', 'task', 'task', 'urgent', 'urgent', 'urgent']);
      await afterRest();
    }
    expect(went[0]).toBe('urgent');
  });

  test('does not keep tasks from going on, however much there is of it', async () => {
    const end = Promise.withResolvers<void>();
    const urgent = [urgently(() => end.promise)];
    const renewed = setInterval(() => urgent.push(urgently(() => end.promise)), 1);
    for (let turn = 0; turn < 3 || urgent.length < 2; turn += 1) await yieldToOthers();
    clearInterval(renewed);
    end.resolve();
    await Promise.all(urgent);
    expect(urgent.length).toBeGreaterThan(1);
  });

  test('is stopped like any other task once nobody waits for it', async () => {
    const leaving = new AbortController();
    const urgent = urgently(() => withTaskContext({ signal: leaving.signal }, () => yieldToOthers()));
    leaving.abort(new Error('gone'));
    await expect(urgent).rejects.toThrow('gone');
  });
});

describe('work that several wait for', () => {
  const begun = (forget = () => {}) => {
    const end = Promise.withResolvers<string>();
    let isAbandoned = false;
    const join = sharedTask(async () => {
      const done = await end.promise;
      await yieldToOthers().catch((error: unknown) => {
        isAbandoned = true;
        throw error;
      });
      return done;
    }, forget);
    return { end, join, isAbandoned: () => isAbandoned };
  };

  test('goes on when one of them leaves, who is told so at once', async () => {
    const { end, join } = begun();
    const leaving = new AbortController();
    const one = withTaskContext({ signal: leaving.signal }, join);
    const other = withTaskContext({ signal: new AbortController().signal }, join);
    leaving.abort(new Error('gone'));
    await expect(one).rejects.toThrow('gone');
    end.resolve('done');
    await expect(other).resolves.toBe('done');
  });

  test('ends when all of them have left, and is forgotten before that', async () => {
    let isForgotten = false;
    const { end, join, isAbandoned } = begun(() => {
      isForgotten = true;
    });
    const leaving = [new AbortController(), new AbortController()];
    const all = leaving.map(({ signal }) => withTaskContext({ signal }, join));
    for (const one of leaving) one.abort(new Error('gone'));
    expect(isForgotten).toBe(true);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    end.resolve('done');
    while (!isAbandoned()) await yieldToOthers();
  });

  test('never ends for who cannot leave', async () => {
    const { end, join } = begun();
    const leaving = new AbortController();
    const patient = join();
    const one = withTaskContext({ signal: leaving.signal }, join);
    leaving.abort(new Error('gone'));
    await expect(one).rejects.toThrow('gone');
    end.resolve('done');
    await expect(patient).resolves.toBe('done');
  });
});
