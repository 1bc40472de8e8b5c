import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { z } from 'zod';
import { AppError } from './model/error.ts';

/**
 * Where the Slack door is reached: over sockets we open, over HTTP Slack calls, only in the playground (under any
 * host name, if told to), or not at all.
 */
export type SlackConfig =
  | { readonly mode: 'none' }
  | { readonly mode: 'playground'; readonly anyHost: boolean }
  | { readonly mode: 'socket'; readonly botToken: string; readonly appToken: string }
  | { readonly mode: 'http'; readonly botToken: string; readonly signingSecret: string };

/** Where the tracker hosts delegations, and as whom they are read: a user with their password, or a token. */
export interface DelegationConfig {
  readonly baseUrl: string;
  readonly credentials:
    | { readonly kind: 'basic'; readonly user: string; readonly password: string }
    | { readonly kind: 'bearer'; readonly token: string };
}

/** Everything that can be set from outside, checked. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Null: the imported issues once there are any, the sample until then. */
  readonly tracker: 'sample' | 'file' | null;
  readonly timeZone: string;
  /** Where people reach this service, without a slash at the end; null: where it listens. */
  readonly baseUrl: string | null;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  readonly slack: SlackConfig;
  /** The tracker's own delegation service; null: the register is kept here. */
  readonly delegation: DelegationConfig | null;
}

const zone = z.string().refine(isZone, { error: 'allowed: an IANA time zone such as Europe/Berlin' });

const address = z
  .url({ protocol: /^https?$/, error: 'allowed: an address such as https://dwell.example.com' })
  .refine((url) => !/[?#]/.test(url), { error: 'allowed: an address without ? and #' })
  .transform((url) => url.replace(/\/+$/, ''));

const schema = z.object({
  PORT: z
    .string()
    .regex(/^\d+$/, { error: 'allowed: a whole number from 0 to 65535' })
    .transform(Number)
    .refine((port) => port <= 65_535, { error: 'allowed: a whole number from 0 to 65535' })
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  TRACKER: z.enum(['sample', 'file'], { error: 'allowed: sample, file' }).optional(),
  TIME_ZONE: zone.default(() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
  BASE_URL: address.optional(),
  DELEGATION_BASE_URL: address.optional(),
  // Name and password are sent as one text with a colon between them (RFC 7617, 2), a token as it is.
  DELEGATION_USER: z
    .string()
    .regex(/^[^:\p{Cc}]+$/u, { error: 'allowed: a user name without a colon and without control characters' })
    .optional(),
  DELEGATION_PASSWORD: z
    .string()
    .regex(/^\P{Cc}+$/u, { error: 'allowed: a password without control characters' })
    .optional(),
  DELEGATION_TOKEN: z
    .string()
    .regex(/^[!-~]+$/, { error: 'allowed: a token of ASCII characters without blanks' })
    .optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      error: 'allowed: fatal, error, warn, info, debug, silent',
    })
    .default('info'),
  PLAYGROUND: z.enum(['on', 'off'], { error: 'allowed: on, off' }).optional(),
  SLACK_BOT_TOKEN: prefixed('xoxb-'),
  SLACK_APP_TOKEN: prefixed('xapp-'),
  SLACK_SIGNING_SECRET: z.string().optional(),
});

/** Reads a file named `.env` in the working folder, if there is one, without overriding what is set already. */
export function readEnvFile(): void {
  if (existsSync('.env')) loadEnvFile('.env');
}

/** The configuration behind the environment; the first wrong value is told in one sentence. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = schema.safeParse(set);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    const given = /^(SLACK|DELEGATION)_/.test(name)
      ? 'is not what it should be'
      : `'${set[name]}' is not known`;
    throw new AppError('bad-request', `${name} ${given}; ${issue?.message}.`);
  }
  const { PORT, HOST, DATA_DIR, TRACKER, TIME_ZONE, BASE_URL, LOG_LEVEL } = parsed.data;
  return Object.freeze({
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    tracker: TRACKER ?? null,
    timeZone: TIME_ZONE,
    baseUrl: BASE_URL ?? null,
    logLevel: LOG_LEVEL,
    slack: readSlack(parsed.data),
    delegation: readDelegation(parsed.data),
  });
}

function readSlack(env: z.output<typeof schema>): SlackConfig {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = env;
  if (botToken !== undefined && appToken !== undefined) return { mode: 'socket', botToken, appToken };
  if (botToken !== undefined && signingSecret !== undefined) return { mode: 'http', botToken, signingSecret };
  if (botToken === undefined && appToken === undefined && signingSecret === undefined) {
    return readPlayground(env);
  }
  throw new AppError(
    'bad-request',
    'The Slack tokens are incomplete; allowed: SLACK_BOT_TOKEN with SLACK_APP_TOKEN (Socket Mode), SLACK_BOT_TOKEN with SLACK_SIGNING_SECRET (HTTP), or none of them (playground).',
  );
}

/** A register elsewhere needs an address and somebody to read it as. */
function readDelegation(env: z.output<typeof schema>): DelegationConfig | null {
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
    'bad-request',
    'The settings of the delegation service are incomplete; allowed: DELEGATION_BASE_URL with DELEGATION_USER and DELEGATION_PASSWORD, DELEGATION_BASE_URL with DELEGATION_TOKEN, or none of them (the register is kept here).',
  );
}

/** Who reaches the playground may ask everything, so it opens by itself only where nobody else can reach it. */
function readPlayground({ PLAYGROUND, HOST }: z.output<typeof schema>): SlackConfig {
  const alone = /^(localhost|::1|127(\.\d{1,3}){3})$/i.test(HOST);
  if (PLAYGROUND === 'off' || (PLAYGROUND === undefined && !alone)) return { mode: 'none' };
  return { mode: 'playground', anyHost: !alone };
}

/** A token Slack gives out; the value itself must never be repeated in a message. */
function prefixed(prefix: string) {
  return z
    .string()
    .startsWith(prefix, { error: `allowed: a token that starts with ${prefix}` })
    .optional();
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
