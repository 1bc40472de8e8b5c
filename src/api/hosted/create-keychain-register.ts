import type { HttpSurroundings } from '../../http-client/http-client.ts';
import type { Delegation, DelegationInput } from '../../model/delegation.ts';
import { isoMinute } from '../../time/iso-dates.ts';
import type { DelegationRecords } from '../delegations/delegation-api.ts';
import type { UnknownPath } from './create-keychain-client.ts';
import {
  answersOtherThanAsked,
  createKeychainClient,
  isSameName,
  type KeychainCredentials,
  keychainService,
  quotedName,
} from './create-keychain-client.ts';
import { createRecords } from './create-records.ts';
import { delegationAnswer } from './keychain-answers.ts';
import { createLookUp } from './keychain-look-ups.ts';

/** Where the service is, and as whom it is read. `timeZone` is the tracker server's. */
interface KeychainParts {
  readonly baseUrl: string;
  readonly credentials: KeychainCredentials;
  readonly timeZone: string;
}

/** The product has records since its version 1.5. */
const unknownPath: UnknownPath = {
  what: 'tells no lists of delegations (Keychain has them since 1.5).',
  reason: 'service-too-old',
};

/** The register that the tracker hosts, over REST. What it answers is up to the user whose credentials are given. */
export function createKeychainRegister(
  { baseUrl, credentials, timeZone }: KeychainParts,
  surroundings: HttpSurroundings,
): DelegationRecords {
  const service = keychainService(baseUrl, credentials);
  const client = createKeychainClient(service, surroundings);
  const path = '/delegation';
  const records = createRecords(client, { service, unknownPath, now: surroundings.now });
  const lookUp = createLookUp(client, records, { service, timeZone });

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
    throw answersOtherThanAsked(`the delegation ${id}`, `the delegation ${kept.id}`, {
      service,
      maybeDone: false,
    });
  }

  /** The id is null for a new one. */
  async function save(id: number | null, wish: DelegationInput): Promise<Delegation> {
    const place = {
      method: id === null ? 'POST' : 'PUT',
      path: id === null ? path : `${path}/${id}`,
    } as const;
    try {
      const saved = await client.ask({ ...place, body: toldWish(wish), unknownPath }, delegationAnswer);
      const isIt = (id === null || saved.id === id) && isSameName(wish.delegator, saved.delegator);
      if (isIt) return saved;
      throw answersOtherThanAsked(titled(id, wish), titled(saved.id, saved), { service, maybeDone: true });
    } finally {
      // Also after a failure: it may have been saved all the same.
      await records.forget();
    }
  }

  function titled(id: number | null, { delegator }: DelegationInput): string {
    return `${id === null ? 'a delegation' : `the delegation ${id}`} of ${quotedName(delegator, service)}`;
  }
}

/** The members of a wish as the service calls them, dates in UTC to the minute. */
function toldWish({ active, delegator, delegates, categoryIds, start, end, notes }: DelegationInput) {
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
