import { describe, expect, test } from '#jest';
import { withLogins } from '../../src/api/people/logins.ts';
import type { User } from '../../src/model/issue.ts';
import { failureOf, keychainNow, record, startKeychain } from './start-keychain.ts';

const users: readonly User[] = [
  { id: 'ada', name: 'Ada' },
  { id: 'JIRAUSER10002', login: 'bob', name: 'Bob' },
  { id: 'JIRAUSER10003', login: 'Carl', name: 'Carl' },
];
const bobs = record(1, { delegator: 'bob', delegates: ['Carl', 'gone'] });

/** The client over a service that knows these people, and one who has left, by their logins. */
async function start({ people = users, records = [bobs] } = {}) {
  const known = new Map(people.map((user) => [user.id, user]));
  const names = [...people.map(({ id, login }) => login ?? id), 'gone'];
  const hosted = await startKeychain({ world: { users: names, records } });
  return { ...hosted, register: withLogins(hosted.register, async () => known) };
}

describe('a look-up', () => {
  test.each(['JIRAUSER10002', 'bob', 'BOB', 'jirauser10002'])(
    'of %s asks for the login and answers with ids',
    async (person) => {
      const { register, service } = await start();
      expect(await register.delegatesOf(person, 'general', null)).toEqual({
        person: 'JIRAUSER10002',
        category: 'general',
        asOf: keychainNow,
        others: ['JIRAUSER10003', 'gone'],
      });
      expect(service.calls[0]?.query).toMatchObject({ delegator: 'bob' });
    },
  );

  test('finds those who are stood in for as well', async () => {
    const { register } = await start();
    expect(await register.delegatorsOf('JIRAUSER10003', 'general', null)).toMatchObject({
      person: 'JIRAUSER10003',
      others: ['JIRAUSER10002'],
    });
    expect(await register.delegatorsOf('gone', 'general', null)).toMatchObject({ others: ['JIRAUSER10002'] });
  });

  test('of somebody nobody knows is refused by the name that was asked for', async () => {
    const { register } = await start();
    expect((await failureOf(register.delegatesOf('zed', 'general', null))).message).toContain('"zed"');
  });
});

describe('records', () => {
  test('have ids', async () => {
    const { register } = await start();
    const ids = { delegator: 'JIRAUSER10002', delegates: ['JIRAUSER10003', 'gone'] };
    expect(await register.delegations()).toMatchObject([ids]);
    expect(await register.delegation(1)).toMatchObject(ids);
    expect(await register.categories()).toHaveLength(1);
    expect(register.own).toBeNull();
  });

  test('are saved with logins', async () => {
    const { register, service } = await start();
    const { id: _, version: __, ...stored } = await register.delegation(1);
    const changed = { ...stored, delegator: 'JIRAUSER10003', delegates: ['ada', 'bob'] };
    expect(await register.add(changed, 'ada')).toMatchObject({
      delegator: 'JIRAUSER10003',
      delegates: ['ada', 'JIRAUSER10002'],
    });
    expect(service.calls.at(-1)?.body).toMatchObject({ delegator: 'Carl', delegates: ['ada', 'bob'] });
  });

  test('are changed by what is known of them inside', async () => {
    const { register, service } = await start();
    const changed = await register.change(
      1,
      (kept) => {
        expect(kept.delegates).toEqual(['JIRAUSER10003', 'gone']);
        return { ...kept, delegates: [...kept.delegates, 'ada'] };
      },
      'JIRAUSER10002',
    );
    expect(changed).toMatchObject({
      delegator: 'JIRAUSER10002',
      delegates: ['JIRAUSER10003', 'gone', 'ada'],
      version: 2,
    });
    expect(service.calls.at(-1)?.body).toMatchObject({
      delegator: 'bob',
      delegates: ['Carl', 'gone', 'ada'],
    });
  });
});

describe('a name that passed from one person to another', () => {
  const renamed = { id: 'bob', login: 'robert', name: 'Robert' };

  test('is that of whom the tracker calls so today, and an id stays an id', async () => {
    const people = [renamed, { id: 'JIRAUSER10500', login: 'bob', name: 'Bob' }];
    const delegates = ['robert'];
    const { register, service } = await start({ people, records: [{ ...bobs, delegates }] });
    expect(await register.delegations()).toMatchObject([{ delegator: 'JIRAUSER10500', delegates: ['bob'] }]);
    expect((await register.delegatorsOf('bob', 'general', null)).others).toEqual(['JIRAUSER10500']);
    expect(service.calls.at(-1)?.query).toMatchObject({ delegate: 'robert' });
  });

  test('is left to the register when a record of theirs is changed', async () => {
    // No user is known who is called bob today.
    const people = [renamed, { id: 'ada', name: 'Ada' }, { id: 'x', login: 'bob', name: 'Bob' }];
    const { register, service } = await start({ people, records: [{ ...bobs, delegates: ['ada'] }] });
    await register.change(1, (stored) => ({ ...stored, notes: 'Longer' }), 'ada');
    expect(service.calls.at(-1)?.body).toMatchObject({ delegator: 'bob', notes: 'Longer' });
  });
});
