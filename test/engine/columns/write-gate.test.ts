import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '#jest';
import { WriteGate } from '../../../src/engine/columns/write-gate.ts';

/** Somebody who reads until `end` is called. */
function reader(gate: WriteGate) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { isIn: false };
  const done = gate.reading(() => {
    state.isIn = true;
    return promise;
  });
  return {
    state,
    end() {
      resolve();
      return done;
    },
  };
}

const never = 2 ** 30;

test('many read at once, and nobody while another one writes; writers take turns', async () => {
  const gate = new WriteGate();
  const [one, other] = [reader(gate), reader(gate)];
  expect([one.state.isIn, other.state.isIn]).toEqual([true, true]);
  const written: string[] = [];
  const writing = [gate.writing(() => written.push('a')), gate.writing(() => written.push('b'))];
  await one.end();
  expect(written).toEqual([]);
  await other.end();
  await Promise.all(writing);
  expect(written).toEqual(['a', 'b']);
});

test('a writer who waits lets others read, and writes when these are done too', async () => {
  const gate = new WriteGate(never);
  const first = reader(gate);
  let isWritten = false;
  const writing = gate.writing(() => {
    isWritten = true;
  });
  const second = reader(gate);
  expect(second.state.isIn).toBe(true);
  await first.end();
  expect(isWritten).toBe(false);
  await second.end();
  await writing;
  expect(isWritten).toBe(true);
});

test('once it has waited for long enough nobody is let in before it', async () => {
  const gate = new WriteGate(0);
  const first = reader(gate);
  let isWritten = false;
  const writing = gate.writing(() => {
    isWritten = true;
  });
  // A timer that is set later is called later.
  await pause(1);
  const second = reader(gate);
  expect(second.state.isIn).toBe(false);
  await first.end();
  await writing;
  await second.end();
  expect([isWritten, second.state.isIn]).toEqual([true, true]);
});

test('who writes in steps lets others in once', async () => {
  const gate = new WriteGate(50);
  const first = reader(gate);
  const step = gate.writing(() => {});
  let late = reader(gate);
  // Whoever comes is let in for a while.
  while (late.state.isIn) {
    await late.end();
    await nextTurn();
    late = reader(gate);
  }
  await first.end();
  await step;
  const nextStep = gate.writing(() => {});
  await pause(1);
  const other = reader(gate);
  expect([late.state.isIn, other.state.isIn]).toEqual([true, false]);
  await late.end();
  await nextStep;
  await other.end();
});

test('what fails keeps nobody out', async () => {
  const gate = new WriteGate();
  await expect(gate.reading(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(
    gate.writing(() => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await gate.writing(() => 1)).toBe(1);
  expect(await gate.reading(async () => 2)).toBe(2);
});
