import { z } from 'zod';
import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { AppError, failureText } from '../../../model/error.ts';
import { sizeText } from '../../../output/size-text.ts';
import { httpSurroundings } from '../../http-surroundings.ts';
import type { Check } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';

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
