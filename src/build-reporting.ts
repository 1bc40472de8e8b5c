import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { DelegationApi } from './api/delegation.ts';
import { createHostedReporting } from './api/hosted/reporting/create-hosted-reporting.ts';
import { createHostedSettings } from './api/hosted/reporting/create-hosted-settings.ts';
import { createTisClient } from './api/hosted/reporting/create-tis-client.ts';
import { createLocalReporting } from './api/local/create-local-reporting.ts';
import { createLocalSettings } from './api/local/create-local-settings.ts';
import { createPageLists } from './api/local/take-page.ts';
import type { ReportingApi } from './api/reporting.ts';
import type { SettingsApi } from './api/settings.ts';
import type { Backing } from './cache/backing.ts';
import type { Config } from './config.ts';
import type { Mirror } from './mirror/mirror.ts';
import type { Instant, User } from './model/issue.ts';
import type { Store } from './store/store.ts';
import { checkCalendar } from './time/check-calendar.ts';

/** Fine enough for pauses of some seconds. */
const RANDOM_STEPS = 1_000_000;

/** What reports are built from; the mirror is asked for anew with every question. */
export interface ReportingParts {
  readonly store: Store;
  readonly stored: Backing;
  readonly mirror: () => Promise<Mirror>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly standInTimes: DelegationApi['standInTimes'];
  readonly now: () => Instant;
}

/** What is asked about issues, and what can be configured about it. */
export interface BuiltReporting {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  close(): Promise<void>;
}

/** Puts together our own engine, or the client of a service that answers in its place. */
export function buildReporting(
  { hostedReporting, timeZone }: Config,
  { store, stored, mirror, users, standInTimes, now }: ReportingParts,
): BuiltReporting {
  const newId = randomUUID;
  const own = createLocalSettings({
    settings: store.settings,
    stored,
    directory: async () => (await mirror()).directory(),
    users,
    now,
    newId,
    checkCalendar,
  });
  if (hostedReporting !== null) {
    const client = createTisClient(hostedReporting, {
      now,
      wait: (ms) => setTimeout(ms, undefined, { ref: false }),
      random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
      deadline: (ms) => AbortSignal.timeout(ms),
    });
    return {
      reporting: createHostedReporting(client, { now, timeZone }),
      settings: createHostedSettings(client, own, users),
      close: () => client.close(),
    };
  }
  const reporting = createLocalReporting({
    mirror,
    calendars: own.calendars,
    pages: createPageLists({ stored, now }),
    standInTimes,
    now,
    newId,
    timeZone,
  });
  return { reporting, settings: own, close: async () => {} };
}
