import { describe } from '#jest';
import { createKeychainRegister } from '../../src/hosted/create-keychain-register.ts';
import { withLogins } from '../../src/hosted/with-logins.ts';
import { httpSurroundings } from '../../src/http-surroundings.ts';
import type { Delegation } from '../../src/model/delegation.ts';
import { isoMinute } from '../../src/time/iso-dates.ts';
import { type OpenRegister, type RegisterWorld, registerCases } from '../contract/register-cases.ts';
import { keychainUser, startStandInKeychain } from '../support/stand-in-keychain.ts';
import type { KeychainRecord } from '../support/stand-in-keychain-register.ts';

describe('a hosted register that knows nobody by their id', () => {
  registerCases(open);
});

async function open({ users, categories, delegations, now, timeZone }: RegisterWorld): Promise<OpenRegister> {
  const service = await startStandInKeychain({
    users: users.map(({ id }) => loginOf(id)),
    categories,
    records: delegations.map(recordOf),
    now,
    timeZone,
  });
  const register = createKeychainRegister(
    {
      baseUrl: service.baseUrl,
      credentials: keychainUser,
      timeZone,
    },
    httpSurroundings(() => now),
  );
  const known = new Map(users.map((user) => [user.id, { ...user, login: loginOf(user.id) }]));
  return { register: withLogins(register, async () => known), close: () => service.close() };
}

function loginOf(id: string): string {
  return `${id}.smith`;
}

function recordOf({ id, delegator, delegates, start, end, ...same }: Delegation): KeychainRecord {
  return {
    ...same,
    delegationId: id,
    delegator: loginOf(delegator),
    delegates: delegates.map(loginOf),
    startDate: isoMinute(start),
    endDate: isoMinute(end),
  };
}
