import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Delegation, DelegationWish } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { isoMinute } from '../../time/iso-dates.ts';
import type { Register } from '../register.ts';
import { createAccess, type KeychainCredentials } from './access.ts';
import { delegationAnswer } from './answers.ts';
import { createKeychainClient, type Patience } from './create-keychain-client.ts';
import { createRecords } from './create-records.ts';
import { createLookUp } from './look-up.ts';
import { isSameName, otherThanAsked, toldName } from './other-than-asked.ts';

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
  const records = createRecords(client, { access, unknownPath, now });
  const lookUp = createLookUp(client, records, { access, timeZone });

  return {
    delegatesOf: (person, category, at) => lookUp('getDelegates', person, category, at),
    delegatorsOf: (person, category, at) => lookUp('getDelegators', person, category, at),
    categories: records.categories,
    delegations: records.delegations,
    delegation,
    // Who wishes it is not told: to the service it is the user whose credentials it gets.
    add: (wish) => save(null, wish),
    change: async (id, change) => save(id, change(await delegation(id))),
    own: null,
  };

  async function delegation(id: number): Promise<Delegation> {
    const question = { method: 'GET', path: `${path}/${id}`, unknownPath } as const;
    const kept = await client.ask(question, delegationAnswer);
    if (kept.id === id) return kept;
    throw otherThanAsked(`the delegation ${id}`, `the delegation ${kept.id}`, { access, maybeSaved: false });
  }

  /** The id is null for a new one. */
  async function save(id: number | null, wish: DelegationWish): Promise<Delegation> {
    const place = {
      method: id === null ? 'POST' : 'PUT',
      path: id === null ? path : `${path}/${id}`,
    } as const;
    try {
      const saved = await client.ask({ ...place, body: toldWish(wish), unknownPath }, delegationAnswer);
      const isIt = (id === null || saved.id === id) && isSameName(wish.delegator, saved.delegator);
      if (isIt) return saved;
      throw otherThanAsked(titled(id, wish), titled(saved.id, saved), { access, maybeSaved: true });
    } finally {
      // Also after a failure: it may have been saved all the same.
      records.forget();
    }
  }

  function titled(id: number | null, { delegator }: DelegationWish): string {
    return `${id === null ? 'a delegation' : `the delegation ${id}`} of ${toldName(delegator, access)}`;
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
