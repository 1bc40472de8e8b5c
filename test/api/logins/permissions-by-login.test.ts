import { expect, test } from '#jest';
import { permissionsByLogin } from '../../../src/api/delegations/delegation-rights.ts';
import type { User } from '../../../src/model/issue.ts';

const users = new Map<string, User>([
  ['J2', { id: 'J2', login: 'bob', name: 'Bob' }],
  ['J3', { id: 'J3', login: 'web-team', name: 'Carl' }],
  ['J4', { id: 'J4', login: 'everyone', name: 'Dora' }],
]);
const groups = [{ id: 'web-team', name: 'Web Team', members: [] }];

test.each([
  ['bob', 'J2'],
  ['J2', 'J2'],
  ['user:bob', 'user:J2'],
  ['Bob', 'Bob'],
  ['zed', 'zed'],
  ['web-team', 'web-team'],
  ['user:web-team', 'user:J3'],
  ['group:bob', 'group:bob'],
  ['everyone', 'everyone'],
  ['user:everyone', 'user:J4'],
])('%s in a list of who is permitted something is %s', (told, meant) => {
  const permissions = { view: [told], viewAll: ['J2', told], editAll: [] };
  expect(permissionsByLogin(permissions, { groups, users })).toEqual({
    view: [meant],
    viewAll: ['J2', meant],
    editAll: [],
  });
});
