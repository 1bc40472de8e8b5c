import { badRequestAs } from '../../model/error.ts';
import { createCommand, durationSyntax, isoTime, printable, readDuration } from '../cli-command.ts';
import { holderOf } from '../viewers.ts';

/** Prints a new token and nothing else, so that it can be piped to where it belongs; what is odd about it goes to the error stream. */
export const token = createCommand({
  name: 'token',
  usage: 'token --user NAME [--admin] [--expires TIME]',
  summary: 'create a REST token and print it',
  details:
    'Standard output has the token alone, so that it can be piped. It works on the server with the same DATA_DIR or DATABASE_URL. Tokens are not stored: if you lose one, create another.',
  options: {
    '--user NAME':
      'whose token it is: a user by id, login, email address or full name; any other name is a program of yours, and standard error says so',
    '--admin': 'the token sees everything; without it, a program sees only what everyone can see',
    '--expires TIME': `how long it works: ${durationSyntax}, such as 12h or 1y (default: 90d)`,
    '--json': 'print JSON: { token, id, user, admin, expiresAt }',
  },
  examples: ['token --user ada', 'token --user reporting --admin --expires 1y'],
  async run(typed, { tokens, people, tracker, out, err, json }) {
    const name = typed.value('user')?.trim();
    const admin = typed.isOn('admin');
    if (!name)
      throw badRequestAs(
        'missing-value',
        '--user is required: whose token is it? For example: token --user ada.',
      );
    const lifetimeMs = readDuration('--expires', typed.value('expires') ?? '90d', '90d');
    const users = await people.users();
    const holder = holderOf(name, users);
    const issued = await tokens.issue({ user: holder?.id ?? name, admin, lifetimeMs });
    const { id, user, expiresAt } = await tokens.recordOf(issued);
    json({ token: issued, id, user, admin, expiresAt: isoTime(expiresAt) });
    out(issued);
    if (holder === null) {
      err(printable(unknownText(name, admin, users.size, (await tracker()).title)));
    }
    return 0;
  },
});

function unknownText(name: string, admin: boolean, known: number, tracker: string): string {
  const sees = admin
    ? 'As an admin it sees everything.'
    : 'It sees only what everyone can see; --admin sees everything.';
  if (known === 0) return `No users are known yet from ${tracker}, so the token is for '${name}' as written.`;
  return `'${name}' is not a user in ${tracker}, so the token is for a program of that name. ${sees} Find people: npx dwell people --find NAME.`;
}

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
