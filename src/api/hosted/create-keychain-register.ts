import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Delegation, type DelegationWish, GENERAL } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { isoMinute } from '../delegations/iso-minute.ts';
import type { Register } from '../register.ts';
import { createAccess, type KeychainCredentials } from './access.ts';
import { categoriesAnswer, delegationAnswer, delegationsAnswer } from './answers.ts';
import { createKeychainClient, type Patience } from './create-keychain-client.ts';
import { createLookUp } from './look-up.ts';
import { readPages } from './read-pages.ts';

/** Where the service is, as whom it is read, and what else the client needs. `timeZone` is the tracker server's. */
export interface KeychainParts {
  readonly baseUrl: string;
  readonly credentials: KeychainCredentials;
  readonly timeZone: string;
  readonly now: () => Instant;
}

const usualPatience: Omit<Patience, 'now'> = {
  tryMs: 10_000,
  deadline: (ms) => AbortSignal.timeout(ms),
  wait: (ms) => setTimeout(ms),
  random: () => randomInt(1001) / 1000,
};

const PAGE = '100';

/** The product tells records since its version 1.5. */
const unknownPath = 'tells no lists of delegations (Keychain has them since 1.5).';

/**
 * The register that the tracker hosts, over REST. What it answers is up to the user whose credentials are given; tests
 * bring a patience of their own.
 */
export function createKeychainRegister(
  { baseUrl, credentials, timeZone, now }: KeychainParts,
  patience = usualPatience,
): Register {
  const access = createAccess(baseUrl, credentials);
  const client = createKeychainClient(access, { ...patience, now });
  const path = '/delegation';
  const records = {
    categories: async () => {
      const all = await readPages((startAt) => {
        const query = startAt === 0 ? {} : { startAt: String(startAt) };
        return client.ask({ method: 'GET', path: '/category', query, unknownPath }, categoriesAnswer);
      });
      return all.filter(({ name }) => name !== GENERAL).toSorted((a, b) => a.id - b.id);
    },
    delegations: async () => {
      const all = await readPages((startAt) => {
        const query = { startAt: String(startAt), maxResults: PAGE, includeExpired: 'true' };
        return client.ask({ method: 'GET', path, query, unknownPath }, delegationsAnswer);
      });
      return all.toSorted((a, b) => a.id - b.id);
    },
  };
  const lookUp = createLookUp(client, records, { access, timeZone });

  return {
    ...records,
    delegatesOf: (person, category, at) => lookUp('getDelegates', person, category, at),
    delegatorsOf: (person, category, at) => lookUp('getDelegators', person, category, at),
    delegation: (id) => client.ask({ method: 'GET', path: `${path}/${id}`, unknownPath }, delegationAnswer),
    // Who wishes it is not told: to the service it is the user whose credentials it gets.
    add: (wish) => save('POST', path, wish),
    change: (id, wish) => save('PUT', `${path}/${id}`, wish),
    own: null,
  };

  function save(method: 'POST' | 'PUT', where: string, wish: DelegationWish): Promise<Delegation> {
    return client.ask({ method, path: where, body: toldWish(wish), unknownPath }, delegationAnswer);
  }
}

/** The members of a wish as the service calls them, dates in UTC to the minute. */
function toldWish({ active, delegator, delegates, categoryIds, start, end, notes }: DelegationWish) {
  return {
    active,
    delegator,
    delegates,
    categoryIds,
    startDate: isoMinute(start),
    endDate: isoMinute(end),
    notes,
  };
}
