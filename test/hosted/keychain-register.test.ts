import { describe } from '#jest';
import { createKeychainRegister } from '../../src/hosted/create-keychain-register.ts';
import { httpSurroundings } from '../../src/http-surroundings.ts';
import type { Delegation } from '../../src/model/delegation.ts';
import { isoText } from '../../src/time/iso-dates.ts';
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

async function openHosted(world: RegisterWorld, options: KeychainOptions): Promise<OpenRegister> {
  const { users, categories, delegations, now, timeZone } = world;
  const service = await startStandInKeychain(
    { users: users.map(({ id }) => id), categories, records: delegations.map(recordOf), now, timeZone },
    options,
  );
  const token = options.authorization?.replace('Bearer ', '');
  const register = createKeychainRegister(
    {
      baseUrl: service.baseUrl,
      credentials: token === undefined ? keychainUser : { kind: 'bearer', token },
      timeZone,
    },
    httpSurroundings(() => now),
  );
  return { register, close: () => service.close() };
}

function recordOf({ id, start, end, ...same }: Delegation): KeychainRecord {
  const [startDate = '', endDate = ''] = [start, end].map((at) => `${isoText(at).slice(0, 16)}Z`);
  return { ...same, delegationId: id, startDate, endDate };
}
