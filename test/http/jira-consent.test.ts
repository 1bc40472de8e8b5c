import { beforeAll, beforeEach, expect, test } from '#jest';
import type { ConsentApi } from '../../src/api/tracker/sync-api.ts';
import { AppError } from '../../src/model/error.ts';
import { standInSync } from '../support/stand-in-sync.ts';
import { startDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const site = 'https://example.atlassian.net/<b>';
let accepted: unknown[];
let refusal: AppError | null;
const consent: ConsentApi = {
  url: async () => '',
  async accept(answer) {
    accepted.push(answer);
    if (refusal !== null) throw refusal;
    return { site };
  },
};

const dwell = suiteDwell({ trackerBuilder: standInSync({ consent }).trackerBuilder });
beforeAll(async () => {});
beforeEach(() => {
  [accepted, refusal] = [[], null];
});

const answers = (given: Record<string, string>) => dwell.get('/jira/consent', given, {});

test('a yes is handed on as it came, without any token, and the page names the site', async () => {
  const page = await answers({ code: 'c0de', state: 'st4te' });
  expect(page.status).toBe(200);
  expect(accepted).toEqual([{ code: 'c0de', state: 'st4te', error: null }]);
  expect(page.text).toContain('Dwell can now read <strong>https://example.atlassian.net/&lt;b&gt;</strong>.');
});

test('the page runs nothing, loads nothing, is cached nowhere and has nothing of the address', async () => {
  const { headers, text, type } = await answers({ code: 'c0de', state: 'st4te' });
  expect(type).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(text).not.toMatch(/<script|(src|href)=|c0de|st4te/);
});

test.each([
  [new AppError('invalid-value', 'The answer was no', ['access_<denied>.']), 403],
  [new AppError('missing-right', 'This is no answer to a question of ours.'), 403],
  [new AppError('service-unavailable', 'auth.atlassian.com cannot be reached.'), 503],
])('what went wrong is a sentence on the page: %s', async (error, status) => {
  refusal = error;
  const page = await answers({ error: 'access_denied', state: 'st4te' });
  expect(page.status).toBe(status);
  expect(page.text).toContain(`role="alert">${error.message}`);
  expect(page.text).not.toContain('<denied>');
  expect(page.text).toContain('<code>npx dwell connect</code>');
});

test('where nobody is asked the page says so', async () => {
  const other = await startDwell();
  const page = await other.get('/jira/consent', { code: 'c0de', state: 'st4te' }, {});
  await other.stop();
  expect(page.status).toBe(404);
  expect(page.text).toContain('JIRA_CLIENT_ID');
});
