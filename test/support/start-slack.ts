import { type StandInOptions, startStandInSlack } from './stand-in-slack.ts';
import { type DwellOptions, startDwell } from './start-dwell.ts';

/** A Dwell whose Slack door is open to a stand-in Slack, over signed HTTP or Socket Mode. */
export async function startDwellInSlack({
  mode = 'http',
  people,
  channels,
  events,
  scopes,
  unfurlDomains,
  ...options
}: DwellOptions & { mode?: 'http' | 'socket' } & Pick<
    StandInOptions,
    'people' | 'channels' | 'events' | 'scopes' | 'unfurlDomains'
  > = {}) {
  const slack = await startStandInSlack({
    ...(people === undefined ? {} : { people }),
    ...(channels === undefined ? {} : { channels }),
    ...(events === undefined ? {} : { events }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(unfurlDomains === undefined ? {} : { unfurlDomains }),
  });
  const tokens: Record<string, string> =
    mode === 'http'
      ? { SLACK_BOT_TOKEN: slack.botToken, SLACK_SIGNING_SECRET: slack.signingSecret }
      : { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken };
  const environment = { ...tokens, ...options.environment };
  const dwell = await startDwell({ ...options, environment, slackApiUrl: slack.apiUrl }).catch(
    async (error) => {
      await slack.stop();
      throw error;
    },
  );
  slack.botAt(dwell.url);
  return {
    slack,
    dwell,
    async stop(): Promise<void> {
      await dwell.stop();
      await slack.stop();
    },
  };
}
