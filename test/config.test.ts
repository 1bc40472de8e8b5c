import { expect, test } from '@jest/globals';
import { readConfig } from '../src/config.ts';

test('everything has a default', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    tracker: null,
    logLevel: 'info',
    slack: { mode: 'playground', anyHost: false },
  });
  expect(config.timeZone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(Object.isFrozen(config)).toBe(true);
});

test('an empty value is no value', () => {
  expect(readConfig({ PORT: '', TRACKER: ' ', SLACK_BOT_TOKEN: '' })).toEqual(readConfig({}));
});

test.each([
  [{ PORT: '80a' }, "PORT '80a' is not known; allowed: a whole number from 0 to 65535."],
  [{ PORT: '70000' }, "PORT '70000' is not known; allowed: a whole number from 0 to 65535."],
  [{ TRACKER: 'trello' }, "TRACKER 'trello' is not known; allowed: sample, file."],
  [
    { TIME_ZONE: 'Mars/Base' },
    "TIME_ZONE 'Mars/Base' is not known; allowed: an IANA time zone such as Europe/Berlin.",
  ],
  [{ LOG_LEVEL: 'loud' }, "LOG_LEVEL 'loud' is not known; allowed: fatal, error, warn, info, debug, silent."],
])('a wrong value is told in one sentence: %j', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(sentence);
});

test('a wrong token is told without repeating it', () => {
  expect(() => readConfig({ SLACK_BOT_TOKEN: 'secret-thing' })).toThrow(
    'SLACK_BOT_TOKEN is not what it should be; allowed: a token that starts with xoxb-.',
  );
});

test('the tokens decide how Slack is reached', () => {
  const bot = { SLACK_BOT_TOKEN: 'xoxb-1' };
  expect(readConfig({ ...bot, SLACK_APP_TOKEN: 'xapp-1' }).slack.mode).toBe('socket');
  expect(readConfig({ ...bot, SLACK_SIGNING_SECRET: 'abc' }).slack.mode).toBe('http');
});

test('the playground opens by itself only where nobody else can reach it', () => {
  const mode = (environment: Record<string, string>) => readConfig(environment).slack;
  expect(mode({ HOST: 'localhost' })).toEqual({ mode: 'playground', anyHost: false });
  expect(mode({ HOST: '127.0.0.2' })).toEqual({ mode: 'playground', anyHost: false });
  expect(mode({ HOST: '0.0.0.0' })).toEqual({ mode: 'none' });
  expect(mode({ HOST: '127.0.0.1.example.com' })).toEqual({ mode: 'none' });
  expect(mode({ HOST: '0.0.0.0', PLAYGROUND: 'on' })).toEqual({ mode: 'playground', anyHost: true });
  expect(mode({ PLAYGROUND: 'off' })).toEqual({ mode: 'none' });
  expect(mode({ PLAYGROUND: 'on', SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }).mode).toBe(
    'socket',
  );
});

test.each([
  [{ SLACK_BOT_TOKEN: 'xoxb-1' }],
  [{ SLACK_APP_TOKEN: 'xapp-1' }],
  [{ SLACK_SIGNING_SECRET: 'abc' }],
])('half of the tokens is refused: %j', (environment) => {
  expect(() => readConfig(environment)).toThrow(/^The Slack tokens are incomplete; allowed: /);
});
