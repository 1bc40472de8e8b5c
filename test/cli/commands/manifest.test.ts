import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, test } from '#jest';
import { suiteDwell } from '../../support/suite-dwell.ts';

const dwell = suiteDwell();

const printed = async (...args: string[]) => parse((await dwell.types('manifest', ...args)).lines.join('\n'));
const kept = parse(readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8'));

test('prints the manifest for Socket Mode, in which Slack calls no address', async () => {
  expect(await printed()).toEqual(kept);
});

test('prints the manifest for HTTP, with every address that Slack calls', async () => {
  const url = 'https://dwell.example/slack/events';
  const { settings, features, oauth_config: oauth } = await printed('--url', 'https://dwell.example/');
  expect(settings).toMatchObject({
    socket_mode_enabled: false,
    event_subscriptions: { ...kept.settings.event_subscriptions, request_url: url },
    interactivity: { is_enabled: true, request_url: url, message_menu_options_url: url },
  });
  expect(features.slash_commands).toEqual(
    kept.features.slash_commands.map((command: object) => ({ ...command, url })),
  );
  expect(oauth).toEqual(kept.oauth_config);
});

test.each(['http://dwell.example', 'dwell.example', 'https://dwell.example?a=1'])(
  'refuses %s, which Slack does not call',
  async (typed) => {
    await expect(dwell.types('manifest', '--url', typed)).rejects.toMatchObject({
      details: [
        `--url '${typed}' is not an address that Slack can call. Try: one that begins with https://, such as https://dwell.example.com.`,
      ],
    });
  },
);

test('does not repeat a password', async () => {
  await expect(dwell.types('manifest', '--url', 'https://ada:secret@dwell.example')).rejects.toMatchObject({
    details: [expect.not.stringContaining('secret')],
  });
});
