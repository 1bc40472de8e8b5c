import type { Check } from '../check.ts';
import { backupsCheck, postingCheck } from './data-checks.ts';
import { diskCheck, nodeCheck } from './machine-checks.ts';
import { addressCheck, serverCheck } from './server-checks.ts';
import { redisCheck, servicesCheck } from './services-checks.ts';
import { settingsCheck } from './settings-check.ts';
import { slackCheck } from './slack-check.ts';
import { integrityCheck, storeCheck } from './store-checks.ts';
import { syncCheck, webhooksCheck } from './sync-checks.ts';
import { clockCheck, zoneCheck } from './time-checks.ts';
import { trackerCheck } from './tracker-check.ts';

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
