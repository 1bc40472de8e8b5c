import { describe, expect, test } from '#jest';
import { readConfig } from '../../src/compose/config.ts';
import { AppError } from '../../src/model/error.ts';
import { trackers } from '../../src/trackers/index.ts';

test('everything has a default', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    tracker: null,
    logLevel: 'info',
    slack: { mode: 'playground', isOpen: false },
  });
  expect(config.timeZone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(Object.isFrozen(config)).toBe(true);
});

test('limits of requests can be switched off, and trusted proxies are a list', () => {
  const { requestLimits, trustedProxies } = readConfig({
    ...{ MAX_REQUESTS_PER_MINUTE: 'off', MAX_REQUESTS_PER_MINUTE_PER_ADDRESS: 'off' },
    TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,fd00::/8,192.0.2.1',
  });
  expect(requestLimits).toEqual({ token: null, address: null, tenant: 30_000 });
  expect(trustedProxies).toEqual(['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.1']);
});

test('an empty value is no value', () => {
  expect(readConfig({ PORT: '', TRACKER: ' ', SLACK_BOT_TOKEN: '' })).toEqual(readConfig({}));
});

test.each([
  [{ PORT: '80a' }, "PORT '80a' is not known. Try: a whole number from 0 to 65535."],
  [{ PORT: '70000' }, "PORT '70000' is not known. Try: a whole number from 0 to 65535."],
  [
    { TRACKER: 'trello' },
    `TRACKER 'trello' is not known. Try: ${trackers.map(({ name }) => name).join(', ')}.`,
  ],
  [
    { TIME_ZONE: 'Mars/Base' },
    "TIME_ZONE 'Mars/Base' is not known. Try: an IANA time zone such as Europe/Berlin.",
  ],
  [{ LOG_LEVEL: 'loud' }, "LOG_LEVEL 'loud' is not known. Try: fatal, error, warn, info, debug, silent."],
  [{ SLACK_BOT_TOKEN: 'secret-thing' }, 'SLACK_BOT_TOKEN is not valid. Try: a token that starts with xoxb-.'],
  [
    { JIRA_API_TOKEN: 'top secret' },
    'JIRA_API_TOKEN is not valid. Try: a token of ASCII characters without blanks.',
  ],
  [
    { JIRA_JQL: 'project = WEB order by key' },
    "JIRA_JQL 'project = WEB order by key' is not known. Try: JQL without ORDER BY.",
  ],
  [
    { JIRA_REQUESTS_PER_MINUTE: '0' },
    "JIRA_REQUESTS_PER_MINUTE '0' is not known. Try: a whole number from 1 to 3000.",
  ],
  [
    { MAX_REQUESTS_PER_MINUTE: 'none' },
    "MAX_REQUESTS_PER_MINUTE 'none' is not known. Try: off, or a whole number from 1 to 1000000.",
  ],
  ...[
    'MAX_REQUESTS_PER_MINUTE',
    'MAX_REQUESTS_PER_MINUTE_PER_ADDRESS',
    'MAX_REQUESTS_PER_MINUTE_PER_TENANT',
  ].map(
    (name) =>
      [{ [name]: '0' }, `${name} '0' is not known. Try: off, or a whole number from 1 to 1000000.`] as const,
  ),
  [
    { TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33' },
    "TRUSTED_PROXIES '10.0.0.0/8, 10.0.0.0/33' is not known. Try: addresses and networks, separated by commas, such as 10.0.0.0/8,fd00::/8, or loopback.",
  ],
  [{ SYNC_SECONDS: '5' }, "SYNC_SECONDS '5' is not known. Try: a whole number from 10 to 86400."],
])('a wrong value is refused in one sentence, without a secret: %j', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(sentence);
});

test('the address of a Redis is never repeated where it is wrong', () => {
  const sentence =
    'KEYV_URL is not valid. Try: the address of a Redis such as redis://localhost:6379 or rediss://user:password@host:6380/0.';
  for (const wrong of [
    'localhost:6379',
    'http://:pw@host',
    'redis://:pw@host/a',
    'redis://:pw@host?x',
    'redis://user:p%zz@host',
    'redis://us%er:pw@host',
    'redis:///0',
  ]) {
    expect(() => readConfig({ KEYV_URL: wrong })).toThrow(sentence);
  }
  for (const right of ['redis://localhost', 'rediss://ada:pw@cache.example.com:6380/2']) {
    expect(readConfig({ KEYV_URL: right }).keyvUrl).toBe(right);
  }
  expect(readConfig({}).keyvUrl).toBeNull();
});

describe('where blobs are', () => {
  const key = { S3_ACCESS_KEY_ID: 'AKIAEXAMPLE', S3_SECRET_ACCESS_KEY: 'secret+of/that/key' };
  const account = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret+of/that/key' };

  test('is what is set, or left to the database', () => {
    expect(readConfig(key).blobs).toBeNull();
    expect(readConfig({ BLOBS: 'folder' }).blobs).toEqual({ kind: 'folder' });
    expect(readConfig({ BLOBS: 'table', ...key }).blobs).toEqual({ kind: 'table' });
    expect(readConfig({ BLOBS: 's3://my-bucket', S3_REGION: 'eu-central-1', ...key }).blobs).toEqual({
      ...{ kind: 's3', bucket: 'my-bucket', prefix: '', region: 'eu-central-1', ...account },
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
    });
    const minio = { BLOBS: 's3://my.bucket/dwell/one/', S3_ENDPOINT: 'http://minio:9000/' };
    expect(readConfig({ ...minio, ...key }).blobs).toEqual({
      ...{ kind: 's3', bucket: 'my.bucket', prefix: 'dwell/one', region: 'us-east-1', ...account },
      endpoint: 'http://minio:9000',
    });
  });

  test.each([
    [
      { BLOBS: 'disk' },
      "BLOBS 'disk' is not known. Try: folder, table, or a bucket such as s3://my-bucket/dwell.",
    ],
    [
      { BLOBS: 's3://AKIA:pw@my-bucket' },
      'BLOBS is not valid. Try: folder, table, or a bucket such as s3://my-bucket/dwell.',
    ],
    [{ BLOBS: 's3://my-bucket/../x' }, "BLOBS 's3://my-bucket/../x' is not known."],
    [{ S3_ENDPOINT: 'https://AKIA:pw@minio' }, 'S3_ENDPOINT is not valid.'],
    [
      { S3_REGION: 'Frankfurt am Main' },
      "S3_REGION 'Frankfurt am Main' is not known. Try: a region such as eu-central-1, or auto.",
    ],
    [{ S3_SECRET_ACCESS_KEY: 'my secret' }, 'S3_SECRET_ACCESS_KEY is not valid.'],
    [
      { BLOBS: 's3://my-bucket', S3_ACCESS_KEY_ID: 'AKIAEXAMPLE' },
      "BLOBS 's3://my-bucket' needs an access key. Try: S3_ACCESS_KEY_ID with S3_SECRET_ACCESS_KEY, or BLOBS=folder.",
    ],
  ])('is refused in one sentence that repeats no secret: %j', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence);
  });
});

const [key, oldKey] = ['0a', '1B'].map((byte) => byte.repeat(32)) as [string, string];

test('a key of secrets is 64 hexadecimal digits, and never repeated', () => {
  const { secretKeys } = readConfig({ SECRET_KEY: key, SECRET_KEY_OLD: `${oldKey}, ${'2c'.repeat(32)}` });
  expect([secretKeys?.byId.size, readConfig({ SECRET_KEY: key }).secretKeys?.byId.size]).toEqual([3, 1]);
  expect(readConfig({ SECRET_KEY: key.toUpperCase() }).secretKeys?.current).toBe(secretKeys?.current);
  expect(readConfig({}).secretKeys).toBeNull();
  for (const wrong of [key.slice(1), `${key}0`, `g${key.slice(1)}`, `${key},${oldKey}`, 'open sesame']) {
    expect(() => readConfig({ SECRET_KEY: wrong })).toThrow(
      /^SECRET_KEY is not valid\. Try: 64 hexadecimal digits; npx dwell secrets new-key prints a key\.$/,
    );
    if (wrong.includes(',')) continue;
    expect(() => readConfig({ SECRET_KEY: key, SECRET_KEY_OLD: `${oldKey},${wrong}` })).toThrow(
      /^SECRET_KEY_OLD is not valid\. Try: keys of 64 hexadecimal digits, separated by commas\.$/,
    );
  }
  expect(() => readConfig({ SECRET_KEY_OLD: oldKey })).toThrow(
    'SECRET_KEY_OLD is set without SECRET_KEY. Set SECRET_KEY as well.',
  );
});

test('a PostgreSQL database needs a key of secrets, and its address is never repeated', () => {
  for (const right of [
    'postgres://dwell:pw@db.example.com:5432/dwell?sslmode=require',
    'postgresql://localhost/dwell',
    'postgres:///dwell?host=/var/run/postgresql',
    'postgres://dwell:pw@db.example.com/dwell?sslmode=verify-full&channel_binding=require&options=-c%20geqo%3Doff',
  ]) {
    expect(readConfig({ DATABASE_URL: right, SECRET_KEY: key }).databaseUrl).toBe(right);
    expect(() => readConfig({ DATABASE_URL: right })).toThrow(
      /^DATABASE_URL needs SECRET_KEY, which .* this command prints: npx dwell secrets new-key\.$/,
    );
  }
  for (const wrong of [
    'localhost:5432',
    'mysql://u:pw@host/dwell',
    'postgres://u:p%zz@host/d',
    'postgres:///d',
    'postgres://dwell:12?s3cret@host/d',
    'postgres://dwell:12?s3cret&sslmode=s3cret@host/d',
  ]) {
    expect(() => readConfig({ DATABASE_URL: wrong, SECRET_KEY: key })).toThrow(
      /^DATABASE_URL is not valid\. Try: the address of a database such as postgres:\/\/user:password@host:5432\/dwell; /,
    );
  }
  expect(readConfig({}).databaseUrl).toBeNull();
});

test.each([
  [
    'sslmode=nonsense',
    "Its option sslmode is 'nonsense'. Try: verify-full, verify-ca, require, prefer, no-verify, disable",
  ],
  ['ssl=false', "Its option ssl is 'false'. Try: true, 1, 0, no-verify"],
  ['sslmode=disable&ssl=true', 'Its option ssl repeats another one. Try: sslmode alone, each option once'],
  [
    'sslmode=verify-full&sslmode=disable',
    'Its option sslmode repeats another one. Try: sslmode alone, each option once',
  ],
  ['sslnegotiation=Direct', "Its option sslnegotiation is 'Direct'. Try: postgres, direct"],
  [
    'sslmod=verify-full',
    "It has the unknown option 'sslmod'. Try: sslmode, sslrootcert, sslcert, sslkey, host, options",
  ],
])('the option %s of the address of a database is refused', (option, why) => {
  expect(() =>
    readConfig({ DATABASE_URL: `postgres://dwell:pw@host/dwell?${option}`, SECRET_KEY: key }),
  ).toThrow(new Error(`DATABASE_URL is not valid. ${why}.`));
});

test.each([
  'postgres://dwell:?s3cret#x@host/dwell',
  'postgres://dwell:12?s3cret#x@host/dwell',
  'postgres://dwell:/s3cret@host/dwell',
  'postgres://dwell:#s3cret@host/dwell',
  'postgres://dwell:pw@x?ssl=s3cret@host/dwell',
  'postgres://host/dwell?user=dwell&password=hunter&s3cret',
])('of the address %s no part of the password is repeated', (url) => {
  expect(() => readConfig({ DATABASE_URL: url, SECRET_KEY: key })).toThrow(/^DATABASE_URL is not valid/);
  expect(() => readConfig({ DATABASE_URL: url, SECRET_KEY: key })).not.toThrow(/s3cret/);
});

test.each(['BASE_URL', 'JIRA_BASE_URL', 'TIS_BASE_URL', 'DELEGATION_BASE_URL'])(
  'a user or a password in %s is refused, and never repeated',
  (name) => {
    const refusal = (url: string) => {
      try {
        readConfig({ [name]: url });
      } catch (error) {
        return error instanceof AppError ? error.message : '';
      }
      return '';
    };
    const sentence = `${name} is not valid. Try: an address without a user and a password, which have settings of their own.`;
    for (const url of [
      'https://bob:pw@jira.example.com',
      'https://bob@jira.example.com/x',
      'https://:pw@host',
    ]) {
      expect(refusal(url)).toBe(sentence);
    }
    for (const url of ['htp://bob:pw@host', 'https://bob:pw@host/?x', 'bob:pw@host']) {
      expect(refusal(url)).toMatch(/is not valid. Try: an address/);
      expect(refusal(url)).not.toContain('pw');
    }
    expect(refusal('https://jira.example.com/?token=pw')).toBe(
      `${name} is not valid. Try: an address without ? and #.`,
    );
  },
);

const delegation = { DELEGATION_BASE_URL: 'https://jira.dwell.example' };
const control = 'without control characters';

test.each([
  ['DELEGATION_USER', 'eve:s3cret', `Try: a user name without a colon and ${control}`],
  ['DELEGATION_USER', 'eve\u0000s3cret', `Try: a user name without a colon and ${control}`],
  ['DELEGATION_PASSWORD', 's3cret\nmore', `Try: a password ${control}`],
  ['DELEGATION_PASSWORD', 's3cret\u0085', `Try: a password ${control}`],
  ['DELEGATION_TOKEN', 's3cret\r\nmore', 'Try: a token of ASCII characters without blanks'],
  ['DELEGATION_TOKEN', 's3cret more', 'Try: a token of ASCII characters without blanks'],
  ['DELEGATION_TOKEN', 's3cret€', 'Try: a token of ASCII characters without blanks'],
])('%s that no header can hold is told without repeating it: %j', (name, value, allowed) => {
  const sentence = `${name} is not valid. ${allowed}.`;
  expect(() => readConfig({ ...delegation, [name]: value })).toThrow(new AppError('invalid-value', sentence));
});

test.each([
  [
    { DELEGATION_USER: 'Jörg M. (外)', DELEGATION_PASSWORD: 'a: b € 🏖️' },
    { kind: 'basic', user: 'Jörg M. (外)', password: 'a: b € 🏖️' },
  ],
  [
    { DELEGATION_TOKEN: "eyJhbGciOi.J9-_~+/==!#$%&'*^`|:" },
    { kind: 'bearer', token: "eyJhbGciOi.J9-_~+/==!#$%&'*^`|:" },
  ],
])('credentials of the delegation service may have any character of a header: %j', (set, credentials) => {
  expect(readConfig({ ...delegation, ...set }).delegation?.credentials).toEqual(credentials);
});

test('the tokens decide how Slack is reached', () => {
  const bot = { SLACK_BOT_TOKEN: 'xoxb-1' };
  expect(readConfig({ ...bot, SLACK_APP_TOKEN: 'xapp-1' }).slack.mode).toBe('socket');
  expect(readConfig({ ...bot, SLACK_SIGNING_SECRET: 'abc' }).slack.mode).toBe('http');
});

test('the playground opens by itself only where nobody else can reach it', () => {
  const mode = (environment: Record<string, string>) => readConfig(environment).slack;
  const closed = { mode: 'playground', isOpen: false };
  expect(mode({ HOST: 'localhost' })).toEqual(closed);
  expect(mode({ HOST: '127.0.0.2' })).toEqual(closed);
  expect(mode({ HOST: '0.0.0.0' })).toEqual({ mode: 'none', because: 'HOST' });
  expect(mode({ HOST: '127.0.0.1.example.com' })).toEqual({ mode: 'none', because: 'HOST' });
  expect(mode({ HOST: '0.0.0.0', PLAYGROUND: 'on' })).toEqual({ mode: 'playground', isOpen: true });
  for (const BASE_URL of ['http://localhost:8080/dwell', 'https://127.0.0.1', 'http://[::1]:3000'])
    expect(mode({ BASE_URL })).toEqual(closed);
  for (const BASE_URL of [
    'https://dwell.example.com',
    'http://localhost.example.com',
    'http://10.0.0.7:3000',
  ]) {
    expect(mode({ BASE_URL })).toEqual({ mode: 'none', because: 'BASE_URL' });
    expect(mode({ BASE_URL, PLAYGROUND: 'on' })).toEqual({ mode: 'playground', isOpen: true });
  }
  expect(mode({ PLAYGROUND: 'off' })).toEqual({ mode: 'none', because: 'PLAYGROUND' });
  expect(mode({ PLAYGROUND: 'on', SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }).mode).toBe(
    'socket',
  );
});

test('a time-in-status service elsewhere needs an address and a token', () => {
  const whole = { TIS_BASE_URL: 'https://tis.example.com/', TIS_TOKEN: 'eyJ' };
  expect(readConfig(whole).hostedReporting).toEqual({ baseUrl: 'https://tis.example.com', token: 'eyJ' });
  expect(() => readConfig({ TIS_TOKEN: 'eyJ' })).toThrow(
    'The settings of the time-in-status service are incomplete. Try: TIS_BASE_URL with TIS_TOKEN, or none of them (Dwell computes itself).',
  );
});
