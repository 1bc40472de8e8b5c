import type { Ack } from './ack.ts';
import type { Message } from './message.ts';
import { escapeText, personOf } from './payload-parts.ts';
import { sendCommand } from './send-command.ts';
import { sendEvent } from './send-event.ts';
import { shareLinks } from './share-links.ts';
import type { Stage } from './stage.ts';

/** What somebody typed into a composer. */
export interface Typed {
  readonly user: string;
  readonly channel: string;
  readonly text: string;
  readonly threadTs?: string;
}

/** Sends what was typed: a command when it begins with a slash, a message otherwise. */
export async function postAs(stage: Stage, typed: Typed): Promise<{ message?: Message; ack: Ack | null }> {
  if (typed.text.startsWith('/')) return { ack: await sendCommand(stage, { ...typed, line: typed.text }) };
  const { workspace, options } = stage;
  personOf(stage, typed.user);
  const channel = workspace.conversation(typed.channel);
  const message = workspace.say(
    channel.id,
    typed.user,
    mentioned(escapeText(typed.text), stage),
    typed.threadTs,
  );
  await shareLinks(stage, message);
  const kind = channel.direct ? 'im' : 'channel';
  const event = {
    user: typed.user,
    text: message.text,
    ts: message.ts,
    channel: channel.id,
    team: options.team.id,
    event_ts: message.ts,
    ...(typed.threadTs ? { thread_ts: typed.threadTs } : {}),
  };
  // Where the app is not, Slack offers to invite it; in its own conversations a mention is a message.
  const isMention =
    !channel.direct &&
    options.events?.includes('app_mention') === true &&
    workspace.isMember(channel.id) &&
    message.text.includes(`<@${options.app.botUserId}>`);
  const mention = isMention ? await sendEvent(stage, { type: 'app_mention', ...event }) : null;
  const heard = channel.direct || options.events?.includes('message.channels');
  if (!heard) return { message, ack: mention };
  return { message, ack: await sendEvent(stage, { type: 'message', channel_type: kind, ...event }) };
}

function mentioned(text: string, { options }: Stage): string {
  const users = [...options.people, { id: options.app.botUserId, name: options.app.name.toLowerCase() }];
  return text
    .replace(/(^|\s)@([\w.-]+)/g, (whole, before, name) => {
      const user = users.find((each) => each.name === name.toLowerCase());
      return user ? `${before}<@${user.id}>` : whole;
    })
    .replace(/(^|\s)#([\w-]+)/g, (whole, before, name) => {
      const channel = options.channels.find((each) => each.name === name);
      return channel ? `${before}<#${channel.id}|${channel.name}>` : whole;
    });
}
