import { badRequest } from '../../model/error.ts';
import type { Command } from '../command.ts';
import { readOptions } from '../read-options.ts';

/** Lists the tokens that were issued, or switches one off or on; the tokens themselves are kept nowhere. */
export const tokens: Command = {
  name: 'tokens',
  usage: 'tokens [--off ID | --on ID]',
  summary: 'list the issued tokens, or switch one off or on again',
  async run(args, { tokens: issued, out }) {
    const { values } = readOptions(args, tokens.usage, { off: { type: 'string' }, on: { type: 'string' } });
    if (values.off !== undefined && values.on !== undefined)
      throw badRequest('--off and --on exclude each other.');
    const id = values.off ?? values.on;
    if (id !== undefined) await issued.setActive(id, values.on !== undefined);
    for (const record of await issued.list()) {
      const state = record.active ? 'on ' : 'off';
      const role = record.admin ? ' (admin)' : '';
      const [until, since] = [record.expiresAt, record.createdAt].map((at) => new Date(at).toISOString());
      out(`${record.id}  ${state}  ${record.user}${role}  until ${until}  since ${since}`);
    }
    return 0;
  },
};
