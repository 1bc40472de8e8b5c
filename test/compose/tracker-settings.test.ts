import { z } from 'zod';
import { expect, test } from '#jest';
import { readConfig } from '../../src/compose/config.ts';
import { jira, readJiraSettings } from '../../src/trackers/jira/jira-settings.ts';

const site = { JIRA_BASE_URL: 'https://example.atlassian.net/' };
const account = { JIRA_EMAIL: 'dwell@example.com', JIRA_API_TOKEN: 'ATATT3x' };
const app = { JIRA_CLIENT_ID: 'client', JIRA_CLIENT_SECRET: 'quiet' };

test('Jira is asked as an account, with a personal access token, or as an app', () => {
  const read = (environment: Record<string, string>) =>
    readJiraSettings(z.object(jira.settings).parse(environment));
  expect(read({ ...site, ...account })).toEqual({
    baseUrl: 'https://example.atlassian.net',
    credentials: { kind: 'apiToken', email: 'dwell@example.com', token: 'ATATT3x' },
    jql: null,
    requestsPerMinute: 600,
    webhookSecret: null,
  });
  expect(read({ ...site, JIRA_PAT: 'NjQ' })?.credentials).toEqual({ kind: 'pat', token: 'NjQ' });
  expect(read(app)).toMatchObject({ baseUrl: null, credentials: { kind: 'oauth', clientId: 'client' } });
  expect(read({})).toBeNull();
});

test('the live tracker says where it is, which issues are read and who decides who can see them', () => {
  const live = (environment: Record<string, string>) => readConfig(environment).live;
  const usual = { name: 'jira', title: 'Jira', address: 'https://example.atlassian.net' };
  expect(live({ ...site, ...account })).toMatchObject({ ...usual, query: null, decidedBy: 'JIRA_RIGHTS' });
  expect(live({ ...site, ...account, JIRA_JQL: 'project = WEB', JIRA_RIGHTS: 'rules' })).toMatchObject({
    ...{ ...usual, query: 'project = WEB', decidedBy: null },
  });
  expect(live({ ...app })).toMatchObject({ address: 'the site of the app client' });
  expect(live({})).toBeNull();
  expect(live({ ...site, ...account, TRACKER: 'file' })).toBeNull();
  const hosted = { TIS_BASE_URL: 'https://tis.example.com', TIS_TOKEN: 'x' };
  expect(live({ ...site, ...account, ...hosted, TRACKER: 'file' })).toMatchObject(usual);
  expect(readConfig({ SYNC_SECONDS: '30' }).syncSeconds).toBe(30);
});

test('Jira is the tracker once it can be asked, unless something else is said', () => {
  const tracker = (environment: Record<string, string>) => readConfig(environment).tracker;
  expect(tracker({ ...site, ...account })).toBe('jira');
  expect(tracker({ ...site, ...account, TRACKER: 'file' })).toBe('file');
  expect(
    tracker({ ...site, ...account, TIS_BASE_URL: 'https://tis.example.com', TIS_TOKEN: 'x' }),
  ).toBeNull();
  expect(() => readConfig({ TRACKER: 'jira' })).toThrow(
    /^TRACKER 'jira' needs the address of Jira and an account/,
  );
});

test('one live tracker is read: where several are configured, TRACKER chooses', () => {
  const linear = { LINEAR_API_KEY: 'lin_api_1' };
  expect(readConfig(linear)).toMatchObject({
    ...{ tracker: 'linear', live: { title: 'Linear', decidedBy: 'LINEAR_RIGHTS', query: null } },
  });
  const both = { ...site, ...account, ...linear };
  expect(() => readConfig(both)).toThrow(
    'Jira and Linear are configured, and Dwell reads one tracker. Try: TRACKER=jira or TRACKER=linear.',
  );
  expect(readConfig({ ...both, TRACKER: 'linear' }).live?.name).toBe('linear');
  expect(readConfig({ ...both, TRACKER: 'jira' }).live?.name).toBe('jira');
  expect(readConfig({ ...both, TRACKER: 'file' })).toMatchObject({ tracker: 'file', live: null });
  expect(() => readConfig({ TRACKER: 'linear' })).toThrow(
    "TRACKER 'linear' needs an API key. Try: LINEAR_API_KEY.",
  );
});

test.each([
  ['The Slack tokens are incomplete', { SLACK_BOT_TOKEN: 'xoxb-1' }],
  ['The Slack tokens are incomplete', { SLACK_APP_TOKEN: 'xapp-1' }],
  ['The Slack tokens are incomplete', { SLACK_SIGNING_SECRET: 'abc' }],
  ['The settings of Jira are incomplete', site],
  ['The settings of Jira are incomplete', account],
  ['The settings of Jira are incomplete', { ...site, JIRA_EMAIL: 'dwell@example.com' }],
  ['The settings of Jira are incomplete', { JIRA_PAT: 'NjQ' }],
  ['The settings of Jira are incomplete', { JIRA_CLIENT_ID: 'client' }],
  ['The settings of Linear are incomplete', { LINEAR_WEBHOOK_SECRET: 'x' }],
  ['The settings of the time-in-status service are incomplete', { TIS_TOKEN: 'eyJ' }],
])('%s with %j', (problem, environment) => {
  expect(() => readConfig(environment)).toThrow(`${problem}. Try: `);
});

test.each([
  [{ JIRA_PAT: 'NjQ' }, 2, 'JIRA_EMAIL with JIRA_API_TOKEN and JIRA_PAT'],
  [
    { JIRA_CLIENT_ID: 'client' },
    2,
    'JIRA_EMAIL with JIRA_API_TOKEN and JIRA_CLIENT_ID with JIRA_CLIENT_SECRET',
  ],
  [
    { JIRA_PAT: 'NjQ', JIRA_CLIENT_ID: 'client' },
    3,
    'JIRA_EMAIL with JIRA_API_TOKEN and JIRA_PAT and JIRA_CLIENT_ID with JIRA_CLIENT_SECRET',
  ],
])('beside an account %j is one way too many to be known to Jira', (surplus, ways, named) => {
  expect(() => readConfig({ ...site, ...account, ...surplus })).toThrow(
    `The settings of Jira have ${ways} sets of credentials: ${named}. Try: only one of`,
  );
});
