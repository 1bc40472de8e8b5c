import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, test } from '#jest';
import type { ConsentApi } from '../../../src/api/tracker/sync-api.ts';
import { runCommand } from '../../support/run-command.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';
import { unusedCliParts } from '../../support/unused-cli-parts.ts';

const consent: ConsentApi = {
  url: async (redirectUri) =>
    `https://auth.example/authorize?redirect_uri=${encodeURIComponent(redirectUri)}`,
  accept: async () => ({ site: 'https://example.atlassian.net' }),
};

test('connect prints the address at which an admin agrees, and the callback the app must have', async () => {
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
])('of connect what is missing is named: %j', async (parts, named) => {
  await expect(runCommand(['connect'], { ...unusedCliParts, ...parts })).rejects.toMatchObject({
    code: 'bad-request',
    details: [expect.stringMatching(named)],
  });
});

const dwell = suiteDwell();

const printed = async (...args: string[]) => parse((await dwell.types('manifest', ...args)).lines.join('\n'));
const manifest = parse(readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8'));

test('manifest prints the manifest for Socket Mode, in which Slack calls no address', async () => {
  expect(await printed()).toEqual(manifest);
});

test('manifest prints the manifest for HTTP, with every address that Slack calls', async () => {
  const url = 'https://dwell.example/slack/events';
  const { settings, features, oauth_config: oauth } = await printed('--url', 'https://dwell.example/');
  expect(settings).toMatchObject({
    socket_mode_enabled: false,
    event_subscriptions: { ...manifest.settings.event_subscriptions, request_url: url },
    interactivity: { is_enabled: true, request_url: url, message_menu_options_url: url },
  });
  expect(features.slash_commands).toEqual(
    manifest.features.slash_commands.map((command: object) => ({ ...command, url })),
  );
  expect(oauth).toEqual(manifest.oauth_config);
});

test.each(['http://dwell.example', 'dwell.example', 'https://dwell.example?a=1'])(
  'manifest refuses %s, which Slack does not call',
  async (typed) => {
    await expect(dwell.types('manifest', '--url', typed)).rejects.toMatchObject({
      details: [
        `--url '${typed}' is not an address that Slack can call. Try: one that begins with https://, such as https://dwell.example.com.`,
      ],
    });
  },
);

test('manifest does not repeat a password', async () => {
  await expect(dwell.types('manifest', '--url', 'https://ada:secret@dwell.example')).rejects.toMatchObject({
    details: [expect.not.stringContaining('secret')],
  });
});
