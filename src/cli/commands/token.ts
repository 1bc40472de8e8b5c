import { holdersOf } from '../../api/logins/holders-of.ts';
import { unmistakableName } from '../../api/logins/unmistakable-name.ts';
import { badRequest } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Command } from '../command.ts';
import { lifetime } from '../lifetime.ts';
import { printable } from '../printable.ts';
import { readOptions } from '../read-options.ts';

/** Prints a new token and nothing else, so that it can be piped to where it belongs. */
export const token: Command = {
  name: 'token',
  usage: 'token --user NAME [--admin] [--expires 90d]',
  summary: 'issue a token for the REST interface and print it',
  async run(args, { tokens, people, out }) {
    const { values } = readOptions(args, token.usage, {
      user: { type: 'string' },
      admin: { type: 'boolean', default: false },
      expires: { type: 'string', default: '90d' },
    });
    const name = values.user?.trim();
    if (!name) throw badRequest('--user is required: whose token is it? For example: token --user ada.');
    const lifetimeMs = lifetime('--expires', values.expires);
    const user = holderOf(name, await people.users());
    out(await tokens.issue({ user, admin: values.admin, lifetimeMs }));
    return 0;
  },
};

/** The id of whoever is named by login or id. Whom the tracker does not know, such as a program, is taken at their word. */
function holderOf(name: string, users: ReadonlyMap<string, User>): string {
  const [holder, ...others] = holdersOf(name, users);
  if (holder === undefined) return name;
  if (others.length === 0) return holder.id;
  const both = [holder, ...others];
  const persons = both.map(({ id, login, name }) =>
    login === undefined || login === id ? `${name} (id ${id})` : `${name} (login ${login}, id ${id})`,
  );
  const words = both.flatMap((one) => unmistakableName(one, users) ?? []);
  const allowed = words.length > 0 ? words.join(', ') : 'a login or an id that only one of them has';
  throw badRequest(
    printable(`--user '${name}' is not clear: it may be ${persons.join(' or ')}; allowed: ${allowed}.`),
  );
}
