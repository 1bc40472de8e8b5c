import { type Finding, fine, note, problem } from '../../../cli/finding.ts';
import { readManifest } from '../../manifest.ts';
import { askSlack, type SlackAnswer } from '../ask-slack.ts';
import type { Check, DoctorContext } from '../doctor-context.ts';

const REINSTALL =
  'Paste the manifest of `npx dwell manifest` at https://api.slack.com/apps, and reinstall the app.';

/** The app in Slack: its tokens, and what they are good for. */
export const slackCheck: Check = {
  name: 'Slack',
  needs: ['slack'],
  async run(context) {
    const { slack: door } = context.config;
    if (door.mode === 'playground')
      return [note('not connected: no tokens are set, and a playground takes its place')];
    if (door.mode === 'none') return [note('not connected: no tokens are set')];
    const bot = await context.slack();
    if (bot === null) return [];
    if (!bot.ok)
      return [
        problem(
          `Slack refuses SLACK_BOT_TOKEN (${bot.error}).`,
          'Set the bot token of the app: https://api.slack.com/apps, OAuth & Permissions.',
        ),
      ];
    const app = door.mode === 'socket' ? await socketProblem(door.appToken, context) : null;
    const way = door.mode === 'socket' ? 'Socket Mode' : 'signed HTTP requests';
    return [
      fine(`${bot.team} (${bot.team_id}) as ${bot.user}, over ${way}`),
      ...(app === null ? [] : [app]),
      ...(await scopeFindings(bot)),
    ];
  },
};

/** The finding about the app token; null where it opens Socket Mode. */
async function socketProblem(
  token: string,
  { slackApiUrl: apiUrl, now, signal }: DoctorContext,
): Promise<Finding | null> {
  const answer = await askSlack('apps.connections.open', { apiUrl, token, now, signal });
  if (answer.ok) return null;
  return problem(
    `Slack opens no Socket Mode with SLACK_APP_TOKEN (${answer.error}).`,
    'Set an app-level token with the scope connections:write, and turn Socket Mode on in the app.',
  );
}

async function scopeFindings({ scopes }: SlackAnswer): Promise<readonly Finding[]> {
  if (scopes === null) return [note('Slack does not say which scopes the token has')];
  const { missingScopes } = await import('../../../slack/channels/status.ts');
  const missing = missingScopes(scopes).map(({ scopes: some, without, isOptional = false }) => {
    const text = `the bot token lacks ${some.join(', ')}: ${without}.`;
    return isOptional ? note(text, 'To add them, reinstall the app.') : problem(text, REINSTALL);
  });
  const wanted = readManifest().scopes;
  const surplus = scopes.filter((scope) => !wanted.includes(scope));
  return surplus.length === 0
    ? missing
    : [...missing, note(`the bot token also has ${surplus.join(', ')}, which manifest.yml leaves out`)];
}
