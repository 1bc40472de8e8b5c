import { expect, test } from '#jest';
import { openTestStore } from '../../support/open-test-store.ts';
import { shares } from '../../support/share-in-slack.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The sentences of the audit log, each after the door. */
async function sentencesIn(dwell: TestDwell, ...options: string[]): Promise<readonly string[]> {
  const { lines } = await dwell.types('audit', ...options);
  const begin = '2026-03-18T12:00:00.000Z  ';
  return lines.filter((line) => line.startsWith(begin)).map((line) => line.slice(begin.length));
}

const dataDir = temporaryFolder();

test('what people change, share and ask by all doors is in the audit log, with who did it', async () => {
  const place = await startTeamInSlack('http', { environment: { AUDIT_QUESTIONS: 'on' }, dataDir });
  const { dwell, slack } = place;
  const admin = dwell.as('ops', { admin: true });
  expect(await sentencesIn(dwell)).toEqual([
    'system  Dwell set the settings of the audit log (AUDIT_QUESTIONS on, AUDIT_DAYS 730, AUDIT_QUESTION_DAYS 90)',
    'cli     operator (command line) set the access rules project OPS ada',
    'cli     operator (command line) changed the access rules level 10700 none → ada',
  ]);
  await dwell.types('people', '--link', 'U0BOB', '--to', 'bob');
  const workingTimes = [{ weekday: 'MONDAY', start: 32_400_000, end: 61_200_000 }];
  const office = { name: 'Office', timeZone: 'UTC', workingTimes };
  const made = await admin.postJson('/rest/calendars', office);
  const holidays = ['2026-05-01', '2026-12-24'].map((date) => ({ name: 'Private', date }));
  await admin.putJson(`/rest/calendars/${made.json.id}`, { holidays });
  await dwell.types('delegates', '--edit-all', 'ada');
  await dwell.as('ada').postJson('/rest/delegation/api/1.0/delegation', {
    ...{ delegator: 'ada', delegates: ['bob'], notes: 'Private' },
    ...{ startDate: '2031-03-18T18:00Z', endDate: '2031-04-18T18:00Z' },
  });
  await dwell.types('audience', 'C0TEAM', 'allow', 'WEB,OPS', '--with-guests');
  const answer = await place.says('/tis project WEB', { as: 'bob' });
  await shares(slack, { as: 'bob', on: answer, comment: 'Private' });
  await slack.reply();
  await dwell.as('bob').get('/rest/smallexport', {
    ...{ filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration', outputType: 'CSV' },
  });
  const { lines } = await dwell.types('audit', '--json');
  expect(lines.join()).not.toMatch(/Private|What WEB-1 is about/);
  const first = JSON.parse(lines[3] ?? '');
  expect(await sentencesIn(dwell, '--after', String(first.id))).toEqual([
    'cli     operator (command line) created the secret token-signing-key',
    'cli     operator (command line) created a token for ops (admin, expires at 2026-06-16 12:00)',
    'rest    ops created the calendar Office (time zone UTC, working times MONDAY 09:00–17:00)',
    'rest    ops changed the calendar Office: holidays +2026-05-01 +2026-12-24',
    'cli     operator (command line) set the permissions on delegations view everyone edit all ada',
    'cli     operator (command line) created a token for ada (expires at 2026-06-16 12:00)',
    'rest    ada created the delegation 100001 for ada covered by bob (start 2031-03-18 18:00, end 2031-04-18 18:00)',
    'cli     operator (command line) set the settings of the channel C0TEAM (projects OPS with guests, WEB with guests)',
    'slack   bob shared an answer (question report, 12 issues, projects WEB, channel C0TEAM)',
    'cli     operator (command line) created a token for bob (expires at 2026-06-16 12:00)',
    expect.stringMatching(
      /^rest {4}bob created the file .+\.csv \(type CSV, report statusDuration, selection project, project WEB, 12 issues\)$/,
    ),
  ]);

  const withTimes = { subject: { kind: 'token' }, facts: { expiresAt: '2026-06-16T12:00:00.000Z' } };
  const tokens = await dwell.types('audit', '--action', 'token', '--json');
  expect(JSON.parse(tokens.lines[0] ?? '')).toMatchObject(withTimes);
  expect((await admin.get('/rest/audit', { action: 'token' })).json.entries[0]).toMatchObject(withTimes);
  const byName = await sentencesIn(dwell, '--actor', 'bob');
  expect(byName.map((line) => line.split(' ')[0])).toEqual(['slack', 'rest']);
  expect(await sentencesIn(dwell, '--actor', 'operator (command line)', '--action', 'category')).toEqual([]);
  expect((await dwell.types('audit', '--subject', 'none')).lines[0]).toBe('No entries match.');

  const { status, json } = await dwell.as('bob').get('/rest/audit');
  expect([status, json.message ?? json.errorMessages]).toEqual([403, expect.anything()]);
  const page = await admin.get('/rest/audit', { action: 'calendar', limit: '1' });
  expect(page.json).toMatchObject({
    hasMore: true,
    entries: [{ id: page.json.last, at: '2026-03-18T12:00:00.000Z', actor: 'ops', via: 'rest' }],
  });
  const rest = await admin.get('/rest/audit', { action: 'calendar', after: String(page.json.last) });
  expect(rest.json).toMatchObject({ hasMore: false, entries: [{ action: 'calendar.changed' }] });
  const accept = { ...(await dwell.headerOf('ops', { admin: true })), Accept: 'application/jsonl' };
  const jsonl = await admin.get('/rest/audit', { action: 'calendar' }, accept);
  expect(jsonl.type).toBe('application/jsonl; charset=utf-8');
  expect(
    jsonl.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([...page.json.entries, ...rest.json.entries]);

  await dwell.as('bob').get('/rest/issue', { issueKey: 'OPS-1', columnsBy: 'statusDuration' });
  await dwell.as('bob').get('/rest/issues/weekly', { filterType: 'project', projectKey: 'WEB' });
  const call = { name: 'weekly_summary', arguments: { project: 'WEB' } };
  await admin.send(
    'POST',
    '/mcp',
    { ...accept, Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  );
  // What is noted and not written yet is written at the stop.
  await place.stop();
  const store = await openTestStore(dataDir);
  const questions = await store.audit.list({ action: 'question' }, 99);
  await store.close();
  const asked = { selection: ['project WEB'], status: 'ok', ms: 0 };
  expect(questions.map(({ actor, via, subject, facts }) => [actor, via, subject, facts])).toEqual([
    // What is shared is asked again, with the rights of the person who shares it.
    ...Array.from({ length: 3 }, () => [
      ...['U0BOB', 'slack', 'report'],
      { ...asked, report: 'statusDuration', issues: 12 },
    ]),
    [
      ...['bob', 'rest', 'report'],
      { report: 'statusDuration', selection: ['issues OPS-1'], issues: null, status: 'unknown-issue', ms: 0 },
    ],
    ['bob', 'rest', 'weekly', { ...asked, report: null, issues: 12 }],
    ['ops', 'mcp', 'weekly', { ...asked, report: null, issues: 12 }],
  ]);

  const again = await startDwell({ dataDir });
  const asksFor = async (parameters: Readonly<Record<string, string>>) => {
    const { json } = await again
      .as('ops', { admin: true })
      .get('/rest/audit', { limit: '1000', ...parameters });
    return json.entries.filter(({ action }: { action: string }) => action === 'question.answered').length;
  };
  expect(await asksFor({})).toBe(0);
  expect(await asksFor({ questions: 'true' })).toBe(questions.length);
  expect(await asksFor({ action: 'question' })).toBe(questions.length);
  expect(await again.types('audit', '--action', 'question', '--since', '10y')).toMatchObject({
    lines: expect.arrayContaining([expect.stringContaining(' asked ')]),
  });
  await again.stop();
});
