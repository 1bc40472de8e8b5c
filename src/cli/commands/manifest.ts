import { badRequest } from '../../model/error.ts';
import { createCommand } from '../cli-command.ts';

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
