import { afterEach } from '#jest';
import { createKeychainRecords } from '../../src/hosted/create-keychain-records.ts';
import type { DelegationInput } from '../../src/model/delegation.ts';
import { AppError } from '../../src/model/error.ts';
import { type KeychainOptions, keychainUser, startStandInKeychain } from '../support/stand-in-keychain.ts';
import type { Fault } from '../support/stand-in-keychain-faults.ts';
import type { KeychainRecord, KeychainWorld } from '../support/stand-in-keychain-register.ts';

/** The instant of every service. */
export const keychainNow = Date.parse('2026-03-16T08:00:00Z');

/** What a service and its client are like. */
interface StartOptions extends KeychainOptions {
  readonly world?: Partial<KeychainWorld>;
  /** What the client takes for the server's zone. */
  readonly timeZone?: string;
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A service, and a client that waits for nothing but writes down how long it would. */
export async function startKeychain({
  world = {},
  timeZone = 'Europe/Berlin',
  ...options
}: StartOptions = {}) {
  const service = await startStandInKeychain(
    {
      users: ['ada', 'bob', 'carl'],
      categories: [{ id: 1, name: 'Expense', description: '' }],
      records: [],
      now: keychainNow,
      timeZone: 'Europe/Berlin',
      ...world,
    },
    options,
  );
  open.push(service);
  const waits: number[] = [];
  let now = keychainNow;
  let latest = new AbortController();
  const register = createKeychainRecords(
    { baseUrl: service.baseUrl, credentials: keychainUser, timeZone },
    {
      now: () => now,
      deadline: () => {
        latest = new AbortController();
        return latest.signal;
      },
      wait: async (ms) => void waits.push(ms),
      random: () => 0,
    },
  );
  /** The server never answers, and the time of the try that asked last is up. */
  const timeIsUp: Fault = () => latest.abort();
  return {
    service,
    register,
    waits,
    timeIsUp,
    /** The clock of the client goes on, or back. */
    pass(ms: number): void {
      now += ms;
    },
    /** With which every sentence about the service begins. */
    name: `The delegation service at ${service.origin}`,
    methods: () => service.calls.map(({ method }) => method),
  };
}

/** The failure a question ends with. */
export async function failureOf(asked: Promise<unknown>): Promise<AppError> {
  const reason = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  if (reason instanceof AppError) return reason;
  throw new Error('No AppError was thrown.', { cause: reason });
}

/** A record of the service. */
export const record = (delegationId: number, more: Partial<KeychainRecord> = {}): KeychainRecord => ({
  delegationId,
  version: 1,
  active: true,
  delegator: 'ada',
  delegates: ['bob'],
  categoryIds: [],
  startDate: '2026-03-16T08:00Z',
  endDate: '2026-03-17T08:00Z',
  notes: '',
  ...more,
});

/** Something to save. */
export const input: DelegationInput = {
  active: true,
  delegator: 'ada',
  delegates: ['bob'],
  categoryIds: [],
  start: keychainNow,
  end: keychainNow + 3_600_000,
  notes: '',
};
