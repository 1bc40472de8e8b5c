import type { User } from '../../src/model/issue.ts';

/** People of a Data Center where the login of one, `bob`, is the key of another, who was called so before. */
export const robert: User = { id: 'bob', login: 'robert', name: 'Robert Old' };
export const bob: User = { id: 'JIRAUSER99999', login: 'bob', name: 'Bob New' };
export const carl: User = { id: 'JIRAUSER6', login: 'carl', name: 'Carl' };

/** The same with who is an admin there, by id. */
export const renamedPeople: ReadonlyMap<string, User> = new Map(
  [robert, bob, { id: 'JIRAUSER5', login: 'ada', name: 'Ada', admin: true }, carl].map((user) => [
    user.id,
    user,
  ]),
);

/** The same as an export of that Data Center lists them. */
export const renamedPeopleListed = [...renamedPeople.values()].map(({ id, login = id, name }) => ({
  key: id,
  name: login,
  displayName: name,
  self: 'https://jira.example',
}));
