import { badRequest } from '../../model/error.ts';
import { createCommand } from '../cli-command.ts';

/** Prints what an app in Slack is created from. */
export const manifest = createCommand({
  name: 'manifest',
  usage: 'manifest [--url ADDRESS]',
  summary:
    'print the app manifest for Slack: for Socket Mode, or with --url for requests over HTTP to that address',
  options: { url: 'value' },
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
    // What is before an @ may be a password.
    const named = typed.includes('@') ? '' : ` '${typed}'`;
    throw badRequest(
      `--url${named} is not an address that Slack can call. Try: one that begins with https://, such as https://dwell.example.com.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
