import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import type { Logger } from 'pino';

/** Slack's libraries write into our log; their chatter about every step goes to the debug level. */
export function slackLog(log: Logger): SlackLogger {
  const text = (messages: unknown[]) =>
    messages.map((message) => (message instanceof Error ? message.message : String(message))).join(' ');
  return {
    debug: () => {},
    info: (...messages) => log.debug(text(messages)),
    warn: (...messages) => log.warn(text(messages)),
    error: (...messages) => log.error(text(messages)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}
