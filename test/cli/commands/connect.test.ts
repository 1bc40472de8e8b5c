import { expect, test } from '#jest';
import type { ConsentApi } from '../../../src/api/tracker/sync-api.ts';
import { runCommand } from '../../support/run-command.ts';
import { unusedCliParts } from '../../support/unused-cli-parts.ts';

const consent: ConsentApi = {
  url: async (redirectUri) =>
    `https://auth.example/authorize?redirect_uri=${encodeURIComponent(redirectUri)}`,
  accept: async () => ({ site: 'https://example.atlassian.net' }),
};

test('prints the address at which an admin agrees, and the callback the app must have', async () => {
  const lines: string[] = [];
  const parts = {
    ...unusedCliParts,
    consent,
    baseUrl: 'https://dwell.example',
    out: (line: string) => void lines.push(line),
  };
  expect(await runCommand(['connect'], parts)).toBe(0);
  expect(lines[0]).toBe(
    'https://auth.example/authorize?redirect_uri=https%3A%2F%2Fdwell.example%2Fjira%2Fconsent',
  );
  expect(lines.at(-1)).toContain('https://dwell.example/jira/consent');
});

test.each([
  [{ consent: null, baseUrl: 'https://dwell.example' }, /JIRA_CLIENT_ID/],
  [{ consent, baseUrl: null }, /BASE_URL/],
])('what is missing is named: %j', async (parts, named) => {
  await expect(runCommand(['connect'], { ...unusedCliParts, ...parts })).rejects.toMatchObject({
    code: 'bad-request',
    details: [expect.stringMatching(named)],
  });
});
