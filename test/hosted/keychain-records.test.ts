import { describe } from '#jest';
import { withLogins } from '../../src/api/people/logins.ts';
import { httpSurroundings } from '../../src/compose/http-surroundings.ts';
import { createKeychainRecords } from '../../src/hosted/create-keychain-records.ts';
import type { Delegation } from '../../src/model/delegation.ts';
import { isoMinute } from '../../src/time/date-text.ts';
import { type OpenRegister, type RegisterWorld, registerCases } from '../contract/register-cases.ts';
import { type KeychainOptions, keychainUser, startStandInKeychain } from '../support/stand-in-keychain.ts';
import type { KeychainRecord } from '../support/stand-in-keychain-register.ts';

const settings: readonly (KeychainOptions & { readonly timeZone: string })[] = [
  { timeZone: 'Europe/Berlin', bases: 'old' },
  { timeZone: 'America/St_Johns', bases: 'new', categories: 'values', timestamps: 'number' },
  { timeZone: 'Pacific/Kiritimati', bases: 'both', timestamps: 'text' },
];

describe.each(settings)(
  'the register of a tracker in $timeZone on the base path(s): $bases',
  ({ timeZone, ...options }) => {
    registerCases((world) => openHosted(world, options), timeZone);
  },
);

describe('the register read with a token', () => {
  registerCases((world) => openHosted(world, { authorization: 'Bearer a-token-of-the-tracker' }));
});

describe('a register that names people by login', () => {
  registerCases(async (world) => {
    const loginOf = (id: string) => `${id}.smith`;
    const { register, close } = await openHosted(world, {}, loginOf);
    const known = new Map(world.users.map((user) => [user.id, { ...user, login: loginOf(user.id) }]));
    return { register: withLogins(register, async () => known), close };
  });
});

async function openHosted(
  { users, categories, delegations, now, timeZone }: RegisterWorld,
  options: KeychainOptions,
  nameOf = (id: string) => id,
): Promise<OpenRegister> {
  const recordOf = ({ id, start, end, delegator, delegates, ...same }: Delegation): KeychainRecord => ({
    ...same,
    delegationId: id,
    delegator: nameOf(delegator),
    delegates: delegates.map(nameOf),
    startDate: isoMinute(start),
    endDate: isoMinute(end),
  });
  const names = users.map(({ id }) => nameOf(id));
  const records = delegations.map(recordOf);
  const service = await startStandInKeychain({ users: names, categories, records, now, timeZone }, options);
  const token = options.authorization?.replace('Bearer ', '');
  const credentials = token === undefined ? keychainUser : ({ kind: 'bearer', token } as const);
  const register = createKeychainRecords(
    { baseUrl: service.baseUrl, credentials, timeZone },
    httpSurroundings(() => now),
  );
  return { register, close: () => service.close() };
}
