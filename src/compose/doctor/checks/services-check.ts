import { z } from 'zod';
import { type Finding, fine, note, problem } from '../../../cli/finding.ts';
import { AppError, failureText } from '../../../model/error.ts';
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
