import { badRequestAs } from '../../model/error.ts';
import { principalIn } from '../../model/request.ts';
import { createCommand } from '../cli-command.ts';
import { printable } from '../output-lines.ts';
import { holderOf } from '../viewers.ts';

/** Answers an AI assistant on standard output, so that nothing else is printed there. */
export const mcp = createCommand({
  name: 'mcp',
  usage: 'mcp --user NAME [--admin]',
  summary: 'answer an AI assistant over standard input and output',
  details: 'An assistant starts it, and it ends when its input ends. No token is needed.',
  options: {
    '--user NAME': 'whose permissions the assistant has: a user by id, login, email address or full name',
    '--admin': 'the assistant sees everything',
  },
  examples: ['mcp --user ada'],
  async run(typed, { tenant, people, serveAssistant, err }) {
    const name = typed.value('user')?.trim();
    if (!name) {
      throw badRequestAs(
        'missing-value',
        '--user is required: whose permissions does the assistant have? For example: mcp --user ada.',
      );
    }
    const holder = holderOf(name, await people.users());
    if (holder === null)
      err(printable(`'${name}' is not a known user: the assistant sees only what everyone can see.`));
    await serveAssistant(principalIn(tenant, holder?.id ?? name, typed.isOn('admin') ? 'admin' : 'user'));
    return 0;
  },
});
