import { afterAll, beforeAll, expect, test } from '#jest';
import { type Assistant, assistantOf } from '../mcp/assistant.ts';
import { startDwellInSlack } from '../support/start-slack.ts';

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
let assistant: Assistant;
beforeAll(async () => {
  place = await startDwellInSlack({
    at: '2026-11-20T14:00:00Z',
    environment: { TRACKER: 'sample', TIME_ZONE: 'UTC', DEFAULT_CALENDAR: 'berlin' },
  });
  assistant = await assistantOf(place.dwell, 'ada', { admin: true });
});
afterAll(async () => {
  await assistant.close();
  await place.stop();
});

const single = async (parameters: Readonly<Record<string, string>>) => {
  const headers = await place.dwell.headerOf('ada', { admin: true });
  const query = new URLSearchParams({ issueKey: 'WEB-508', columnsBy: 'currentStateAge', ...parameters });
  const answer = await fetch(`${place.dwell.url}/rest/issue?${query}`, { headers });
  expect(answer.status).toBe(200);
  return JSON.stringify(await answer.json());
};

test('a day is the same and time is counted by the same calendar in Slack, MCP and REST', async () => {
  const answer = await place.slack.answerTo('/tis WEB-508');
  const shown = answer.text;
  expect(shown).toContain('Working hours Berlin (1d = 7h 27m)');
  const { content, text } = await assistant.call('time_in_status', { issueKeys: ['WEB-508'] });
  expect(content).toMatchObject({ calendar: { name: 'Berlin' }, dayMs: 7.45 * 3_600_000 });
  expect(text).toContain('1d = 7.45h of working time');
  const longest = content.issues[0].values.toSorted((a: { ms: number }, b: { ms: number }) => b.ms - a.ms)[0];
  // Whatever takes days in Slack takes as many in MCP.
  expect(longest.text).toMatch(/^\d+d /);
  expect(shown).toContain(longest.text);
  const named = await single({ columnsBy: 'statusDuration', calendar: 'default' });
  expect(named).toContain('"name":"Berlin"');
  // The contract refuses days of different lengths; the time itself is the same.
  expect(named).toContain(`"raw":"${longest.ms}"`);
});

test('REST measures without a calendar by the one of the contract', async () => {
  expect(await single({})).toContain('"name":"normalHours"');
});

test('MCP takes other hours and longer days where they are named', async () => {
  const { content } = await assistant.call('time_in_status', {
    ...{ issueKeys: ['WEB-508'], calendar: 'normalHours', dayLength: '24HourDays' },
  });
  expect(content).toMatchObject({ calendar: { is7x24Calendar: true }, dayMs: 86_400_000 });
});
