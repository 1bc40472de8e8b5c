import { badRequestAs } from '../../model/error.ts';
import { createCommand, isoTime } from '../cli-command.ts';

/** Lists the tokens that were issued, or switches one off or on; the tokens themselves are kept nowhere. */
export const tokens = createCommand({
  name: 'tokens',
  usage: 'tokens [--off ID | --on ID]',
  summary: 'list the REST tokens, or turn one off or on',
  details:
    'A token that is turned off stops working at once; one whose time is over is ended. The tokens themselves are not stored.',
  options: {
    '--off ID': 'turn a token off, by the id in the first column of the list',
    '--on ID': 'turn it on again',
    '--json':
      'print JSON: an array of { id, user, admin, active, usable, createdAt, expiresAt }; usable: active, and not ended',
  },
  examples: ['tokens', 'tokens --off 208a9568-af03-4c61-9d38-da787fb05e19'],
  async run(typed, { tokens: issued, now, out, json }) {
    const [off, on] = [typed.value('off'), typed.value('on')];
    if (off !== undefined && on !== undefined)
      throw badRequestAs('conflicting-values', '--off and --on cannot be used together.');
    const id = off ?? on;
    if (id !== undefined) await issued.setActive(id, on !== undefined);
    const at = now();
    const records = await issued.list();
    json(
      records.map(({ id, user, admin, active, createdAt, expiresAt }) => ({
        id,
        user,
        admin,
        active,
        usable: active && expiresAt > at,
        createdAt: isoTime(createdAt),
        expiresAt: isoTime(expiresAt),
      })),
    );
    for (const record of records) {
      const state = record.active ? (record.expiresAt > at ? 'on' : 'ended') : 'off';
      const role = record.admin ? ' (admin)' : '';
      const [until, since] = [record.expiresAt, record.createdAt].map((at) => isoTime(at));
      out(`${record.id}  ${state.padEnd(5)}  ${record.user}${role}  until ${until}  since ${since}`);
    }
    return 0;
  },
});
