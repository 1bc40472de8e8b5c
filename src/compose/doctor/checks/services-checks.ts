import { z } from 'zod';
import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { AppError, failureText, systemCode } from '../../../model/error.ts';
import { sizeText } from '../../../output/readable-text.ts';
import type { Config } from '../../config.ts';
import { httpSurroundings } from '../../http-surroundings.ts';
import type { Check, DoctorContext } from '../doctor-context.ts';

/** The services that answer in place of Dwell. */
export const servicesCheck: Check = {
  name: 'Services',
  needs: ['services', 'delegation'],
  async run(context) {
    const findings = await Promise.all([reporting(context), delegation(context)]);
    const present = findings.filter((one) => one !== null);
    return present.length > 0
      ? present
      : [note('not used (TIS_BASE_URL and DELEGATION_BASE_URL are not set)')];
  },
};

async function reporting({ config: { hostedReporting }, now }: DoctorContext): Promise<Finding | null> {
  if (hostedReporting === null) return null;
  const { createTisClient } = await import('../../../hosted/tis-client.ts');
  const client = createTisClient(hostedReporting, httpSurroundings(now));
  try {
    return await answers('TIS_BASE_URL', () => client.ask({ place: 'statuses' }, z.unknown()));
  } finally {
    await client.close();
  }
}

async function delegation({
  config: { delegation: service, timeZone },
  now,
}: DoctorContext): Promise<Finding | null> {
  if (service === null) return null;
  const { createKeychainRecords } = await import('../../../hosted/create-keychain-records.ts');
  const records = createKeychainRecords({ ...service, timeZone }, httpSurroundings(now));
  return answers('DELEGATION_BASE_URL', () => records.categories());
}

async function answers(setting: string, ask: () => Promise<unknown>): Promise<Finding> {
  try {
    await ask();
    return fine(`the service in ${setting} answers`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return problem(failureText(error));
  }
}

/** The Redis that several processes share. */
export const redisCheck: Check = {
  name: 'Redis',
  needs: ['redis'],
  async run({ config: { keyvUrl } }) {
    if (keyvUrl === null) return [note('not used (KEYV_URL is not set)')];
    const { askRedis } = await import('../../../cache/redis.ts');
    const facts = await askRedis(keyvUrl);
    if (typeof facts === 'string')
      return [problem(facts, 'Start it, or correct KEYV_URL. Dwell goes on without it.')];
    const { version, maxMemory } = facts;
    const text = `${version ?? 'it'} answers`;
    if (maxMemory === 0)
      return [
        warning(
          `${text}, and its memory has no limit.`,
          'Set maxmemory, and maxmemory-policy to allkeys-lru.',
        ),
      ];
    return [fine(maxMemory === null ? text : `${text}, with up to ${sizeText(maxMemory)}`)];
  },
};

/** The time (ms) that a server on this machine has to answer; it waits for its store for two seconds itself. */
const TIMEOUT_MS = 5_000;

const body = z.object({ status: z.enum(['ready', 'not ready']), waitingFor: z.string().optional() });

/** The server of these settings: it runs, can take requests, and has the port of its metrics. */
export const serverCheck: Check = {
  name: 'Server',
  needs: ['server'],
  async run({ config: { host, port, metrics }, signal }) {
    const signals = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const others = await metricsFindings(metrics, signals);
    if (port === 0) return [note('not checked: PORT is 0, so each start has another port'), ...others];
    const address = addressOf(host, port);
    const response = await fetch(`${address}/readyz`, { signal: signals, redirect: 'manual' }).catch(
      () => null,
    );
    if (response === null) return [note(`not running: nothing answers at ${address}`), ...others];
    const read = body.safeParse(await response.json().catch(() => null));
    if (!read.success)
      return [
        problem(`another program answers at ${address}.`, 'Set another PORT, or stop that program.'),
        ...others,
      ];
    const { status, waitingFor } = read.data;
    if (status === 'ready') return [fine(`running and ready at ${address}`), ...others];
    return [problem(`running at ${address}, and not ready. It waits for ${waitingFor}.`), ...others];
  },
};

/** The findings about a port of the metrics' own; none where nothing answers there, or Dwell does. */
async function metricsFindings(
  { host, port, token }: Config['metrics'],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  if (port === null || port === 0) return [];
  const address = addressOf(host, port);
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${address}/metrics`, { signal, headers, redirect: 'manual' }).catch(
    () => null,
  );
  if (response === null || /^dwell_/m.test(await response.text().catch(() => ''))) return [];
  return [
    problem(`another program answers at ${address}.`, 'Set another METRICS_PORT, or stop that program.'),
  ];
}

/** The address at which a server of this machine is reached; some hosts stand for all addresses of the machine. */
function addressOf(host: string, port: number): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

const alive = z.object({ status: z.literal('ok') });

/** The address that people and programs use. */
export const addressCheck: Check = {
  name: 'Address',
  needs: ['address'],
  async run({ config: { baseUrl, slack }, signal }) {
    if (baseUrl === null) {
      const isInSlack = slack.mode === 'socket' || slack.mode === 'http';
      return [
        isInSlack
          ? note('BASE_URL is not set, so messages in Slack have no links to Dwell')
          : note('BASE_URL is not set, so links begin with where Dwell listens'),
      ];
    }
    const signals = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const response = await fetch(`${baseUrl}/healthz`, { signal: signals });
      const isDwell = alive.safeParse(await response.json().catch(() => null)).success;
      if (isDwell) return [fine(`${baseUrl} answers`)];
      return [note(`${baseUrl} answers from here with HTTP ${response.status}, but not as Dwell`)];
    } catch (error) {
      const code = systemCode(error instanceof Error ? error.cause : error) ?? 'no answer';
      return [note(`${baseUrl} does not answer from here (${code}); it may from elsewhere`)];
    }
  },
};
