import type { Check } from '../doctor-context.ts';
import { clockCheck, diskCheck, nodeCheck, zoneCheck } from './machine-checks.ts';
import { addressCheck, redisCheck, serverCheck, servicesCheck } from './services-checks.ts';
import { settingsCheck } from './settings-check.ts';
import { slackCheck } from './slack-check.ts';
import { backupsCheck, integrityCheck, postingCheck, storeCheck } from './store-checks.ts';
import { syncCheck, trackerCheck, webhooksCheck } from './tracker-checks.ts';

/** The checks of `npx dwell doctor`, in the order of their lines; those that look at the same are one file. */
export const checks: readonly Check[] = [
  settingsCheck,
  nodeCheck,
  diskCheck,
  storeCheck,
  serverCheck,
  clockCheck,
  zoneCheck,
  trackerCheck,
  syncCheck,
  webhooksCheck,
  slackCheck,
  addressCheck,
  postingCheck,
  servicesCheck,
  redisCheck,
  backupsCheck,
  integrityCheck,
];
