import { holdersOf } from '../../api/people/logins.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { principalIn } from '../../model/request.ts';
import { createCommand } from '../cli-command.ts';
import { printable } from '../output-lines.ts';
import { viewersCalled } from '../viewers.ts';

/** Answers an AI assistant on standard output, so that nothing else is printed there. */
export const mcp = createCommand({
  name: 'mcp',
  usage: 'mcp --user NAME [--admin]',
  summary:
    'answer an AI assistant over standard input and output; NAME is an id, login, address or full name, whose permissions it has',
  options: { user: 'value', admin: 'switch' },
  async run(typed, { tenant, people, serveAssistant, err }) {
    const name = typed.value('user')?.trim();
    if (!name) {
      throw badRequestAs(
        'missing-value',
        '--user is required: whose permissions does the assistant have? For example: mcp --user ada.',
      );
    }
    const users = await people.users();
    const id = idOf(name, users);
    if (!users.has(id)) err(printable(`'${name}' is not a known user: it sees only what everyone can see.`));
    await serveAssistant(principalIn(tenant, id, typed.isOn('admin') ? 'admin' : 'user'));
    return 0;
  },
});

/** The id of the user named by login or id, else by address or full name; the name itself where that is no one. */
function idOf(name: string, users: ReadonlyMap<string, User>): string {
  const named = holdersOf(name, users).map(({ id }) => id);
  const meant = named.length > 0 ? named : viewersCalled(name, { groups: [], users }).map(({ id }) => id);
  const [id = name, ...others] = meant;
  if (others.length === 0) return id;
  throw badRequest(printable(`--user '${name}' is not clear. Try: one of the ids ${meant.join(', ')}.`));
}
