import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import { expect, test } from '#jest';
import { createAdmission, retryAfter, watchLoop } from '../../src/concurrency/admission.ts';
import { createAnswerTurns } from '../../src/concurrency/answer-turns.ts';
import { AppError } from '../../src/model/error.ts';
import { principalIn } from '../../src/model/request.ts';

const secondsOf = (run: () => unknown) => {
  try {
    run();
    return null;
  } catch (error) {
    return error instanceof AppError ? [error.reason, retryAfter(error)['Retry-After']] : error;
  }
};

test('requests are refused beyond a thousand, or from 32 on while the loop is late; clients come back at different times', () => {
  let [late, chance] = [0, 0];
  const admission = createAdmission({ lateMs: () => late, random: () => chance, onRefused: () => {} });
  const responses: EventEmitter[] = [];
  const enter = (path = '/rest/issue') => {
    const response = new EventEmitter();
    return secondsOf(() => {
      admission.enter(path, response);
      responses.push(response);
    });
  };
  while (responses.length < 32) expect(enter()).toBeNull();
  late = 251;
  expect(enter()).toEqual(['overloaded', '5']);
  responses.pop()?.emit('close');
  expect([enter(), enter()]).toEqual([null, ['overloaded', '5']]);
  // A report waits for a turn, which is limited by itself.
  const report = responses.pop();
  if (report !== undefined) admission.leave(report);
  expect([enter(), enter()]).toEqual([null, ['overloaded', '5']]);
  report?.emit('close');
  expect(enter()).toEqual(['overloaded', '5']);
  late = 250;
  while (responses.length < 1_000) expect(enter()).toBeNull();
  chance = 1;
  expect([enter(), enter('/readyz')]).toEqual([['overloaded', '15'], null]);
});

test('no one joins a line of as many reports as are made at a time, or whose first has waited for a fifth of its time', async () => {
  let now = 0;
  const refused: string[] = [];
  const turns = createAnswerTurns(
    { inAll: 2, perPrincipal: 1, waitMs: 10_000 },
    { now: () => now, onRefused: ({ why }) => refused.push(why) },
  );
  const leaving = new AbortController();
  const take = (name: string) => turns.take(principalIn('default', name), leaving.signal);
  const waiting: Promise<unknown>[] = [];
  const wait = (name: string) => waiting.push(take(name).catch((reason: unknown) => reason));
  const first = await take('ada');
  await take('zoe');
  wait('bob');
  now = 2_000;
  wait('carl');
  expect(refused).toEqual([]);
  first.end();
  await waiting[0];
  // Bob has his turn; carl has waited for more than two seconds then, and for two seconds below.
  now = 4_001;
  await expect(take('dora')).rejects.toMatchObject({
    reason: 'overloaded',
    message: 'Dwell is busy with other reports over many issues. Try again in a moment.',
  });
  now = 4_000;
  wait('dora');
  await expect(take('emil')).rejects.toMatchObject({ reason: 'overloaded' });
  expect(refused).toEqual(['reports', 'reports']);
  leaving.abort('left');
  expect((await Promise.all(waiting)).filter((one) => one === 'left')).toHaveLength(2);
});

test('those who wait for reports of their own hold up no others, up to 16 of them for each place', async () => {
  const turns = createAnswerTurns({ inAll: 2, perPrincipal: 1, waitMs: 10_000 });
  const leaving = new AbortController();
  const take = (name: string) => turns.take(principalIn('default', name), leaving.signal);
  await take('ada');
  const wait = (name: string) => take(name).catch((reason: unknown) => reason);
  const waiting = Array.from({ length: 32 }, () => wait('ada'));
  await expect(take('ada')).rejects.toMatchObject({ reason: 'overloaded' });
  await take('bob');
  waiting.push(wait('carl'), wait('dora'));
  await expect(take('emil')).rejects.toMatchObject({ reason: 'overloaded' });
  leaving.abort('left');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['left']));
});

test('the loop is late where it is so again and again, not after one long pause', () => {
  mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  const loop = watchLoop(() => now);
  const looks = (...delays: readonly number[]) => {
    for (const delay of delays) {
      now += 50 + delay;
      mock.timers.tick(50);
    }
    return loop.lateMs();
  };
  try {
    expect(looks(0, 5_000, 0)).toBe(0);
    expect(looks(400, 300, 500)).toBe(0);
    expect(looks(350)).toBe(300);
    expect(looks(0)).toBe(0);
  } finally {
    loop.stop();
    mock.timers.reset();
  }
});
