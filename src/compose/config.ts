import { resolve } from 'node:path';
import type { TurnLimits } from '../concurrency/answer-turns.ts';
import { AppError } from '../model/error.ts';
import type { BlobPlace } from '../store/open-blobs.ts';
import { readSecretKeys, type SecretKeys } from '../store/sealed-secrets.ts';
import { machineZone } from '../time/zones.ts';
import type { JiraLogin } from '../trackers/jira/jira-access.ts';
import { type SettingValues, settingsSchema } from './settings-schema.ts';

/**
 * Where the Slack door is reached: over sockets we open, over HTTP Slack calls, only in the playground (open also to
 * others than this machine, if told to), or not at all, because one of the settings says so.
 */
type SlackConfig =
  | { readonly mode: 'none'; readonly because: 'PLAYGROUND' | 'HOST' | 'BASE_URL' }
  | { readonly mode: 'playground'; readonly isOpen: boolean }
  | { readonly mode: 'socket'; readonly botToken: string; readonly appToken: string }
  | { readonly mode: 'http'; readonly botToken: string; readonly signingSecret: string };

/** Where the tracker hosts delegations, and as whom they are read: a user with their password, or a token. */
interface DelegationConfig {
  readonly baseUrl: string;
  readonly credentials:
    | { readonly kind: 'basic'; readonly user: string; readonly password: string }
    | { readonly kind: 'bearer'; readonly token: string };
}

/** Where Jira is and how it is asked. */
export interface JiraConfig {
  /** Without a slash at the end; null: the only site that the app may reach. */
  readonly baseUrl: string | null;
  readonly credentials: JiraLogin;
  /** Which issues are kept; null: all that the account may see. */
  readonly jql: string | null;
  readonly requestsPerMinute: number;
  /** Secret of the webhooks; null: none are taken. */
  readonly webhookSecret: string | null;
  /** Seconds between two looks at what was updated. */
  readonly syncSeconds: number;
  /** Who decides what a principal may see: Jira itself, or rules of ours (`npx dwell access`). */
  readonly rights: 'jira' | 'rules';
}

/** A time-in-status service that answers in place of our engine. */
interface HostedReportingConfig {
  readonly baseUrl: string;
  readonly token: string;
}

/** Everything that can be set from outside, checked. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** The place of files and column snapshots; null: the default of the database. */
  readonly blobs: BlobPlace | null;
  /** A PostgreSQL database, maybe with a password in its address; null: SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Never null with a PostgreSQL database; null: secrets are stored as they are. */
  readonly secretKeys: SecretKeys | null;
  /** The Redis that replicas share, maybe with a password; null: each process remembers for itself. */
  readonly keyvUrl: string | null;
  /** Null: the imported issues once there are any, the sample until then. */
  readonly tracker: 'sample' | 'file' | 'jira' | null;
  /** Null unless Jira is the tracker, or tells who people are. */
  readonly jira: JiraConfig | null;
  /** Null: our own engine answers. */
  readonly hostedReporting: HostedReportingConfig | null;
  readonly timeZone: string;
  /** By name or id; null: 24/7. */
  readonly defaultCalendar: string | null;
  /** Where people reach this service, without a slash at the end; null: where it listens. */
  readonly baseUrl: string | null;
  /** How many answers that take long are made at a time, and how long others wait. */
  readonly longAnswers: TurnLimits;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  readonly slack: SlackConfig;
  /** The tracker's own delegation service; null: the register is kept here. */
  readonly delegation: DelegationConfig | null;
}

/** The configuration behind the environment; the first wrong value is told in one sentence. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = settingsSchema.safeParse(set);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    // An address with an @ may have a password before it.
    const isSecret =
      /^(SLACK|DELEGATION|TIS|JIRA)_(?!JQL|BASE_URL|REQUESTS|RIGHTS)/.test(name) ||
      /^(S3_.*KEY.*|KEYV_URL|DATABASE_URL|SECRET_KEY|SECRET_KEY_OLD)$/.test(name) ||
      (/(BASE_URL|BLOBS|S3_ENDPOINT)$/.test(name) && set[name]?.includes('@') === true);
    const given = isSecret ? 'is not valid' : `'${set[name]}' is not known`;
    throw new AppError('invalid-value', `${name} ${given}. ${issue?.message}.`);
  }
  const { PORT, HOST, DATA_DIR, TRACKER, TIME_ZONE, BASE_URL, LOG_LEVEL, KEYV_URL } = parsed.data;
  const { MAX_LONG_ANSWERS, MAX_LONG_ANSWERS_PER_USER, MAX_WAIT_SECONDS } = parsed.data;
  const jira = readJira(parsed.data);
  return Object.freeze({
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    blobs: readBlobs(parsed.data),
    databaseUrl: parsed.data.DATABASE_URL ?? null,
    secretKeys: readKeys(parsed.data),
    keyvUrl: KEYV_URL ?? null,
    tracker: chooseTracker(TRACKER, jira, parsed.data),
    jira,
    hostedReporting: readHostedReporting(parsed.data),
    timeZone: TIME_ZONE ?? machineZone(),
    defaultCalendar: parsed.data.DEFAULT_CALENDAR ?? null,
    baseUrl: BASE_URL ?? null,
    longAnswers: {
      inAll: MAX_LONG_ANSWERS,
      perPrincipal: MAX_LONG_ANSWERS_PER_USER,
      waitMs: MAX_WAIT_SECONDS * 1000,
    },
    logLevel: LOG_LEVEL,
    slack: readSlack(parsed.data),
    delegation: readDelegation(parsed.data),
  });
}

/** A database on a server can have other readers than Dwell; the folder of SQLite is its owner's. */
function readKeys({ DATABASE_URL, SECRET_KEY, SECRET_KEY_OLD }: SettingValues): SecretKeys | null {
  if (SECRET_KEY !== undefined) return readSecretKeys(SECRET_KEY, SECRET_KEY_OLD ?? []);
  if (DATABASE_URL !== undefined) {
    throw new AppError(
      'not-configured',
      'DATABASE_URL needs SECRET_KEY, which encrypts the secrets in the database. Set SECRET_KEY to a key of your own, which this command prints: npx dwell secrets new-key.',
    );
  }
  if (SECRET_KEY_OLD !== undefined)
    throw new AppError('not-configured', 'SECRET_KEY_OLD is set without SECRET_KEY. Set SECRET_KEY as well.');
  return null;
}

function readSlack(env: SettingValues): SlackConfig {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = env;
  if (botToken !== undefined && appToken !== undefined) return { mode: 'socket', botToken, appToken };
  if (botToken !== undefined && signingSecret !== undefined) return { mode: 'http', botToken, signingSecret };
  if (botToken === undefined && appToken === undefined && signingSecret === undefined) {
    return readPlayground(env);
  }
  throw new AppError(
    'not-configured',
    'The Slack tokens are incomplete. Try: SLACK_BOT_TOKEN with SLACK_APP_TOKEN (Socket Mode), SLACK_BOT_TOKEN with SLACK_SIGNING_SECRET (HTTP), or none of them (playground).',
  );
}

/** The address of a bucket says which, its other settings how it is reached. */
function readBlobs({ BLOBS, S3_ENDPOINT, S3_REGION, ...env }: SettingValues): BlobPlace | null {
  if (BLOBS === undefined) return null;
  if (BLOBS === 'folder' || BLOBS === 'table') return { kind: BLOBS };
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new AppError(
      'not-configured',
      `BLOBS '${BLOBS}' needs an access key. Try: S3_ACCESS_KEY_ID with S3_SECRET_ACCESS_KEY, or BLOBS=folder.`,
    );
  }
  const [bucket = '', ...prefix] = BLOBS.slice('s3://'.length).replace(/\/+$/, '').split('/');
  return {
    ...{ kind: 's3', bucket, prefix: prefix.join('/'), accessKeyId, secretAccessKey, region: S3_REGION },
    endpoint: S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`,
  };
}

/** Jira answers for everything once it can be asked, unless another tracker is named. */
function chooseTracker(
  named: Config['tracker'] | undefined,
  jira: JiraConfig | null,
  { TIS_BASE_URL }: SettingValues,
): Config['tracker'] {
  if (named === 'jira' && jira === null) {
    throw new AppError(
      'not-configured',
      `TRACKER 'jira' needs the address of Jira and an account. Try: ${jiraSettings}.`,
    );
  }
  return named ?? (jira === null || TIS_BASE_URL !== undefined ? null : 'jira');
}

const jiraSettings =
  'JIRA_BASE_URL with JIRA_EMAIL and JIRA_API_TOKEN (Cloud), JIRA_BASE_URL with JIRA_PAT (Data Center), or JIRA_CLIENT_ID with JIRA_CLIENT_SECRET (Cloud, OAuth 2.0)';

function readJira(env: SettingValues): JiraConfig | null {
  const credentials = readJiraCredentials(env);
  if (credentials === null) return null;
  return {
    baseUrl: env.JIRA_BASE_URL ?? null,
    credentials,
    jql: env.JIRA_JQL ?? null,
    requestsPerMinute: env.JIRA_REQUESTS_PER_MINUTE,
    webhookSecret: env.JIRA_WEBHOOK_SECRET ?? null,
    syncSeconds: env.SYNC_SECONDS,
    rights: env.JIRA_RIGHTS,
  };
}

/** Exactly one way to be known to Jira. */
function readJiraCredentials(env: SettingValues): JiraLogin | null {
  const {
    JIRA_BASE_URL: baseUrl,
    JIRA_EMAIL: email,
    JIRA_API_TOKEN: apiToken,
    JIRA_PAT: pat,
    JIRA_CLIENT_ID: clientId,
    JIRA_CLIENT_SECRET: clientSecret,
  } = env;
  const ways = [
    { settings: 'JIRA_EMAIL with JIRA_API_TOKEN', set: [email, apiToken] },
    { settings: 'JIRA_PAT', set: [pat] },
    { settings: 'JIRA_CLIENT_ID with JIRA_CLIENT_SECRET', set: [clientId, clientSecret] },
  ];
  const given = ways.filter(({ set }) => set.some((one) => one !== undefined));
  if (baseUrl === undefined && given.length === 0) return null;
  if (given.length === 1) {
    if (clientId !== undefined && clientSecret !== undefined)
      return { kind: 'oauth', clientId, clientSecret };
    if (baseUrl !== undefined && pat !== undefined) return { kind: 'pat', token: pat };
    if (baseUrl !== undefined && email !== undefined && apiToken !== undefined) {
      return { kind: 'apiToken', email, token: apiToken };
    }
  }
  if (given.length > 1) {
    const named = given.map(({ settings }) => settings).join(' and ');
    throw new AppError(
      'not-configured',
      `The settings of Jira have ${given.length} sets of credentials: ${named}. Try: only one of ${jiraSettings}.`,
    );
  }
  throw new AppError('not-configured', `The settings of Jira are incomplete. Try: ${jiraSettings}.`);
}

function readHostedReporting(env: SettingValues): HostedReportingConfig | null {
  const { TIS_BASE_URL: baseUrl, TIS_TOKEN: token } = env;
  if (baseUrl === undefined && token === undefined) return null;
  if (baseUrl !== undefined && token !== undefined) return { baseUrl, token };
  throw new AppError(
    'not-configured',
    'The settings of the time-in-status service are incomplete. Try: TIS_BASE_URL with TIS_TOKEN, or none of them (Dwell computes itself).',
  );
}

/** A register elsewhere needs an address and somebody to read it as. */
function readDelegation(env: SettingValues): DelegationConfig | null {
  const {
    DELEGATION_BASE_URL: baseUrl,
    DELEGATION_USER: user,
    DELEGATION_PASSWORD: password,
    DELEGATION_TOKEN: token,
  } = env;
  const named = user !== undefined || password !== undefined;
  if (baseUrl === undefined && !named && token === undefined) return null;
  if (baseUrl !== undefined && token !== undefined && !named) {
    return { baseUrl, credentials: { kind: 'bearer', token } };
  }
  if (baseUrl !== undefined && token === undefined && user !== undefined && password !== undefined) {
    return { baseUrl, credentials: { kind: 'basic', user, password } };
  }
  throw new AppError(
    'not-configured',
    'The settings of the delegation service are incomplete. Try: DELEGATION_BASE_URL with DELEGATION_USER and DELEGATION_PASSWORD, DELEGATION_BASE_URL with DELEGATION_TOKEN, or none of them (delegations are stored here).',
  );
}

/** Who reaches the playground may ask everything, so it opens by itself only where nobody else can reach it. */
function readPlayground({ PLAYGROUND, HOST, BASE_URL }: SettingValues): SlackConfig {
  if (PLAYGROUND === 'off') return { mode: 'none', because: 'PLAYGROUND' };
  if (PLAYGROUND === 'on') return { mode: 'playground', isOpen: true };
  if (!isThisMachine(HOST)) return { mode: 'none', because: 'HOST' };
  if (BASE_URL !== undefined && !isThisMachine(new URL(BASE_URL).hostname))
    return { mode: 'none', because: 'BASE_URL' };
  return { mode: 'playground', isOpen: false };
}

/** Whether a host name or address leads to this machine alone. */
function isThisMachine(host: string): boolean {
  return /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/i.test(host);
}

/**
 * Where the playground has a page for each issue of the sample, without a slash at the end; null where it has none: its
 * port has to be known before it is opened.
 */
export function sampleSite({ slack, baseUrl, port }: Config): string | null {
  if (slack.mode !== 'playground' || port === 0) return null;
  return baseUrl ?? `http://localhost:${port}`;
}
