import type { Instant } from '../../model/issue.ts';
import { foldedCategoryName, foldedName } from '../../model/issues/ids-and-names.ts';
import { auditedDocuments, auditedWork, type StoredDocuments, type StoredWork } from '../audited-kinds.ts';
import type { Documents } from '../documents.ts';
import type { BlobsOf } from '../folder-blobs.ts';
import { documentWithout } from '../persons/person-places.ts';
import { openErasures } from '../persons/pseudonyms.ts';
import type { PersonReplacement } from '../persons/replace-person.ts';
import { type SecretKeys, sealedDocuments } from '../sealed-secrets.ts';
import type { OnUpgrade, Signals, Store, TenantStore } from '../store.ts';
import { exportWork, type KindOfWork, nudgeWork, periodWork } from '../work-kinds.ts';
import { ERASURES, openAreas } from './areas.ts';
import { auditOf, openAudit } from './audit.ts';
import { type OpenedCache, openCache } from './cache.ts';
import { type KindOfDocument, openDocuments } from './documents.ts';
import type { Engine, EngineHooks } from './engine.ts';
import { openTerms } from './open-terms.ts';
import { openPersons } from './persons/open-persons.ts';
import { openWriting } from './put-issues.ts';
import { openReading, openSync } from './read-issues.ts';
import { SECRETS } from './secrets.ts';
import { openWatchAlerts } from './watch-alerts.ts';
import { openWork } from './work.ts';

const WATCHES = 'watches';

/** Options of opening a store of either engine. */
export interface StoreOpening extends EngineHooks {
  readonly blobs: (engine: Engine) => BlobsOf;
  /** Null: secrets are stored as they are. */
  readonly secretKeys: SecretKeys | null;
  /** Is called before and while a store of an earlier version is upgraded. */
  readonly onUpgrade?: OnUpgrade | undefined;
  /** Dates entries of the audit log; without it they are of 1970. */
  readonly now?: (() => Instant) | undefined;
}

/** The parts that the stores of all tenants are opened with; entries of the audit log are dated by `now`. */
interface TenantsParts {
  readonly blobs: BlobsOf;
  readonly signals: (tenant: string) => Signals;
  readonly secretKeys: SecretKeys | null;
  readonly now: () => Instant;
}

/** Opens what is stored of a tenant. */
function openTenant(
  engine: Engine,
  { tenant, blobs, signals, secretKeys, now }: TenantsParts & { readonly tenant: string },
): { readonly store: TenantStore; readonly cache: OpenedCache } {
  const areas = openAreas(engine, tenant);
  const audit = openAudit(engine, { tenant, now });
  const erasures = openErasures(engine, { tenant, secretKeys });
  const cache = openCache(engine, areas, { tenant, audit: audit.write });
  /** Opens a kind of documents of the tenant, or of one of its trackers. */
  function open<Kind extends keyof StoredDocuments>(
    name: Kind,
    tracker: string | null = null,
    nameOf?: KindOfDocument<StoredDocuments[Kind]>['nameOf'],
  ): Documents<StoredDocuments[Kind]> {
    const kind = tracker === null ? name : `${name} ${tracker}`;
    const own = auditOf<StoredDocuments[Kind]>(audit.write, auditedDocuments[name]);
    const persons = {
      erasures,
      replace: (id: string, document: StoredDocuments[Kind], who: PersonReplacement) =>
        documentWithout({ kind: name, id }, document, who),
    };
    return openDocuments(engine, areas, { tenant, kind, audit: own, persons, ...(nameOf && { nameOf }) });
  }

  const work = <Kind extends keyof StoredWork>(name: Kind, kind: KindOfWork<StoredWork[Kind]>) =>
    openWork(engine, areas, { tenant, audit: auditOf(audit.write, auditedWork[name]), ...kind });

  const issuesOf = perTracker((tracker) => {
    const parts = {
      owner: [tenant, tracker] as const,
      area: `issues ${tracker}`,
      areas,
      erasures,
      terms: openTerms([tenant, tracker], areas, `issues ${tracker}`),
    };
    const { putIssues, removeIssues } = openWriting(engine, parts);
    return {
      issues: { ...openReading(engine, parts), putIssues },
      sync: { ...openSync(engine, parts), removeIssues },
    };
  });
  const secrets = sealedDocuments(open(SECRETS), { tenant, keys: secretKeys });
  const blobsOf = blobs(tenant);
  const store: TenantStore = {
    tenant,
    issues: (tracker) => issuesOf(tracker).issues,
    sync: (tracker) => issuesOf(tracker).sync,
    documents: perTracker((tracker) => ({
      facts: open('facts', tracker),
      directory: open('directory', tracker),
      statuses: open('statuses', tracker),
      statusCategories: open('status categories', tracker),
      sync: open('sync', tracker),
      listsSlices: open('lists slices', tracker),
      projectAccess: open('project access', tracker),
      rejected: open('rejected', tracker),
      delegations: open('delegations', tracker, (entry) =>
        'category' in entry ? foldedCategoryName(entry.category.name) : null,
      ),
      links: open('links', tracker),
      flows: open('flows', tracker),
    })),
    secrets,
    facts: open('fact'),
    stamps: open('stamp'),
    tokens: open('token'),
    calendars: open('calendar', null, ({ name }) => foldedName(name)),
    // One that was deleted leaves its name to others.
    parameterSets: open('parameter-set', null, ({ ownerId, name, deleted }) =>
      deleted === true ? null : `${ownerId}\n${foldedName(name)}`,
    ),
    delegationPermissions: open('delegation-permissions'),
    digests: open('digest'),
    watches: open(WATCHES),
    snoozes: open('snoozes'),
    watchAlerts: openWatchAlerts(engine, areas, { tenant, kindOfWatches: WATCHES }),
    exports: work('export', exportWork),
    periods: work('digest-period', periodWork),
    nudges: work('nudge', nudgeWork),
    audit: audit.log,
    cache: cache.open,
    signals: signals(tenant),
    blobs: blobsOf,
    persons: openPersons(engine, areas, {
      tenant,
      erasures,
      erased: open(ERASURES),
      secrets,
      blobs: blobsOf,
      now,
    }),
  };
  return { store, cache };
}

/** The end of all tenants of a store. */
interface OpenedTenants {
  /** Returns true where some writes are deferred. */
  hasDeferred(): boolean;
  /** Writes what was deferred. */
  close(): Promise<void>;
}

/** Opens the tenants of an engine, each once. */
export function openTenants(engine: Engine, parts: TenantsParts): Pick<Store, 'forTenant'> & OpenedTenants {
  const tenants = new Map<string, ReturnType<typeof openTenant>>();
  return {
    forTenant(tenant) {
      const known = tenants.get(tenant) ?? openTenant(engine, { tenant, ...parts });
      tenants.set(tenant, known);
      return known.store;
    },
    hasDeferred: () => tenants.values().some(({ cache }) => cache.hasDeferred()),
    async close() {
      for (const { cache } of tenants.values()) await cache.close();
    },
  };
}

function perTracker<Opened>(open: (tracker: string) => Opened): (tracker: string) => Opened {
  const known = new Map<string, Opened>();
  return (tracker) => {
    const opened = known.get(tracker) ?? open(tracker);
    known.set(tracker, opened);
    return opened;
  };
}
