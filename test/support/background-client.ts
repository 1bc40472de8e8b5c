import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { slackLog } from '../../src/slack/app/transport.ts';
import type { StandInSlack } from './stand-in-slack.ts';

/** A client of a stand-in Slack as the door has it: it never calls twice, fails when told to wait, and says nothing. */
export function backgroundClient({ botToken, apiUrl }: Pick<StandInSlack, 'botToken' | 'apiUrl'>): WebClient {
  return new WebClient(botToken, {
    slackApiUrl: apiUrl,
    logger: slackLog(pino({ level: 'silent' })),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  });
}
