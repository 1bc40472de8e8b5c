import { afterAll, beforeAll, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { secretsIn } from '../../src/compose/config.ts';
import { openLog } from '../../src/compose/log-problem.ts';
import { settingsSchema } from '../../src/compose/settings-schema.ts';
import { createRedact } from '../../src/telemetry/redact.ts';
import { until } from '../support/local-exports.ts';
import { startDwellInSlack } from '../support/start-slack.ts';

/** The letters that every secret of these tests has, so that whatever is left of one is found. */
const MARK = 'hunter2';

/** A value of each setting that is a secret; what they have in common is in no other line. */
const secretSettings: Readonly<Record<string, string>> = {
  DATABASE_URL: `postgres://dwell:${MARK}pg@db.example/dwell`,
  SECRET_KEY: 'ab12'.repeat(16),
  SECRET_KEY_OLD: `${'cd34'.repeat(16)},${'ef56'.repeat(16)}`,
  S3_ACCESS_KEY_ID: `${MARK}s3id`,
  S3_SECRET_ACCESS_KEY: `${MARK}s3secret`,
  KEYV_URL: `redis://:${MARK}redis@cache.example:6379`,
  METRICS_TOKEN: `${MARK}metrics`,
  OTEL_EXPORTER_OTLP_HEADERS: `api-key=${MARK}otel`,
  JIRA_EMAIL: `${MARK}@example.com`,
  JIRA_API_TOKEN: `${MARK}api`,
  JIRA_PAT: `${MARK}pat`,
  JIRA_CLIENT_ID: `${MARK}client`,
  JIRA_CLIENT_SECRET: `${MARK}clientsecret`,
  JIRA_WEBHOOK_SECRET: `${MARK}webhook`,
  LINEAR_API_KEY: `${MARK}linear`,
  LINEAR_WEBHOOK_SECRET: `${MARK}linearwebhook`,
  TIS_TOKEN: `${MARK}tis`,
  DELEGATION_USER: `${MARK}user`,
  DELEGATION_PASSWORD: `${MARK} "pass\\word"`,
  DELEGATION_TOKEN: `${MARK}delegation`,
  SLACK_BOT_TOKEN: `xoxb-${MARK}`,
  SLACK_APP_TOKEN: `xapp-${MARK}`,
  SLACK_SIGNING_SECRET: `${MARK}signing`,
};

/** Secrets that no setting has, as they come in requests and in errors of libraries. */
const passing = [
  `xoxp-1-${MARK}`,
  `https://hooks.slack.com/actions/T1/${MARK}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.${MARK}`,
  `Bearer ${MARK}.token-of-others`,
  `TISJWT ${MARK}abcdef`,
  `Basic ${Buffer.from(`ada:${MARK}`).toString('base64')}`,
  `https://dwell.example/rest/issues?tisjwt=${MARK}&filterType=project`,
  `https://ada:${MARK}@jira.example/rest`,
];

test('each setting that is a secret is in the list of what the log leaves out', () => {
  const secret = settingsSchema.keyof().options.filter((name) => settingsSchema.shape[name].meta()?.isSecret);
  expect(Object.keys(secretSettings).toSorted()).toEqual(secret.toSorted());
  for (const [name, value] of Object.entries(secretSettings)) {
    const redact = createRedact(secretsIn({ [name]: value }));
    const line = JSON.stringify({
      msg: `it was ${value}`,
      address: encodeURI(`https://example.com/${value}`),
    });
    expect([name, redact(line)]).toEqual([name, expect.not.stringMatching(/hunter2|(?:ab12|cd34|ef56){4}/)]);
    for (const part of value.split(',')) {
      expect([name, redact(`it was ${part}`)]).toEqual([name, expect.not.stringContaining(part)]);
    }
  }
});

test.each([
  'first line\nxoxb-1234567890-abcdefghijkl',
  'header\nBearer abcdefgh12345678',
  'jwt:\r\neyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl',
  'tab\taccess_token=abcdef123456',
])('a secret after a line break or a tab is taken out: %j', (text) => {
  const redact = createRedact([]);
  expect(redact(JSON.stringify({ text }))).toMatch(/\[redacted\]"\}$/);
});

test('members that are secrets by their names are taken out, also of a JSON text in a line', () => {
  const redact = createRedact([]);
  const answer = JSON.stringify({ access_token: 'zzzzzzzzzz', password: 'hunter22', user: 'ada' });
  expect(redact(answer)).toBe('{"access_token":"[redacted]","password":"[redacted]","user":"ada"}');
  expect(JSON.parse(redact(JSON.stringify({ answer }))).answer).toBe(redact(answer));
});

test('words that only look like secrets stay', () => {
  const redact = createRedact(['sesame-sesame']);
  for (const text of [
    'The header must read "TISJWT <token>".',
    'Basic authentication is not allowed; the Bearer realm="Dwell" is.',
    'https://dwell.example/rest/issues?filterType=project&projectKey=WEB',
    '{"request":"4bf92f35-77b3-4da6-a3ce-929d0e0e4736","token":"0813713b-8ea5-44a3-be85-1add7086bf9e"}',
  ])
    expect(redact(text)).toBe(text);
});

test('a line of a million letters that could each begin a secret is read like any other', () => {
  const redact = createRedact(['sesame-sesame']);
  const text = 'a.'.repeat(500_000);
  expect(redact(`${text} sesame-sesame`) === `${text} [redacted]`).toBe(true);
});

/** A failure as libraries make them: secrets in its message, its stack, its cause, and in whole requests at its side. */
function leaking(): Error {
  const error = new Error(passing.join(' '), {
    cause: new Error(`${passing[0]} ${secretSettings.JIRA_PAT}`),
  });
  return Object.assign(error, {
    config: { headers: { Authorization: `${MARK} in a form that nothing knows` } },
    note: passing[1],
  });
}

const logged: string[] = [];
let place: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  const secrets = secretsIn(secretSettings);
  const destination = { write: (line: string) => void logged.push(line) };
  place = await startDwellInSlack({
    log: await openLog('debug', { secrets, destination }),
    async trackerBuilder(config, parts) {
      const built = await buildTracker(config, parts);
      const fail = async (): Promise<never> => {
        throw leaking();
      };
      return { ...built, mirror: async () => ({ ...(await built.mirror()), issue: fail, table: fail }) };
    },
  });
});
afterAll(() => place.stop());

test('failures of every door are logged under the id of their request, without a secret', async () => {
  const headers = await place.dwell.headerOf('ada');
  const rest = await place.dwell.get(
    `/rest/issue?issueKey=WEB-1&columnsBy=statusDuration`,
    {},
    {
      ...headers,
      'X-Request-Id': 'rest-1',
    },
  );
  expect([rest.status, rest.json.messages[0]]).toEqual([500, expect.stringContaining('under rest-1.')]);
  await fetch(`${place.dwell.url}/rest/issue?issueKey=WEB-1&columnsBy=statusDuration&tisjwt=${MARK}`);
  const mcp = await fetch(`${place.dwell.url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      ...{ 'Content-Type': 'application/json', 'X-Request-Id': 'mcp-1' },
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'issue_history', arguments: { issueKey: 'WEB-1' } },
    }),
  });
  expect(await mcp.text()).toContain('under mcp-1.');
  expect((await place.slack.answerTo('/tis WEB-1')).text).toContain('Something went wrong on our side');
  await until(() => logged.some((line) => line.includes('"door":"slack"')));
  const errors = logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
  expect(errors.map(({ request }) => request)).toEqual([
    ...['rest-1', 'mcp-1'],
    expect.stringMatching(/^[\da-f-]{36}$/),
  ]);
  for (const { err } of errors) expect(err.message).toContain('[redacted]');
  expect(logged.filter((line) => line.includes(MARK))).toEqual([]);
});
