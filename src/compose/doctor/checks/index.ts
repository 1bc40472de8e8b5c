import type { Check } from '../check.ts';
import { addressCheck } from './address-check.ts';
import { backupsCheck } from './backups-check.ts';
import { diskCheck } from './disk-check.ts';
import { integrityCheck } from './integrity-check.ts';
import { clockCheck } from './machine-clock-check.ts';
import { nodeCheck } from './node-check.ts';
import { postingCheck } from './posting-check.ts';
import { redisCheck } from './redis-check.ts';
import { serverCheck } from './server-check.ts';
import { servicesCheck } from './services-check.ts';
import { settingsCheck } from './settings-check.ts';
import { slackCheck } from './slack-check.ts';
import { storeCheck } from './store-check.ts';
import { syncCheck } from './sync-check.ts';
import { trackerCheck } from './tracker-check.ts';
import { webhooksCheck } from './webhooks-check.ts';
import { zoneCheck } from './zone-check.ts';

/** The checks of `npx dwell doctor`, in the order of their lines; a new one is one file and one line here. */
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
