import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Logger } from 'pino';
import type { Message } from '../../block-kit/message.ts';
import { settledTexts, unescapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { principalIn } from '../../model/permissions.ts';
import type { SlashInvocation } from './handler-types.ts';
import { withZoneNote } from './hours-here.ts';
import type { MessageParts, SlackParts } from './parts.ts';
import { type Listener, respondAt, sendPrivately } from './post-message.ts';
import { failureMessage } from './show-failure.ts';

/** Answers one slash command: acknowledged before anything else, then routed by its first word. */
export function answerCommand(
  root: string,
  parts: MessageParts & Pick<SlackParts, 'channels' | 'commands' | 'people'>,
  log: Logger,
) {
  return async ({ ack, command, client }: SlackCommandMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    await ack();
    // Those who typed at the same moment are acknowledged before anything is worked out.
    await yieldToOthers();
    // Slack takes no commands in threads.
    const place = { channel: command.channel_id, threadTs: null };
    const person = {
      principal: principalIn(parts.people.tenant, command.user_id),
      userName: command.user_name,
      place,
      async open(view: ModalView) {
        await client.views.open({ trigger_id: command.trigger_id, view: settledTexts(view) });
      },
    };
    const listener: Listener = { account: command.user_id, place, respond: respondAt(command.response_url) };
    const messages = await answerLine(root, unescapeMrkdwn(command.text).trim(), person, parts, log);
    await sendPrivately(messages, listener, parts);
  };
}

/** Answers what was typed behind a slash command, routed by its first word; a failure is an answer as well. */
export async function answerLine(
  root: string,
  line: string,
  person: Omit<SlashInvocation, 'text' | 'words'>,
  parts: Pick<SlackParts, 'channels' | 'commands'>,
  log: Logger,
): Promise<readonly Message[]> {
  const [first = ''] = /^\S+/.exec(line) ?? [];
  const own = parts.commands.filter((command) => command.root === root);
  const named = own.find(({ word }) => word !== null && word === first.toLowerCase());
  const chosen = named ?? own.find(({ word }) => word === null);
  if (chosen === undefined) throw new Error(`Nothing answers ${root}`);
  const text = chosen.word === null ? line : line.slice(first.length).trim();
  const asked: SlashInvocation = { ...person, text, words: text.split(/\s+/).filter((word) => word !== '') };
  return withZoneNote(person.place, person.principal.account, parts, () => chosen.answer(asked)).catch(
    (error: unknown) => [failureMessage(error, { command: root }, log)],
  );
}
