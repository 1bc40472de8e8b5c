import { AppError, badRequest, badRequestAs } from '../../model/error.ts';
import { principalIn } from '../../model/request.ts';
import { createCommand, printable } from '../cli-command.ts';
import { holderOf } from '../viewers.ts';

/** Prints where an admin agrees that Jira is read in their name. */
export const connect = createCommand({
  name: 'connect',
  usage: 'connect',
  summary: 'print the address where a Jira admin authorizes your OAuth 2.0 app',
  details: 'It needs JIRA_CLIENT_ID, JIRA_CLIENT_SECRET and BASE_URL, and the server must be running.',
  options: {},
  examples: ['connect'],
  async run(_, { consent, baseUrl, out }) {
    if (consent === null) {
      throw new AppError('not-configured', 'There is nothing to authorize', [
        'To read Jira by OAuth 2.0, set JIRA_CLIENT_ID and JIRA_CLIENT_SECRET.',
      ]);
    }
    if (baseUrl === null) {
      throw new AppError('not-configured', 'BASE_URL is missing', [
        'Atlassian sends the admin back to Dwell after that: set BASE_URL to where people reach it, such as https://dwell.example.com.',
      ]);
    }
    const callback = `${baseUrl}/jira/consent`;
    out(await consent.url(callback));
    out('Open this address in a browser, log in with the account that Dwell uses to read Jira, and accept.');
    out(`Dwell must be running by then, and the app's callback URL must be ${callback}`);
    return 0;
  },
});

/** Prints what an app in Slack is created from. */
export const manifest = createCommand({
  name: 'manifest',
  usage: 'manifest [--url ADDRESS]',
  summary: 'print the manifest of the Slack app',
  details: 'Paste it at https://api.slack.com/apps. Without an option it is for Socket Mode.',
  options: { '--url ADDRESS': 'for requests over HTTP to this address' },
  examples: ['manifest', 'manifest --url https://dwell.example.com'],
  async run(typed, { slackManifest, out }) {
    const url = typed.value('url');
    out((await slackManifest(url === undefined ? null : readAddress(url))).trimEnd());
    return 0;
  },
});

/** Slack calls encrypted addresses only. */
function readAddress(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : null;
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === '';
  if (url?.protocol !== 'https:' || !isPlain) {
    // The part before an @ may be a password.
    const named = typed.includes('@') ? '' : ` '${typed}'`;
    throw badRequest(
      `--url${named} is not an address that Slack can call. Try: one that begins with https://, such as https://dwell.example.com.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

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
