import { expect, test } from '#jest';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

const place = startedOnce(() =>
  startDwellInSlack({
    at: '2026-11-30T10:00:00.000Z',
    environment: { TRACKER: 'sample', TIME_ZONE: 'Europe/Berlin' },
    people: [{ id: 'U0ADA', name: 'ada', realName: 'ada', email: 'ada@example.com', tz: 'Europe/Berlin' }],
  }),
);
test('try', async () => {
  for (const line of [
    'forecast WEB 20 issues',
    'forecast WEB by Jun 1',
    'forecast WEB',
    'forecast 20 issues in WEB',
    'forecast WEB-1',
    'forecast WEB-370',
    'forecast sprint',
    'forecast sprint "WEB Sprint 25"',
    'forecast jql project = WEB AND type = Bug ORDER BY created',
    'forecast WEB by nonsense',
    'forecast WEB 0 issues',
    'forecast WEB 5 issues by Jun 1',
    'forecast NOPE 20 issues',
    'forecast',
    'forecast WEB 20 issues in Berlin',
    'forecast WEB-511 WEB-516',
    'forecast WEB by next friday in Berlin',
    'when will 20 issues in WEB be done?',
    'when will WEB-516 be done?',
    'how many issues will WEB finish by Dec 24?',
    'when will WEB be done',
    'will WEB finish 20 issues by Dec 24',
    'when will the sprint be done',
  ]) {
    const a = await place.slack.answerTo(`/tis ${line}`, { as: 'ada', in: 'general' });
    console.log(`${line}\n=> ${a.text}`);
  }
  expect(1).toBe(1);
});
