import { resolve } from 'node:path';
import type { AuditDays } from '../api/audit/audit-api.ts';
import type { TurnLimits } from '../concurrency/answer-turns.ts';
import type { RequestLimits } from '../concurrency/rate-limits.ts';
import { AppError } from '../model/error.ts';
import type { BlobPlace } from '../store/open-store.ts';
import { readSecretKeys, type SecretKeys } from '../store/sealed-secrets.ts';
import { machineZone } from '../time/zones.ts';
import { liveTrackers } from '../trackers/index.ts';
import type { TrackerAccess } from '../trackers/tracker-kind.ts';
import { type SettingValues, settingsSchema } from './settings-schema.ts';

/**
 * The connection of the Slack door: sockets that we open, HTTP requests from Slack, the playground alone (`isOpen`:
 * also to other machines), or none, because of one of the settings.
 */
type SlackConfig =
  | { readonly mode: 'none'; readonly because: 'PLAYGROUND' | 'HOST' | 'BASE_URL' }
  | { readonly mode: 'playground'; readonly isOpen: boolean }
  | { readonly mode: 'socket'; readonly botToken: string; readonly appToken: string }
  | { readonly mode: 'http'; readonly botToken: string; readonly signingSecret: string };

/**
 * The address of the tracker that hosts delegations, and the credentials to read them: a user with a password, or a
 * token.
 */
interface DelegationConfig {
  readonly baseUrl: string;
  readonly credentials:
    | { readonly kind: 'basic'; readonly user: string; readonly password: string }
    | { readonly kind: 'bearer'; readonly token: string };
}

/** The live tracker that Dwell reads, and how it is reached. */
export interface LiveTrackerConfig extends TrackerAccess {
  readonly name: string;
  readonly title: string;
}

interface HostedReportingConfig {
  readonly baseUrl: string;
  readonly token: string;
}

/** The port of the metrics; null: the main one. `token`: who sends it reads them from other machines. */
interface MetricsConfig {
  readonly port: number | null;
  readonly host: string;
  readonly token: string | null;
}

interface TracesConfig {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
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
  readonly tracker: string | null;
  /** Null unless a live one is the tracker, or says who people are while a hosted service answers. */
  readonly live: LiveTrackerConfig | null;
  /** Seconds between two checks for updated issues. */
  readonly syncSeconds: number;
  /** Null: our own engine answers. */
  readonly hostedReporting: HostedReportingConfig | null;
  readonly timeZone: string;
  /** By name or id; null: 24/7. */
  readonly defaultCalendar: string | null;
  /** The address at which people reach this service, without a slash at the end; null: where it listens. */
  readonly baseUrl: string | null;
  /** The limits of answers that take long: how many at a time, and how long others wait. */
  readonly longAnswers: TurnLimits;
  /** The days after which delegations that ended are removed; null: they stay. */
  readonly delegationDays: number | null;
  readonly audit: { readonly withQuestions: boolean; readonly days: AuditDays };
  /** Requests in a minute, per token, client address and tenant. */
  readonly requestLimits: RequestLimits;
  /** Addresses and networks whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  readonly slack: SlackConfig;
  readonly metrics: MetricsConfig;
  /** Null: nothing is traced. */
  readonly traces: TracesConfig | null;
  /** The values of settings that no line of the log may have. */
  readonly secrets: readonly string[];
  /** The tracker's own delegation service; null: the register is kept here. */
  readonly delegation: DelegationConfig | null;
}

/** The least letters of a secret that is taken out of the log. */
const MIN_SECRET = 6;

/** Settings whose values no message repeats, by their shapes. */
export const secretSettings: ReadonlySet<string> = new Set(
  Object.entries(settingsSchema.shape).flatMap(([name, shape]) => (shape.meta()?.isSecret ? [name] : [])),
);

/** The settings as the environment has them. An empty value counts as absent. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the sentences about values that are wrong, by the names of their settings; secrets are not repeated. */
export function wrongValues(environment: Environment): ReadonlyMap<string, string> {
  const set = presentIn(environment);
  const sentences = new Map<string, string>();
  for (const { path, message } of settingsSchema.safeParse(set).error?.issues ?? []) {
    const name = String(path[0]);
    if (sentences.has(name)) continue;
    // An address may have a password before an @, and a token in its query.
    const isSecret =
      secretSettings.has(name) || (/(URL|BLOBS|S3_ENDPOINT)$/.test(name) && /[@?#]/.test(set[name] ?? ''));
    const given = isSecret ? 'is not valid' : `'${set[name]}' is not known`;
    sentences.set(name, `${name} ${given}. ${message}.`);
  }
  return sentences;
}

function presentIn(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
}

/** The configuration of the environment; the first wrong value is an error of one sentence. */
export function readConfig(environment: Environment): Config {
  const parsed = settingsSchema.safeParse(presentIn(environment));
  if (!parsed.success) {
    const [sentence = ''] = wrongValues(environment).values();
    throw new AppError('invalid-value', sentence);
  }
  const { PORT, HOST, DATA_DIR, TRACKER, TIME_ZONE, BASE_URL, LOG_LEVEL, KEYV_URL } = parsed.data;
  const { MAX_LONG_ANSWERS, MAX_LONG_ANSWERS_PER_USER, MAX_WAIT_SECONDS } = parsed.data;
  const { AUDIT_QUESTIONS, AUDIT_QUESTION_DAYS, AUDIT_DAYS, DELEGATION_DAYS } = parsed.data;
  const hostedReporting = readHostedReporting(parsed.data);
  return Object.freeze({
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    blobs: readBlobs(parsed.data),
    databaseUrl: parsed.data.DATABASE_URL ?? null,
    secretKeys: readKeys(parsed.data),
    keyvUrl: KEYV_URL ?? null,
    ...chooseTracker(TRACKER ?? null, hostedReporting !== null, parsed.data),
    syncSeconds: parsed.data.SYNC_SECONDS,
    hostedReporting,
    timeZone: TIME_ZONE ?? machineZone(),
    defaultCalendar: parsed.data.DEFAULT_CALENDAR ?? null,
    baseUrl: BASE_URL ?? null,
    delegationDays: DELEGATION_DAYS === 0 ? null : DELEGATION_DAYS,
    audit: {
      withQuestions: AUDIT_QUESTIONS === 'on',
      days: { changes: AUDIT_DAYS === 0 ? null : AUDIT_DAYS, questions: AUDIT_QUESTION_DAYS },
    },
    longAnswers: {
      inAll: MAX_LONG_ANSWERS,
      perPrincipal: MAX_LONG_ANSWERS_PER_USER,
      waitMs: MAX_WAIT_SECONDS * 1000,
    },
    requestLimits: {
      token: parsed.data.MAX_REQUESTS_PER_MINUTE,
      address: parsed.data.MAX_REQUESTS_PER_MINUTE_PER_ADDRESS,
      tenant: parsed.data.MAX_REQUESTS_PER_MINUTE_PER_TENANT,
    },
    trustedProxies: parsed.data.TRUSTED_PROXIES ?? [],
    logLevel: LOG_LEVEL,
    metrics: readMetrics(parsed.data),
    traces: readTraces(parsed.data),
    secrets: secretsIn(presentIn(environment)),
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

/** Metrics say how much a team works, which other machines read with a token only. */
function readMetrics({ PORT, METRICS_PORT, METRICS_HOST, METRICS_TOKEN }: SettingValues): MetricsConfig {
  const [port, token] = [METRICS_PORT ?? null, METRICS_TOKEN ?? null];
  if (port === PORT && port !== 0) {
    throw new AppError(
      'not-configured',
      `METRICS_PORT and PORT are both ${port}. Set METRICS_PORT to another port, or unset it: the metrics are then on PORT.`,
    );
  }
  if (port !== null && token === null && !isThisMachine(METRICS_HOST)) {
    throw new AppError(
      'not-configured',
      `METRICS_HOST '${METRICS_HOST}' can be reached from other machines, and METRICS_TOKEN is not set. Set METRICS_TOKEN, or METRICS_HOST=127.0.0.1.`,
    );
  }
  return { port, host: METRICS_HOST, token };
}

/** Values of headers are encoded as in addresses, as OpenTelemetry has it. */
function readTraces({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: headers = '',
}: SettingValues): TracesConfig | null {
  if (endpoint === undefined) return null;
  return { endpoint, headers: Object.fromEntries(headersIn(headers)) };
}

/** The headers of a list such as `api-key=SECRET`. */
function headersIn(list: string): readonly (readonly [name: string, value: string])[] {
  return list.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return name.trim() === '' ? [] : [[name.trim(), decoded(value.join('=').trim())] as const];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The secrets in settings, for the log to leave out: values as they were set, the parts of lists, and passwords within
 * addresses. Very short ones stay: without them words would lack letters.
 */
export function secretsIn(set: Readonly<Record<string, string | undefined>>): readonly string[] {
  const found = Object.entries(set).flatMap(([name, value = '']) => {
    const password = passwordIn(value);
    if (!secretSettings.has(name)) return password;
    const parts =
      name === 'OTEL_EXPORTER_OTLP_HEADERS' ? headersIn(value).map(([, one]) => one) : value.split(',');
    return [value, ...parts, ...password];
  });
  return [...new Set(found.map((text) => text.trim()))].filter((text) => text.length >= MIN_SECRET);
}

function passwordIn(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const given = [password, searchParams.get('password') ?? ''].filter((text) => text !== '');
  return given.flatMap((text) => [text, decoded(text)]);
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
    kind: 's3',
    bucket,
    prefix: prefix.join('/'),
    accessKeyId,
    secretAccessKey,
    region: S3_REGION,
    endpoint: S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`,
  };
}

/**
 * A live tracker answers for everything once it is configured, unless another one is named or a hosted service answers:
 * then it says who people are.
 */
function chooseTracker(
  named: string | null,
  isHosted: boolean,
  values: SettingValues,
): Pick<Config, 'tracker' | 'live'> {
  const configured = liveTrackers.flatMap((kind) => {
    const access = kind.read(values);
    return access === null ? [] : [{ ...access, name: kind.name, title: kind.title }];
  });
  const kind = liveTrackers.find(({ name }) => name === named);
  const candidates = kind === undefined ? configured : configured.filter(({ name }) => name === named);
  if (kind !== undefined && candidates.length === 0)
    throw new AppError('not-configured', `TRACKER '${kind.name}' needs ${kind.needs}.`);
  const isUsed = kind !== undefined || named === null || isHosted;
  if (!isUsed) return { tracker: named, live: null };
  if (candidates.length > 1) {
    const [titles, words] = [
      candidates.map(({ title }) => title).join(' and '),
      candidates.map(({ name }) => `TRACKER=${name}`).join(' or '),
    ];
    throw new AppError(
      'not-configured',
      `${titles} are configured, and Dwell reads one tracker. Try: ${words}.`,
    );
  }
  const [live = null] = candidates;
  return { tracker: named ?? (isHosted ? null : (live?.name ?? null)), live };
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

/** A visitor of the playground sees everything, so it opens by default only where no other machine can reach it. */
function readPlayground({ PLAYGROUND, HOST, BASE_URL }: SettingValues): SlackConfig {
  if (PLAYGROUND === 'off') return { mode: 'none', because: 'PLAYGROUND' };
  if (PLAYGROUND === 'on') return { mode: 'playground', isOpen: true };
  if (!isThisMachine(HOST)) return { mode: 'none', because: 'HOST' };
  if (BASE_URL !== undefined && !isThisMachine(new URL(BASE_URL).hostname))
    return { mode: 'none', because: 'BASE_URL' };
  return { mode: 'playground', isOpen: false };
}

/** Returns true where a host name or address leads to this machine alone. */
function isThisMachine(host: string): boolean {
  return /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/i.test(host);
}

/**
 * The address below which the playground has a page for each issue of the sample, without a slash at the end; null
 * where it has none: its port has to be known before it is opened.
 */
export function sampleSite({ slack, baseUrl, port }: Config): string | null {
  if (slack.mode !== 'playground' || port === 0) return null;
  return baseUrl ?? `http://localhost:${port}`;
}
