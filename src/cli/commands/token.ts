import { badRequestAs } from '../../model/error.ts';
import { createCommand, isoTime } from '../cli-command.ts';
import { printable } from '../output-lines.ts';
import { durationSyntax, readDuration } from '../typed-duration.ts';
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
      err(printable(sayUnknown(name, admin, users.size, (await tracker()).title)));
    }
    return 0;
  },
});

function sayUnknown(name: string, admin: boolean, known: number, tracker: string): string {
  const sees = admin
    ? 'As an admin it sees everything.'
    : 'It sees only what everyone can see; --admin sees everything.';
  if (known === 0) return `No users are known yet from ${tracker}, so the token is for '${name}' as written.`;
  return `'${name}' is not a user in ${tracker}, so the token is for a program of that name. ${sees} Find people: npx dwell people --find NAME.`;
}
