import { isIP } from 'node:net';
import { z } from 'zod';
import { isZoneOrOffset } from '../time/zones.ts';
import { trackerSettings, trackers } from '../trackers/index.ts';
import { address, oneOf, secret, unquotable, wholeNumber } from '../trackers/setting-shapes.ts';

const zone = z.string().refine(isZoneOrOffset, { error: 'Try: an IANA time zone such as Europe/Berlin' });

/** The hexadecimal digits of a key of AES-256. */
const secretKey = /^[0-9a-f]{64}$/i;

const MAX_PER_MINUTE = 1_000_000;

const service = {
  PORT: wholeNumber(0, 65_535).default(3000).describe('the port Dwell listens on'),
  HOST: z.string().default('127.0.0.1').describe('the address it listens on'),
  BASE_URL: address
    .optional()
    .describe(
      'the address people and programs reach it at from outside, with its path if there is one; unset: where it listens. Links in answers begin with it. With Slack and without it, messages have no links to Dwell',
    ),
  TIME_ZONE: zone
    .optional()
    .describe(
      "the time zone of the tracker's server, used for dates without an offset, and for people whose zone the tracker does not name; unset: the machine's",
    ),
  DEFAULT_CALENDAR: z
    .string()
    .optional()
    .describe(
      'the calendar, by name or id, of Slack channels and people that chose none, of assistants, and of REST requests with `calendar=default`; unset: 24/7',
    ),
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('the folder for issues, tokens, settings and files; [what is in it](operations.md#data)'),
  DATABASE_URL: z
    .string()
    .superRefine((url, { addIssue }) => {
      const problem = databaseAddressProblem(url);
      if (problem !== null) addIssue(problem);
    })
    .optional()
    .meta(unquotable)
    .describe(
      'a PostgreSQL database, instead of the file in `DATA_DIR`; it needs `SECRET_KEY`. Unset: SQLite in `DATA_DIR`',
    ),
  SECRET_KEY: z
    .string()
    .regex(secretKey, { error: 'Try: 64 hexadecimal digits; npx dwell secrets new-key prints a key' })
    .optional()
    .meta(unquotable)
    .describe(
      'the key that stored secrets are encrypted with, such as the key that signs tokens; `npx dwell secrets new-key` prints one. Required with `DATABASE_URL`; unset: they are stored as they are. See [the key of secrets](operations.md#the-key-of-secrets)',
    ),
  SECRET_KEY_OLD: z
    .string()
    .transform((keys) => keys.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every((key) => secretKey.test(key)), {
      error: 'Try: keys of 64 hexadecimal digits, separated by commas',
    })
    .optional()
    .meta(unquotable)
    .describe('former keys, which can still decrypt'),
  BLOBS: z
    .string()
    .regex(/^(folder|table|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.+(\/|$))[\w.-]+)*\/?)$/, {
      error: 'Try: folder, table, or a bucket such as s3://my-bucket/dwell',
    })
    .optional()
    .describe(
      'where files of exports and column snapshots are: in `DATA_DIR`, in the database, or in a bucket of a service that speaks the protocol of S3; unset: in the database with `DATABASE_URL`, else in `DATA_DIR`. See [blobs](operations.md#blobs)',
    ),
  S3_ENDPOINT: address.optional().describe("the address of that service; unset: Amazon's own in `S3_REGION`"),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, { error: 'Try: a region such as eu-central-1, or auto' })
    .default('us-east-1')
    .describe('its region, as requests are signed for it'),
  S3_ACCESS_KEY_ID: secret.describe('the id of an access key for the bucket'),
  S3_SECRET_ACCESS_KEY: secret.describe('the secret of that key'),
  KEYV_URL: z
    .string()
    .refine(isRedis, {
      error:
        'Try: the address of a Redis such as redis://localhost:6379 or rediss://user:password@host:6380/0',
    })
    .optional()
    .meta(unquotable)
    .describe(
      "a Redis that holds what several processes can share of the caches (people's names and addresses, guests, pictures) and of the counts of requests; unset: in memory. One database per Dwell, encrypted and with a password, and with `maxmemory` set. Runs, pages, channels and formats stay in `DATA_DIR`",
    ),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent')
    .default('info')
    .describe('how much is logged; logs go to standard error as JSON'),
  METRICS_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe(
      'a port of its own for `/metrics`, which the main port then does not have. See [monitoring](monitoring.md#reading-the-metrics)',
    ),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('the address that port is on; one that other machines reach needs `METRICS_TOKEN`'),
  METRICS_TOKEN: secret.describe(
    'a token for `/metrics`, sent as `Authorization: Bearer TOKEN`; unset: only this machine can read the metrics',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: address
    .optional()
    .describe(
      'the address of a collector that traces are sent to (OTLP over HTTP), such as http://localhost:4318; it needs [packages of its own](monitoring.md#traces). Unset: nothing is traced',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine((list) => list.split(',').every((pair) => /^\s*[!#$%&'*+.^`|~\w-]+\s*=[^,]*$/.test(pair)), {
      error: 'Try: headers such as api-key=SECRET, separated by commas',
    })
    .optional()
    .meta(unquotable)
    .describe('headers of the requests to it, such as `api-key=SECRET`, separated by commas'),
  MAX_LONG_ANSWERS: wholeNumber(1, 1000)
    .default(16)
    .describe('how many reports over many issues are answered at a time; others wait for their turn'),
  MAX_LONG_ANSWERS_PER_USER: wholeNumber(1, 1000)
    .default(3)
    .describe('how many of them one user has at a time'),
  MAX_WAIT_SECONDS: wholeNumber(1, 600)
    .default(10)
    .describe(
      'how long such a report waits for its turn, in seconds, until it is refused: over REST and MCP with 503 and `Retry-After`, in Slack with a sentence. Once the first in line has waited for a fifth of that time, others are refused at once',
    ),
  MAX_REQUESTS_PER_MINUTE: requests(1_200).describe(
    'how many requests over REST and MCP one token can send in a minute; those over it are refused with 429, `Retry-After` and the headers `RateLimit-Policy` and `RateLimit`. `off`: any number',
  ),
  MAX_REQUESTS_PER_MINUTE_PER_ADDRESS: requests(6_000).describe(
    'the same for one client address (of IPv6: a /64), whatever its tokens; a request without a valid token counts five times. `/healthz`, `/readyz` and requests of Slack do not count',
  ),
  MAX_REQUESTS_PER_MINUTE_PER_TENANT: requests(30_000).describe('the same for all tokens together'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine((all) => all.every(isProxy), {
      error: 'Try: addresses and networks, separated by commas, such as 10.0.0.0/8,fd00::/8, or loopback',
    })
    .optional()
    .describe(
      'the addresses and networks of proxies in front of Dwell, separated by commas (`loopback` for this machine); the client address is the last one in their `X-Forwarded-For` that is none of them. Unset: that header does not count, and what a proxy in a private network sends is not limited by address',
    ),
  AUDIT_QUESTIONS: oneOf('on', 'off')
    .default('off')
    .describe(
      'whether the [audit log](operations.md#audit) also has who asked what; changes, and what leaves Dwell, are always in it',
    ),
  AUDIT_QUESTION_DAYS: wholeNumber(1, 36_500)
    .default(90)
    .describe('the days for which questions are in the audit log'),
  AUDIT_DAYS: wholeNumber(0, 36_500)
    .default(730)
    .describe('the days for which everything else is in the audit log; 0: for good'),
  PLAYGROUND: oneOf('on', 'off')
    .optional()
    .describe(
      'whether a simulated Slack is open while no Slack tokens are set; unset: where only this machine can reach it, over your own issues with a code. See [the playground](install.md#the-playground)',
    ),
};

const issues = {
  TRACKER: oneOf(...trackers.map(({ name }) => name))
    .optional()
    .describe(
      'where issues come from; unset: the connected tracker that is configured, such as Jira, else the imported issues if there are any, else the sample',
    ),
  ...trackerSettings,
  SYNC_SECONDS: wholeNumber(10, 86_400)
    .default(60)
    .describe('the seconds between two checks for updated issues'),
  TIS_BASE_URL: address
    .optional()
    .describe("a time-in-status service that answers instead of Dwell's own engine"),
  TIS_TOKEN: secret.describe('a token for it'),
};

const delegations = {
  DELEGATION_BASE_URL: address
    .optional()
    .describe('the address of a tracker that hosts delegations (Keychain); unset: Dwell stores them'),
  // Name and password are sent as one text with a colon between them (RFC 7617, 2), a token as it is.
  DELEGATION_USER: z
    .string()
    .regex(/^[^:\p{Cc}]+$/u, { error: 'Try: a user name without a colon and without control characters' })
    .optional()
    .meta(unquotable)
    .describe('a user with *View & Edit All Delegations* there'),
  DELEGATION_PASSWORD: z
    .string()
    .regex(/^\P{Cc}+$/u, { error: 'Try: a password without control characters' })
    .optional()
    .meta(unquotable)
    .describe('the password of that user'),
  DELEGATION_TOKEN: secret.describe('a bearer token, instead of user and password'),
  DELEGATION_DAYS: wholeNumber(0, 36_500)
    .default(0)
    .describe(
      'the days after their end for which delegations that Dwell stores are kept, with all their versions; reports that credit delegates lack those that were removed. 0: for good',
    ),
};

const slack = {
  SLACK_BOT_TOKEN: prefixed('xoxb-').describe('the bot token, together with one of the next two'),
  SLACK_APP_TOKEN: prefixed('xapp-').describe('Socket Mode: the app-level token'),
  SLACK_SIGNING_SECRET: z.string().optional().meta(unquotable).describe('signed HTTP: the signing secret'),
};

/** Every setting with how it is read, what it means and what is refused, by the tables of docs/settings.md. */
export const settings = { service, issues, delegations, slack };

export const settingsSchema = z.object({ ...service, ...issues, ...delegations, ...slack });

/** The settings as they were read. */
export type SettingValues = z.output<typeof settingsSchema>;

/** Requests in a minute; null: any number. */
function requests(byDefault: number) {
  const isLimit = (text: string) => /^[1-9]\d*$/.test(text) && Number(text) <= MAX_PER_MINUTE;
  return z
    .string()
    .refine((text) => text === 'off' || isLimit(text), {
      error: `Try: off, or a whole number from 1 to ${MAX_PER_MINUTE}`,
    })
    .transform((text) => (text === 'off' ? null : Number(text)))
    .default(byDefault);
}

/** Returns true for an address, a network such as 10.0.0.0/8, or the word that stands for this machine. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...surplus] = text.split('/');
  const family = isIP(address);
  if (text === 'loopback') return true;
  const isNetwork = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  return family !== 0 && isNetwork && surplus.length === 0;
}

function prefixed(prefix: string) {
  return z
    .string()
    .startsWith(prefix, { error: `Try: a token that starts with ${prefix}` })
    .optional()
    .meta(unquotable);
}

function isRedis(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hostname, pathname, search, hash } = new URL(url);
  return (
    /^rediss?:$/.test(protocol) &&
    isEncoded(username + password) &&
    hostname !== '' &&
    /^(\/\d*)?$/.test(pathname) &&
    search + hash === ''
  );
}

/** The options of the address of a database that are read, those first that people need. */
const databaseOptions: readonly string[] = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'options', 'port', 'user', 'password'],
  ...['application_name', 'fallback_application_name', 'client_encoding', 'ssl'],
  ...['sslnegotiation', 'uselibpqcompat', 'statement_timeout', 'lock_timeout', 'query_timeout'],
  'idle_in_transaction_session_timeout',
  // Services have these in the addresses that they give out; they change nothing here.
  ...['channel_binding', 'connect_timeout', 'gssencmode', 'keepalives', 'keepalives_idle', 'pgbouncer'],
  'target_session_attrs',
];

/** The values of options that have a few. Any other would pass silently, and encrypt or not as no one expects. */
const databaseOptionValues: Readonly<Record<string, readonly string[]>> = {
  sslmode: ['verify-full', 'verify-ca', 'require', 'prefer', 'no-verify', 'disable'],
  ssl: ['true', '1', '0', 'no-verify'],
  sslnegotiation: ['postgres', 'direct'],
};

/** Returns what is wrong with the address of a database, and what works, without its password; null where it is right. */
export function databaseAddressProblem(url: string): string | null {
  const example =
    'Try: the address of a database such as postgres://user:password@host:5432/dwell; of a password, # is %23, / is %2F, ? is %3F, @ is %40';
  if (!isPostgres(url)) return example;
  const { search, searchParams } = new URL(url);
  const known = databaseOptions.slice(0, 6).join(', ');
  for (const [name, value] of searchParams) {
    const isKnown = databaseOptions.includes(name);
    const allowed = databaseOptionValues[name] ?? [value];
    const isOnce = searchParams.getAll(name).length === 1 && !(name === 'ssl' && searchParams.has('sslmode'));
    if (isKnown && isOnce && allowed.includes(value)) continue;
    // The rest of a password with a ? or an & in it looks like options, and must not be repeated.
    if (search.includes('@')) return example;
    if (searchParams.has('password')) return `One of its options is not valid. Try: ${known}`;
    if (!isKnown) return `It has the unknown option '${name}'. Try: ${known}`;
    if (!isOnce) return `Its option ${name} repeats another one. Try: sslmode alone, each option once`;
    return `Its option ${name} is '${value}'. Try: ${allowed.join(', ')}`;
  }
  return null;
}

function isPostgres(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hostname, pathname, searchParams, hash } = new URL(url);
  // That of a socket has its folder as a parameter.
  const isPlace = hostname !== '' || searchParams.has('host');
  // A password that is not encoded ends as the name of a database, or behind a #.
  const isWhole = /^(\/[^/@]*)?$/.test(pathname) && hash === '';
  return /^postgres(ql)?:$/.test(protocol) && isEncoded(username + password) && isPlace && isWhole;
}

/** A stray percent sign is not. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
