import { millisecondsInDay } from 'date-fns/constants';
import { expect, test } from '#jest';
import type { AnyQuestion } from '../../support/any-question.ts';
import { refusal } from '../delegations/an-office.ts';
import { teamReporting } from './a-team.ts';
import { teamAnswers } from './team-answers.ts';

const question: AnyQuestion = { kind: 'issue', key: 'WEB-1', calendar: 'normalHours', timeZone: 'UTC' };

async function keeping() {
  const clock = { now: Date.parse('2026-03-02T12:00:00Z') };
  const reporting = teamReporting([], clock.now);
  return { clock, ...(await teamAnswers({ reporting, now: () => clock.now })) };
}

test('what was asked is kept with the instant it spoke of, for ninety days', async () => {
  const { answers, clock } = await keeping();
  const run = await answers.storeRun('U1', { question, asOf: clock.now - millisecondsInDay });
  expect(run).toEqual({
    id: 'run1',
    account: 'U1',
    question,
    asOf: clock.now - millisecondsInDay,
    askedAt: clock.now,
  });
  clock.now += 90 * millisecondsInDay;
  expect(await answers.run('run1')).toEqual(run);
  clock.now += 1;
  expect(await refusal(answers.run('run1'))).toEqual([
    'not-found',
    'This answer has expired (answers are stored for 90 days). Ask again.',
  ]);
});

test('what was asked is known although the clock was set back', async () => {
  const { answers, clock } = await keeping();
  const run = await answers.storeRun('U1', { question, asOf: clock.now });
  clock.now -= 5;
  expect(await answers.run('run1')).toEqual(run);
});

test('an id that nobody was given is not found', async () => {
  const { answers } = await keeping();
  expect(await refusal(answers.run('none'))).toContain('not-found');
});
