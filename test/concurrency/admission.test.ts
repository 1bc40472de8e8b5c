import { EventEmitter } from 'node:events';
import { expect, test } from '#jest';
import { createAdmission, retryAfter } from '../../src/concurrency/admission.ts';
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
  late = 250;
  while (responses.length < 1_000) expect(enter()).toBeNull();
  chance = 1;
  expect([enter(), enter('/readyz')]).toEqual([['overloaded', '15'], null]);
});

test('no one joins a line of reports that is too long, or whose first has waited for a fifth of its time', async () => {
  let now = 0;
  const refused: string[] = [];
  const turns = createAnswerTurns(
    { inAll: 1, perPrincipal: 1, waitMs: 10_000 },
    { now: () => now, onRefused: ({ why }) => refused.push(why) },
  );
  const leaving = new AbortController();
  const take = (name: string) => turns.take(principalIn('default', name), leaving.signal);
  const waiting: Promise<unknown>[] = [];
  const wait = (name: string) => waiting.push(take(name).catch((reason: unknown) => reason));
  const first = await take('ada');
  wait('bob');
  now = 2_000;
  wait('carl');
  now = 2_001;
  await expect(take('dora')).rejects.toMatchObject({
    ...{
      reason: 'overloaded',
      message: 'Dwell is busy with other reports over many issues. Try again in a moment.',
    },
  });
  first.end();
  // Bob has his turn. Carl is first in line from now on, whatever he waited for before; ada waits for herself alone.
  now = 2_002;
  for (let i = 0; i < 15; i += 1) wait('ada');
  await expect(take('dora')).rejects.toMatchObject({ reason: 'overloaded' });
  expect(refused).toEqual(['reports', 'reports']);
  leaving.abort('left');
  expect((await Promise.all(waiting)).filter((one) => one === 'left')).toHaveLength(16);
});

test('while the event loop is late, one report is made at a time', async () => {
  let late = 101;
  const turns = createAnswerTurns({ inAll: 3, perPrincipal: 3, waitMs: 10_000 }, { lateMs: () => late });
  const begun: string[] = [];
  const take = async (name: string) => {
    const turn = await turns.take(principalIn('default', name));
    begun.push(name);
    return turn;
  };
  const first = await take('ada');
  const others = [take('bob'), take('carl')];
  await null;
  expect(begun).toEqual(['ada']);
  first.end();
  await others[0];
  expect(begun).toEqual(['ada', 'bob']);
  late = 100;
  // The next one to come finds room for those in front of it as well.
  await Promise.all([take('dora'), ...others]);
  expect(begun.toSorted()).toEqual(['ada', 'bob', 'carl', 'dora']);
});
