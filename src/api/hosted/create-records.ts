import { type Category, type Delegation, GENERAL } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import type { KeychainClient } from './create-keychain-client.ts';
import { createRecent } from './create-recent.ts';
import type { HostedService } from './hosted-service.ts';
import { categoriesAnswer, delegationsAnswer } from './keychain-answers.ts';
import { readPages } from './read-pages.ts';

/** The service's own lists, each by id; both are remembered for a short time. */
export interface Records {
  categories(): Promise<readonly Category[]>;
  delegations(): Promise<readonly Delegation[]>;
  /** After a change: the lists are read anew, categories too, for it may name one that is younger than the list. */
  forget(): void;
}

const PAGE = '100';

/** Reads the lists page by page. `unknownPath` is what to say of a service that has none. */
export function createRecords(
  client: KeychainClient,
  {
    service,
    unknownPath,
    now,
  }: { readonly service: HostedService; readonly unknownPath: string; readonly now: () => Instant },
): Records {
  const categories = createRecent(async () => {
    const all = await readPages((startAt) => {
      const query = startAt === 0 ? {} : { startAt: String(startAt) };
      return client.ask({ method: 'GET', path: '/category', query, unknownPath }, categoriesAnswer);
    }, service);
    return all.filter(({ name }) => name !== GENERAL).toSorted((a, b) => a.id - b.id);
  }, now);
  const delegations = createRecent(async () => {
    const all = await readPages((startAt) => {
      const query = { startAt: String(startAt), maxResults: PAGE, includeExpired: 'true' };
      return client.ask({ method: 'GET', path: '/delegation', query, unknownPath }, delegationsAnswer);
    }, service);
    return all.toSorted((a, b) => a.id - b.id);
  }, now);

  return {
    categories: categories.read,
    delegations: delegations.read,
    forget() {
      categories.forget();
      delegations.forget();
    },
  };
}
