import type { Ack } from './ack.ts';
import { applyResponse } from './apply-response.ts';
import { isJson } from './json.ts';
import type { Command } from './options.ts';
import { escapeText, personOf } from './payload-parts.ts';
import { Refusal } from './refusal.ts';
import type { Stage } from './stage.ts';

/** A line that begins with a slash, as somebody typed it. */
export interface TypedCommand {
  readonly user: string;
  readonly channel: string;
  readonly line: string;
  readonly threadTs?: string;
}

/** Sends a slash command to the app; null when Slack answers it itself. */
export async function sendCommand(stage: Stage, typed: TypedCommand): Promise<Ack | null> {
  const { workspace, options, triggers, responseUrls } = stage;
  const person = personOf(stage, typed.user);
  const channel = workspace.conversation(typed.channel);
  const [, name = '', text = ''] = /^(\/\S*)\s*(.*)$/s.exec(typed.line) ?? [];
  const command = options.commands.find((each) => each.command === name);
  const hint = (words: string) => void workspace.sayAsSlackbot(channel.id, person.id, words);
  if (!command) {
    hint(
      `\`${name}\` is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.\n\nIf you are trying to send a message and not run a command, try preceding the "/" with an empty space.`,
    );
    return null;
  }
  if (typed.threadTs !== undefined) {
    hint(`\`${name}\` is not supported in threads. Sorry!`);
    return null;
  }
  const target = { user: person.id, channel: channel.id, command: typed.line.trim() };
  const ack = await stage.deliver('command', {
    token: 'verification-token-nobody-checks',
    team_id: options.team.id,
    team_domain: options.team.domain,
    channel_id: channel.id,
    channel_name: channel.name,
    user_id: person.id,
    user_name: person.name,
    command: name,
    text: escaped(text.trim(), command, stage),
    api_app_id: options.app.id,
    is_enterprise_install: 'false',
    response_url: responseUrls.issue(target),
    trigger_id: triggers.issue(person.id),
  });
  const failed = (error: string) => hint(`\`${name}\` failed with the error "${error}"`);
  if (ack.outcome !== 'ok') failed(ack.outcome);
  else answerAtOnce(stage, target, ack.body, failed);
  return ack;
}

/** The message an acknowledgement may carry: a text, or a whole message. */
function answerAtOnce(
  stage: Stage,
  target: { user: string; channel: string },
  body: unknown,
  failed: (error: string) => void,
): void {
  if (body === '' || (isJson(body) && Object.keys(body).length === 0)) return;
  try {
    applyResponse(stage.workspace, target, isJson(body) ? body : { text: String(body) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    failed(error.error);
  }
}

function escaped(text: string, { shouldEscape }: Command, { options }: Stage): string {
  const plain = escapeText(text);
  if (!shouldEscape) return plain;
  return plain
    .replace(/@([\w.-]+)/g, (whole, name) => {
      const person = options.people.find((each) => each.name === name);
      return person ? `<@${person.id}|${person.name}>` : whole;
    })
    .replace(/#([\w-]+)/g, (whole, name) => {
      const channel = options.channels.find((each) => each.name === name);
      return channel ? `<#${channel.id}|${channel.name}>` : whole;
    });
}
