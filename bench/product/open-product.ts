import { pino } from 'pino';
import type { AnswersApi } from '../../src/api/answers/answers-api.ts';
import type { DelegationApi } from '../../src/api/delegations/delegation-api.ts';
import { createTokens } from '../../src/api/people/tokens.ts';
import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import { inStore } from '../../src/cache/namespace.ts';
import { buildApis } from '../../src/compose/build-apis.ts';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { readConfig } from '../../src/compose/config.ts';
import { makeTenantFolder } from '../../src/compose/tenant-folder.ts';
import { unobserved } from '../../src/concurrency/leased-worker.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import type { Instant } from '../../src/model/issue.ts';
import { unmeasured } from '../../src/telemetry/meters.ts';
import { openTestStore } from '../../test/support/open-test-store.ts';

/** What doors ask, without the doors. */
interface Product {
  readonly reporting: ReportingApi;
  readonly answers: AnswersApi;
  readonly delegations: DelegationApi;
  readonly mirror: () => Promise<Mirror>;
  close(): Promise<void>;
}

/** Puts together the ports over the imported issues of a folder, as `src/compose/build-dwell.ts` does for the doors. */
export async function openProduct(dataDir: string, now: () => Instant): Promise<Product> {
  const config = readConfig({
    DATA_DIR: dataDir,
    TRACKER: 'file',
    TIME_ZONE: 'Europe/Berlin',
    PLAYGROUND: 'off',
  });
  const log = pino({ level: 'silent' });
  const store = await openTestStore(dataDir);
  makeTenantFolder(dataDir, store.tenant);
  const stored = inStore((how) => store.cache({ ...how, now }));
  const {
    mirror,
    administers,
    close: closeTracker,
  } = await buildTracker(config, {
    ...{ store, stored, now, log, version: 'bench' },
    ...{ meters: unmeasured, onCall: () => {} },
  });
  const tokens = createTokens({ store, now });
  const parts = {
    ...{ store, stored, mirror, tokens, administers, now, log },
    ...{ onCall: () => {}, observer: unobserved },
  };
  const { reporting, answers, delegations, closeReporting } = await buildApis(config, parts);
  return {
    reporting,
    answers,
    delegations,
    mirror,
    async close() {
      await closeTracker();
      await closeReporting();
      await store.close();
    },
  };
}
