import { expect, test } from '#jest';
import { createLastingAnswers } from '../../../src/api/answers/lasting-answers.ts';
import type { Answer } from '../../../src/api/answers.ts';
import type { Question } from '../../../src/model/question.ts';
import { aWeeklyAnswer } from '../../support/an-answer.ts';

const weekly: Question = {
  kind: 'weekly',
  selection: { by: 'project', project: 'WEB' },
  week: 'last',
  calendar: 'normalHours',
  timeZone: 'UTC',
};
const ada = { user: 'ada', admin: false };

function remembering() {
  const clock = { now: 1_000 };
  const lasting = createLastingAnswers(() => clock.now);
  const made: Promise<Answer>[] = [];
  const answer = () => {
    const one = Promise.resolve(aWeeklyAnswer());
    made.push(one);
    return one;
  };
  return { clock, lasting, made, answer };
}

test('a week is told again to the same asker for a minute', async () => {
  const { clock, lasting, made, answer } = remembering();
  const first = await lasting(ada, weekly, answer);
  clock.now += 59_999;
  expect(await lasting(ada, structuredClone(weekly), answer)).toBe(first);
  clock.now += 1;
  expect(await lasting(ada, weekly, answer)).not.toBe(first);
  expect(made).toHaveLength(2);
});

test('nobody is told what somebody else was, nor who has other rights by now', async () => {
  const { lasting, made, answer } = remembering();
  await lasting(ada, weekly, answer);
  await lasting({ user: 'bob', admin: false }, weekly, answer);
  await lasting({ ...ada, admin: true }, weekly, answer);
  await lasting(ada, { ...weekly, week: 'this' }, answer);
  expect(made).toHaveLength(4);
});

test('what failed is asked anew', async () => {
  const { lasting, made, answer } = remembering();
  await expect(lasting(ada, weekly, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
  await lasting(ada, weekly, answer);
  expect(made).toHaveLength(1);
});

test('an issue is looked at each time', async () => {
  const { lasting, made, answer } = remembering();
  const issue: Question = { kind: 'issue', key: 'WEB-1', calendar: 'normalHours', timeZone: 'UTC' };
  await lasting(ada, issue, answer);
  await lasting(ada, issue, answer);
  expect(made).toHaveLength(2);
});
