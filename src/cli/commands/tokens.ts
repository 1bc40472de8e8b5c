import { badRequestAs } from '../../model/error.ts';
import { createCommand } from '../cli-command.ts';

/** Lists the tokens that were issued, or switches one off or on; the tokens themselves are kept nowhere. */
export const tokens = createCommand({
  name: 'tokens',
  usage: 'tokens [--off ID | --on ID]',
  summary: 'list the issued tokens, or switch one off or on again',
  options: { off: 'value', on: 'value' },
  async run(typed, { tokens: issued, out }) {
    const [off, on] = [typed.value('off'), typed.value('on')];
    if (off !== undefined && on !== undefined)
      throw badRequestAs('conflicting-values', '--off and --on cannot be used together.');
    const id = off ?? on;
    if (id !== undefined) await issued.setActive(id, on !== undefined);
    for (const record of await issued.list()) {
      const state = record.active ? 'on ' : 'off';
      const role = record.admin ? ' (admin)' : '';
      const [until, since] = [record.expiresAt, record.createdAt].map((at) => new Date(at).toISOString());
      out(`${record.id}  ${state}  ${record.user}${role}  until ${until}  since ${since}`);
    }
    return 0;
  },
});
