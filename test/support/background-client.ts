import type { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { BackgroundClient, createSlackTokens, slackLog } from '../../src/slack/app/slack-clients.ts';
import type { StandInSlack } from './stand-in-slack.ts';

/** The door's own client of a stand-in Slack, which says nothing; `wait` stands for the pauses that Slack asks for. */
export function backgroundClient(
  { botToken, apiUrl }: Pick<StandInSlack, 'botToken' | 'apiUrl'>,
  wait: (ms: number) => Promise<void> = async () => {},
): WebClient {
  const log = pino({ level: 'silent' });
  const tokens = createSlackTokens(log, () => {});
  return new BackgroundClient(botToken, { slackApiUrl: apiUrl, logger: slackLog(log) }, { tokens, wait });
}
