import { createNamespace } from '../../cache/namespace.ts';
import { type Category, type Delegation, GENERAL } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import type { KeychainClient, UnknownPath } from './create-keychain-client.ts';
import type { HostedService } from './hosted-service.ts';
import { categoriesAnswer, delegationsAnswer } from './keychain-answers.ts';
import { readPages } from './read-pages.ts';

/** The service's own lists, each by id; both are remembered for a short time, in this process: see `forget`. */
export interface Records {
  categories(): Promise<readonly Category[]>;
  delegations(): Promise<readonly Delegation[]>;
  /** After a change: the lists are read anew, categories too, for it may name one that is younger than the list. */
  forget(): Promise<void>;
}

const PAGE = '100';

/** They take long to read. */
const RECENT_MS = 10_000;

/** Reads the lists page by page. `unknownPath` is what to say of a service that has none. */
export function createRecords(
  client: KeychainClient,
  {
    service,
    unknownPath,
    now,
  }: { readonly service: HostedService; readonly unknownPath: UnknownPath; readonly now: () => Instant },
): Records {
  const recent = { ttlMs: RECENT_MS, most: 1, now, ages: 'answered' } as const;
  const categories = createNamespace<readonly Category[]>({ name: 'keychain-categories', ...recent });
  const delegations = createNamespace<readonly Delegation[]>({ name: 'keychain-delegations', ...recent });

  async function readCategories(): Promise<readonly Category[]> {
    const all = await readPages((startAt) => {
      const query = startAt === 0 ? {} : { startAt: String(startAt) };
      return client.ask({ method: 'GET', path: '/category', query, unknownPath }, categoriesAnswer);
    }, service);
    return all.filter(({ name }) => name !== GENERAL).toSorted((a, b) => a.id - b.id);
  }

  async function readDelegations(): Promise<readonly Delegation[]> {
    const all = await readPages((startAt) => {
      const query = { startAt: String(startAt), maxResults: PAGE, includeExpired: 'true' };
      return client.ask({ method: 'GET', path: '/delegation', query, unknownPath }, delegationsAnswer);
    }, service);
    return all.toSorted((a, b) => a.id - b.id);
  }

  return {
    categories: () => categories.getOrMake('', readCategories),
    delegations: () => delegations.getOrMake('', readDelegations),
    async forget() {
      await Promise.all([categories.delete(''), delegations.delete('')]);
    },
  };
}
