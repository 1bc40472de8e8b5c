import { badRequest } from '../../model/error.ts';
import type { Command } from '../command.ts';
import { lifetime } from '../lifetime.ts';
import { readOptions } from '../read-options.ts';

/** Prints a new token and nothing else, so that it can be piped to where it belongs. */
export const token: Command = {
  name: 'token',
  usage: 'token --user NAME [--admin] [--expires 90d]',
  summary: 'issue a token for the REST interface and print it',
  async run(args, { tokens, out }) {
    const { values } = readOptions(args, token.usage, {
      user: { type: 'string' },
      admin: { type: 'boolean', default: false },
      expires: { type: 'string', default: '90d' },
    });
    const user = values.user?.trim();
    if (!user) throw badRequest('--user is required: whose token is it? For example: token --user ada.');
    const lifetimeMs = lifetime('--expires', values.expires);
    out(await tokens.issue({ user, admin: values.admin, lifetimeMs }));
    return 0;
  },
};
