import type { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { BackgroundClient, slackLog } from '../../src/slack/create-slack-app.ts';
import type { StandInSlack } from './stand-in-slack.ts';

/** The door's own client of a stand-in Slack, which says nothing; `wait` stands for the pauses that Slack asks for. */
export function backgroundClient(
  { botToken, apiUrl }: Pick<StandInSlack, 'botToken' | 'apiUrl'>,
  wait: (ms: number) => Promise<void> = async () => {},
): WebClient {
  const logger = slackLog(pino({ level: 'silent' }));
  return new BackgroundClient(botToken, { slackApiUrl: apiUrl, logger }, wait);
}
