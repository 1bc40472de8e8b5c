import { randomUUID } from 'node:crypto';
import type { DelegationApi } from './api/delegations/delegation-api.ts';
import { createLocalReporting } from './api/reporting/create-local-reporting.ts';
import type { ReportingApi } from './api/reporting/reporting-api.ts';
import { createPageLists } from './api/reporting/take-page.ts';
import { createLocalSettings } from './api/settings/local-settings.ts';
import type { SettingsApi } from './api/settings/settings-api.ts';
import type { Backing } from './cache/backing.ts';
import type { Config } from './config.ts';
import { httpSurroundings } from './http-surroundings.ts';
import type { Mirror } from './mirror/mirror.ts';
import type { Instant, User } from './model/issue.ts';
import type { TenantStore } from './store/store.ts';
import { checkCalendar } from './time/check-calendar.ts';

/** What reports are built from; the mirror is asked for anew with every question. */
interface ReportingParts {
  readonly store: TenantStore;
  readonly stored: Backing;
  readonly mirror: () => Promise<Mirror>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly delegateTimes: DelegationApi['delegateTimes'];
  readonly now: () => Instant;
}

/** What is asked about issues, and what can be configured about it. */
interface BuiltReporting {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  close(): Promise<void>;
}

/** Puts together our own engine, or the client of a service that answers in its place. */
export async function buildReporting(
  { hostedReporting, timeZone }: Config,
  { store, stored, mirror, users, delegateTimes, now }: ReportingParts,
): Promise<BuiltReporting> {
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
    const { createTisClient } = await import('./hosted/tis-client.ts');
    const { createHostedReporting } = await import('./hosted/create-hosted-reporting.ts');
    const { createHostedSettings } = await import('./hosted/create-hosted-settings.ts');
    const client = createTisClient(hostedReporting, httpSurroundings(now));
    return {
      reporting: createHostedReporting(client, now),
      settings: createHostedSettings(client, own, users),
      close: () => client.close(),
    };
  }
  const reporting = createLocalReporting({
    mirror,
    calendars: own.calendars,
    pages: createPageLists({ stored, now }),
    delegateTimes,
    now,
    newId,
    timeZone,
  });
  return { reporting, settings: own, close: async () => {} };
}
