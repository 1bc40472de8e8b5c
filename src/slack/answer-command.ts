import { randomUUID } from 'node:crypto';
import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt';
import type { Logger } from 'pino';
import { AppError } from '../model/error.ts';
import type { DoorParts, SlashCommand } from './command.ts';
import { errorMessage } from './messages/error.ts';
import { unescapeMrkdwn } from './messages/mrkdwn.ts';
import { sendPrivately } from './send-privately.ts';

/** Answers one slash command: acknowledged before anything else, then routed by its first word. */
export function answerCommand(root: string, parts: DoorParts, log: Logger) {
  return async ({ ack, command, respond }: SlackCommandMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    await ack();
    const words = unescapeMrkdwn(command.text)
      .split(/\s+/)
      .filter((word) => word !== '');
    const chosen = route(root, words[0], parts.commands);
    const asked = {
      words: chosen.word === null ? words : words.slice(1),
      asker: { user: command.user_id, admin: false },
      userName: command.user_name,
      // Slack takes no commands in threads.
      place: { channel: command.channel_id, threadTs: null },
    };
    try {
      await sendPrivately(await chosen.answer(asked, parts), respond, log);
    } catch (error) {
      const reference = randomUUID();
      if (!(error instanceof AppError)) log.error({ err: error, reference, command: root }, 'command failed');
      await sendPrivately([errorMessage(error, reference)], respond, log);
    }
  };
}

function route(root: string, word: string | undefined, commands: readonly SlashCommand[]): SlashCommand {
  const own = commands.filter((command) => command.root === root);
  const named = own.find((command) => command.word !== null && command.word === word?.toLowerCase());
  const chosen = named ?? own.find((command) => command.word === null);
  if (chosen === undefined) throw new Error(`Nothing answers ${root}`);
  return chosen;
}
